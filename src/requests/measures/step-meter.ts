import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import type { MetricSeries, Metrics } from '../../metrics/metrics.js';
import { seriesByLabel } from '../../metrics/series-by-label.js';
import { cleanUsername } from './clean-labels.js';
import * as families from './request-families.js';

/** The authorizer label of requests that members of privileged groups make, which no authorizer decides. */
const PRIVILEGED = 'privileged-groups';
/** Authorizer types as an authorization configuration names them, by the names of authorizers; all others are webhooks. */
const AUTHORIZER_TYPES: ReadonlyMap<string, string> = new Map([
  ['node', 'Node'],
  ['rbac', 'RBAC'],
  ['abac', 'ABAC'],
  ['always-allow', 'AlwaysAllow'],
  ['always-deny', 'AlwaysDeny'],
]);

/** Records the results of authentication and authorization. */
export class StepMeter {
  readonly #metrics: Metrics;
  readonly #users: (name: string) => MetricSeries;
  readonly #authentications: (label: string) => MetricSeries;
  readonly #authenticationTimes: (label: string) => MetricSeries;
  readonly #authorizations: (label: string) => MetricSeries;
  readonly #authorizationTimes: (label: string) => MetricSeries;
  /** The series of decisions, by the authorizer's name and the decision. */
  readonly #decisions = new Map<string, Map<string, MetricSeries>>();
  /** The series of the steps by index; undefined until the pipeline first runs. */
  #filters: readonly (MetricSeries | undefined)[] | undefined;
  #authentication = -1;
  #authorization = -1;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#users = seriesByLabel(metrics, families.authenticatedUserRequests);
    this.#authentications = seriesByLabel(metrics, families.authenticationAttempts);
    this.#authenticationTimes = seriesByLabel(metrics, families.authenticationDuration);
    this.#authorizations = seriesByLabel(metrics, families.authorizationAttempts);
    this.#authorizationTimes = seriesByLabel(metrics, families.authorizationDuration);
  }

  authenticated(result: AuthenticationResult, seconds: number): void {
    const { outcome } = result;
    const label = outcome === 'authenticated' ? 'success' : outcome === 'skipped' ? 'failure' : 'error';
    if (outcome === 'authenticated') this.#users(cleanUsername(result.user.username)).add();
    this.#authentications(label).add();
    this.#authenticationTimes(label).observe(seconds);
  }

  authorized(decision: Decision, seconds: number): void {
    const refused =
      'error' in decision && decision.error ? 'error' : decision.decision === 'Deny' ? 'denied' : 'no-opinion';
    const label = decision.decision === 'Allow' ? 'allowed' : refused;
    const { authorizer = '' } = decision;
    if (decision.decision !== 'NoOpinion' && authorizer !== PRIVILEGED) this.#decisionOf(authorizer, label).add();
    this.#authorizations(label).add();
    this.#authorizationTimes(label).observe(seconds);
  }

  /**
   * Returns the series for the durations of the pipeline's steps, by index.
   * @param names called once; gives undefined for steps that are not measured
   */
  filters(names: () => readonly (string | undefined)[]): readonly (MetricSeries | undefined)[] {
    if (this.#filters) return this.#filters;
    const all = names();
    this.#authentication = all.indexOf('authentication');
    this.#authorization = all.indexOf('authorization');
    const filters = all.map((name) =>
      name === undefined ? undefined : this.#metrics.series(families.filterDuration, [name]),
    );
    this.#filters = filters;
    return filters;
  }

  /**
   * Records the steps that passed.
   * @param steps a bit for each step, by index
   * @param authentication seconds that this step measured itself; steps without a measurement count as 0
   * @param authorization seconds that this step measured itself
   */
  passed(steps: number, authentication: number, authorization: number): void {
    const filters = this.#filters ?? [];
    for (let i = 0; i < filters.length; i++)
      if ((steps & (1 << i)) !== 0)
        filters[i]?.observe(
          i === this.#authentication ? authentication : i === this.#authorization ? authorization : 0,
        );
  }

  #decisionOf(authorizer: string, label: string): MetricSeries {
    let known = this.#decisions.get(authorizer);
    if (known === undefined) this.#decisions.set(authorizer, (known = new Map()));
    let series = known.get(label);
    if (series === undefined) {
      const type = AUTHORIZER_TYPES.get(authorizer) ?? 'Webhook';
      series = this.#metrics.series(families.authorizationDecisions, [type, authorizer, label]);
      known.set(label, series);
    }
    return series;
  }
}
