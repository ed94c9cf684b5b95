import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import { privilegedGroups } from '../../authorization/privileged-groups.js';
import {
  type LabelValues,
  MAX_NOTES,
  type MetricEntries,
  type MetricSeries,
  type Metrics,
  noSeries,
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

/** The histograms of the times of authentication and authorization, and of the same times as steps of the pipeline. */
interface StepTimes {
  readonly authentication: MetricSeries;
  readonly authenticationStep: MetricSeries;
  readonly authorization: MetricSeries;
  readonly authorizationStep: MetricSeries;
}

const SECOND = 1000;
/** The number of numeric values in the row of a request. */
const NUMBERS = 7;

/** Consecutive rows that differ only in their times and sizes. Counters are updated once for all of them. */
interface Run {
  readonly authentication: AuthenticationResult | undefined;
  readonly authorization: Decision | undefined;
  readonly route: RouteMeter | undefined;
  readonly passed: number;
  readonly status: number;
  readonly times: StepTimes;
  rows: number;
}

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
  #run: Run | undefined;

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
    const numbers = this.#numbers;
    const number = (i: number) => numbers[row * NUMBERS + i] ?? 0;
    const run = this.#runOf(row, number(2), number(3));
    const { times } = run;
    const authentication = number(0) / SECOND;
    const authorization = number(1) / SECOND;
    const time = number(4);
    run.rows++;
    times.authentication.observe(authentication);
    times.authenticationStep.observe(authentication);
    times.authorization.observe(authorization);
    times.authorizationStep.observe(authorization);
    run.route?.took(time / SECOND, (time - number(5)) / SECOND, number(6));
    // The row must not keep users and decisions alive once they are counted.
    this.#authentications[row] = undefined;
    this.#authorizations[row] = undefined;
    this.#routes[row] = undefined;
    if (--this.#waiting === 0) this.#endRun();
  }

  /** Returns the current run of equal rows if the row continues it. Otherwise ends that run and begins another with the row. */
  #runOf(row: number, passed: number, status: number): Run {
    const authentication = this.#authentications[row];
    const authorization = this.#authorizations[row];
    const route = this.#routes[row];
    const last = this.#run;
    if (
      last?.authentication === authentication &&
      last?.authorization === authorization &&
      last?.route === route &&
      last?.passed === passed &&
      last.status === status
    )
      return last;
    this.#endRun();
    const times = this.#steps.timesOf(authentication, authorization, passed);
    return (this.#run = { authentication, authorization, route, passed, status, times, rows: 0 });
  }

  #endRun(): void {
    if (this.#run === undefined) return;
    const { authentication, authorization, route, passed, status, rows } = this.#run;
    this.#run = undefined;
    if (authentication) this.#steps.authenticated(authentication, rows);
    if (authorization) this.#steps.authorized(authorization, rows);
    this.#steps.passed(passed, rows);
    route?.answered(status, rows);
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

  /** Counts responses with the same status. */
  answered(status: number, responses: number): void {
    this.#totalOf(status).add(responses);
    // The series must exist even without observations, as in upstream.
    this.#validations.add(0);
  }

  /**
   * Records the duration and size of a response.
   * @param seconds the whole duration
   * @param own the duration without the time that the request waited for a seat or for webhooks
   * @param bytes the size of the response; -1 if it is not counted
   */
  took(seconds: number, own: number, bytes: number): void {
    this.#duration.observe(seconds);
    this.#sli.observe(own);
    this.#slo.observe(own);
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

function authenticationLabel({ outcome }: AuthenticationResult): string {
  return outcome === 'authenticated' ? 'success' : outcome === 'skipped' ? 'failure' : 'error';
}

function authorizationLabel(decision: Decision): string {
  if (decision.decision === 'Allow') return 'allowed';
  if ('error' in decision && decision.error) return 'error';
  return decision.decision === 'Deny' ? 'denied' : 'no-opinion';
}

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
  /** The indices of the pipeline's steps for authentication and authorization. */
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

  /** Counts requests with the same result of authentication. */
  authenticated(result: AuthenticationResult, requests: number): void {
    if (result.outcome === 'authenticated') this.#users(cleanUsername(result.user.username)).add(requests);
    this.#authentications(authenticationLabel(result)).add(requests);
  }

  /** Counts requests with the same authorization decision. */
  authorized(decision: Decision, requests: number): void {
    const label = authorizationLabel(decision);
    const { authorizer = '' } = decision;
    // Decisions about members of `system:masters` are left out of the metric of authorizer decisions.
    if (decision.decision !== 'NoOpinion' && authorizer !== privilegedGroups.name)
      this.#decisionOf(authorizer, label).add(requests);
    this.#authorizations(label).add(requests);
  }

  /**
   * Returns the histograms for the times of requests with these results.
   * @param steps the steps that the requests have passed: a bit for each, by index
   */
  timesOf(
    authentication: AuthenticationResult | undefined,
    authorization: Decision | undefined,
    steps: number,
  ): StepTimes {
    // A failed authentication ends the request, so its step is not among those that the request has passed. As in upstream, it counts.
    const failed = authentication !== undefined && authentication.outcome !== 'authenticated';
    return {
      authentication: authentication ? this.#authenticationTimes(authenticationLabel(authentication)) : noSeries,
      authenticationStep: this.#filterOf(failed ? -1 : steps, this.#authentication),
      authorization: authorization ? this.#authorizationTimes(authorizationLabel(authorization)) : noSeries,
      authorizationStep: this.#filterOf(steps, this.#authorization),
    };
  }

  /**
   * Records the durations of the steps that requests have passed: 0 for each, except for authentication and authorization ({@link timesOf}).
   * @param steps a bit for each step, by index
   */
  passed(steps: number, requests: number): void {
    for (let i = 0; i < this.filters.length; i++)
      if (i !== this.#authentication && i !== this.#authorization) this.#filterOf(steps, i).observe(0, requests);
  }

  #filterOf(steps: number, index: number): MetricSeries {
    return (steps & (1 << index)) === 0 ? noSeries : (this.filters[index] ?? noSeries);
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
