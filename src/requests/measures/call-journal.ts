import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import { privilegedGroups } from '../../authorization/privileged-groups.js';
import {
  type LabelValues,
  MAX_NOTES,
  type MetricEntries,
  type MetricSeries,
  type Metrics,
  seriesByLabel,
} from '../../metrics/metrics.js';
import * as families from './request-families.js';
import { cleanUsername } from './request-labels.js';

/** What the steps of a request up to its authorization have measured, until it is added to the metrics. */
export interface MeasuredSteps {
  authentication: AuthenticationResult | undefined;
  authorization: Decision | undefined;
  /** The milliseconds that authentication took. */
  authenticationTime: number;
  authorizationTime: number;
  /** The steps of the pipeline that the request has passed, as a bit mask: bit i is the step with index i. */
  passed: number;
}

const SECOND = 1000;
/** The number of numeric values in the row of a request. */
const NUMBERS = 7;

/**
 * Collects measurements of requests, one row per request, and adds them to the metrics in batches. Updating the counters for each request
 * would be slow: the counters and their code are spread over memory, and on a server with TLS most of them are not in the processor's
 * caches.
 */
export class CallJournal {
  readonly #steps: StepMeter;
  readonly #notes: MetricEntries;
  readonly #authentications: (AuthenticationResult | undefined)[] = [];
  readonly #authorizations: (Decision | undefined)[] = [];
  readonly #routes: (RouteMeter | undefined)[] = [];
  readonly #numbers = new Float64Array(NUMBERS * MAX_NOTES);
  #next = 0;
  #waiting = 0;

  constructor(metrics: Metrics, steps: StepMeter) {
    this.#steps = steps;
    this.#notes = metrics.entries((row) => this.#count(row));
  }

  /**
   * Moves the step results out of an exchange, and records the response.
   * @param route undefined if the response is not counted
   * @param time milliseconds in total, including `waited`
   * @param bytes the size of the response; -1 if it is not counted
   */
  add(steps: MeasuredSteps, route?: RouteMeter, status = 0, time = 0, waited = 0, bytes = -1): void {
    // Rows are reused after each batch. So only a few rows are in use, and they stay in the processor's caches.
    if (this.#waiting++ === 0) this.#next = 0;
    const row = this.#next++;
    this.#authentications[row] = steps.authentication;
    this.#authorizations[row] = steps.authorization;
    this.#routes[row] = route;
    const numbers = this.#numbers;
    const at = row * NUMBERS;
    numbers[at] = steps.authenticationTime;
    numbers[at + 1] = steps.authorizationTime;
    numbers[at + 2] = steps.passed;
    numbers[at + 3] = status;
    numbers[at + 4] = time;
    numbers[at + 5] = waited;
    numbers[at + 6] = bytes;
    steps.authentication = undefined;
    steps.authorization = undefined;
    steps.passed = 0;
    this.#notes.add(row);
  }

  #count(row: number): void {
    this.#waiting--;
    const numbers = this.#numbers;
    const number = (i: number) => numbers[row * NUMBERS + i] ?? 0;
    const authenticationTime = number(0) / SECOND;
    const authorizationTime = number(1) / SECOND;
    const authentication = this.#authentications[row];
    const authorization = this.#authorizations[row];
    const route = this.#routes[row];
    if (authentication) this.#steps.authenticated(authentication, authenticationTime);
    if (authorization) this.#steps.authorized(authorization, authorizationTime);
    this.#steps.passed(number(2), authenticationTime, authorizationTime);
    const time = number(4);
    route?.answered(number(3), time / SECOND, (time - number(5)) / SECOND, number(6));
    // The row must not keep users and decisions alive once they are counted.
    this.#authentications[row] = undefined;
    this.#authorizations[row] = undefined;
    this.#routes[row] = undefined;
  }
}

/** The metrics of one route's requests. */
export class RouteMeter {
  readonly #metrics: Metrics;
  readonly #dryRoute: LabelValues;
  readonly #route: LabelValues;
  readonly #duration: MetricSeries;
  readonly #sli: MetricSeries;
  readonly #slo: MetricSeries;
  readonly #sizes: MetricSeries;
  readonly #validations: MetricSeries;
  readonly #totals = new Map<number, MetricSeries>();

  /**
   * @param dryRoute the label values: verb, dry run, group, version, resource, subresource, scope, component
   * @param validation the level of field validation
   */
  constructor(metrics: Metrics, dryRoute: LabelValues, validation: string) {
    const [verb = '', , ...rest] = dryRoute;
    this.#metrics = metrics;
    this.#dryRoute = dryRoute;
    this.#route = [verb, ...rest];
    this.#duration = metrics.series(families.requestDuration, dryRoute);
    this.#sli = metrics.series(families.requestSliDuration, this.#route);
    this.#slo = metrics.series(families.requestSloDuration, this.#route);
    this.#sizes = metrics.series(families.responseSizes, this.#route);
    this.#validations = metrics.series(families.fieldValidationDuration, [validation]);
  }

  /**
   * Records a response.
   * @param seconds the whole duration
   * @param own the duration without the time that the request waited for a seat or for webhooks
   * @param bytes the size of the response; -1 if it is not counted
   */
  answered(status: number, seconds: number, own: number, bytes: number): void {
    this.#totalOf(status).add();
    this.#duration.observe(seconds);
    this.#sli.observe(own);
    this.#slo.observe(own);
    // The series must exist even without observations, as in upstream.
    this.#validations.add(0);
    if (bytes >= 0) this.#sizes.observe(bytes);
  }

  /** Records a request that the server sends to itself. */
  fromItself(): void {
    const [verb = '', , , resource = '', subresource = ''] = this.#route;
    this.#metrics.add(families.selfRequests, [verb, resource, subresource]);
  }

  #totalOf(status: number): MetricSeries {
    let total = this.#totals.get(status);
    if (total === undefined) {
      total = this.#metrics.series(families.requestTotal, [...this.#dryRoute, String(status)]);
      this.#totals.set(status, total);
    }
    return total;
  }
}

/** The types of authorizers in an AuthorizationConfiguration, by authorizer name. All other authorizers are webhooks. */
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
  /** The metric series of authorizer decisions, by the authorizer's name and the decision. */
  readonly #decisions = new Map<string, Map<string, MetricSeries>>();
  /** The metric series for the durations of the pipeline's steps, by index; undefined for a step that is not measured. */
  readonly filters: readonly (MetricSeries | undefined)[];
  readonly #authentication: number;
  readonly #authorization: number;

  /** @param filterNames the name of each step in metrics, by index */
  constructor(metrics: Metrics, filterNames: readonly (string | undefined)[]) {
    this.#metrics = metrics;
    this.filters = filterNames.map((name) =>
      name === undefined ? undefined : metrics.series(families.filterDuration, [name]),
    );
    this.#authentication = filterNames.indexOf('authentication');
    this.#authorization = filterNames.indexOf('authorization');
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
    // A failed authentication ends the request, so its step is not among those that the request has passed. As in upstream, it counts.
    else this.filters[this.#authentication]?.observe(seconds);
    this.#authentications(label).add();
    this.#authenticationTimes(label).observe(seconds);
  }

  authorized(decision: Decision, seconds: number): void {
    const refused =
      'error' in decision && decision.error ? 'error' : decision.decision === 'Deny' ? 'denied' : 'no-opinion';
    const label = decision.decision === 'Allow' ? 'allowed' : refused;
    const { authorizer = '' } = decision;
    // Decisions about members of `system:masters` are left out of the metric of authorizer decisions.
    if (decision.decision !== 'NoOpinion' && authorizer !== privilegedGroups.name)
      this.#decisionOf(authorizer, label).add();
    this.#authorizations(label).add();
    this.#authorizationTimes(label).observe(seconds);
  }

  /**
   * Records the durations of the steps that a request has passed.
   * @param steps a bit for each step, by index
   * @param authentication the seconds that the authentication step measured; steps without a measurement count as 0
   * @param authorization the seconds that the authorization step measured
   */
  passed(steps: number, authentication: number, authorization: number): void {
    const { filters } = this;
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
