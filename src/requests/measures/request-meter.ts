import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import { isApiError } from '../../meta/api-error.js';
import { type Clock, reading } from '../../meta/clock.js';
import type { GroupVersionKind } from '../../meta/group-version.js';
import type { Query } from '../../meta/query.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { LabelValues, MetricFamily, MetricSeries, Metrics } from '../../metrics/metrics.js';
import { seriesByLabel } from '../../metrics/series-by-label.js';
import { subresourcesOf } from '../../registry/definitions/subresource-facts.js';
import type { RegistrySnapshot } from '../../registry/served/registry-snapshot.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import type { RequestInfo, RequestKind } from '../request-info.js';
import { cleanDryRun, cleanFieldValidation, cleanUsername, cleanVerb } from './clean-labels.js';
import type { MeasuredRoute } from './measured-route.js';
import { measuredStream } from './measured-stream.js';
import * as families from './request-families.js';
import { RouteMeter } from './route-meter.js';
import { Traffic } from './traffic.js';

const SECOND = 1000;
/** The server itself. */
const SELF = 'system:apiserver';

/** Those who are let through before any authorizer is asked. */
const PRIVILEGED = 'privileged-groups';
/** The types of a configuration, by the names of authorizers; others are webhooks. */
const AUTHORIZER_TYPES: ReadonlyMap<string, string> = new Map([
  ['node', 'Node'],
  ['rbac', 'RBAC'],
  ['abac', 'ABAC'],
  ['always-allow', 'AlwaysAllow'],
  ['always-deny', 'AlwaysDeny'],
]);

/** What counts of an exchange. */
interface MeasuredRequest {
  readonly request: ApiRequest;
  readonly query: Query;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly registry: RegistrySnapshot;
  /** Undefined where no route was found. */
  readonly measured: MeasuredRoute | undefined;
  /** Milliseconds in which it waited for others. */
  readonly waited: number;
}

/** Counts and measures the requests of a server. What every request moves is looked up once and kept. */
export class RequestMeter {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly traffic: Traffic;
  readonly #users: SeriesOf;
  readonly #authentications: Outcomes<'success' | 'failure' | 'error'>;
  readonly #authorizations: Outcomes<'allowed' | 'denied' | 'no-opinion' | 'error'>;
  readonly #validations: SeriesOf;
  /** By the authorizer's name and the decision. */
  readonly #decisions = new Map<string, Map<string, MetricSeries>>();
  /** By the verb, and by what runs dry. */
  readonly #routes = new WeakMap<MeasuredRoute, Map<string, RouteMeter>>();
  /** Where the times of the pipeline's steps are counted; undefined until it first runs. */
  filters: readonly (MetricSeries | undefined)[] | undefined;

  /** @param limits of requests that are served at once, where these numbers alone decide */
  constructor(metrics: Metrics, clock: Clock, limits?: Readonly<Record<RequestKind, number>>) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.traffic = new Traffic(metrics, clock, limits);
    this.#users = seriesByLabel(metrics, families.authenticatedUserRequests);
    this.#authentications = outcomesOf(metrics, families.authenticationAttempts, families.authenticationDuration, [
      'success',
      'failure',
      'error',
    ]);
    this.#authorizations = outcomesOf(metrics, families.authorizationAttempts, families.authorizationDuration, [
      'allowed',
      'denied',
      'no-opinion',
      'error',
    ]);
    this.#validations = seriesByLabel(metrics, families.fieldValidationDuration);
  }

  /** A reading, in milliseconds, for what is measured from now on. */
  now(): number {
    return reading(this.#clock);
  }

  /** Where the times of a step are counted. @param name as in the label */
  filter(name: string): MetricSeries {
    return this.#metrics.series(families.filterDuration, [name]);
  }

  /** A caller was looked for; returns the reading up to which that is measured. */
  authenticated(result: AuthenticationResult, since: number): number {
    const { outcome } = result;
    const label = outcome === 'authenticated' ? 'success' : outcome === 'skipped' ? 'failure' : 'error';
    if (outcome === 'authenticated') this.#users(cleanUsername(result.user.username)).add();
    return this.#count(this.#authentications[label], since);
  }

  /** It was decided about a request; returns the reading up to which that is measured. */
  authorized(decision: Decision, since: number): number {
    const refused =
      'error' in decision && decision.error ? 'error' : decision.decision === 'Deny' ? 'denied' : 'no-opinion';
    const label = decision.decision === 'Allow' ? 'allowed' : refused;
    const { authorizer = '' } = decision;
    if (decision.decision !== 'NoOpinion' && authorizer !== PRIVILEGED) {
      this.#decisionOf(authorizer, label).add();
    }
    return this.#count(this.#authorizations[label], since);
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

  #count({ attempts, times }: Outcome, since: number): number {
    const now = this.now();
    attempts.add();
    times.observe((now - since) / SECOND);
    return now;
  }

  bodyRead({ measured, info }: MeasuredRequest, bytes: number): void {
    if (measured === undefined) return;
    const verb = info.verb === 'deletecollection' ? 'delete_collection' : info.verb;
    this.#metrics.observe(families.requestBodySize, [measured.groupResource, verb], bytes);
  }

  sentEvent({ group, version, kind }: GroupVersionKind, bytes: number): void {
    const labels = [group, version, kind];
    this.#metrics.add(families.watchEvents, labels);
    this.#metrics.observe(families.watchEventSizes, labels, bytes);
  }

  /** A request is answered; what is read bit by bit counts when it has been read. @param now a reading of the clock, as `since` is */
  answered(exchange: MeasuredRequest, response: ApiResponse, since: number, now: number): ApiResponse {
    const { status, body } = response;
    if (body.type !== 'stream') {
      this.finished(exchange, status, since, body.type === 'bytes' ? body.length : 0, now);
      return response;
    }
    const lasting = body.finite === true ? undefined : this.#lasting(exchange);
    if (lasting) this.#metrics.add(families.longRunningRequests, lasting, 1);
    const stream = measuredStream(body.stream, exchange.request.signal, (bytes, isWhole) => {
      if (!lasting && !isWhole) this.#aborted(exchange);
      if (lasting) this.#metrics.add(families.longRunningRequests, lasting, -1);
      this.finished(exchange, status, since, bytes);
    });
    return { ...response, body: { ...body, stream } };
  }

  /** @param bytes of the answer; undefined where there are none, as its caller is in this process. */
  finished(
    exchange: MeasuredRequest,
    status: number,
    since: number,
    bytes: number | undefined,
    now = this.now(),
  ): void {
    const { measured, request, query, user } = exchange;
    if (measured === undefined) {
      if (status === 429) this.#dropped(exchange);
      return;
    }
    const seconds = (now - since) / SECOND;
    const route = this.#routeOf(cleanVerb(request, query, measured), cleanDryRun(query), measured);
    // As upstream: its series are there, and nothing is ever observed.
    this.#validations(cleanFieldValidation(query)).add(0);
    route.answered(status, seconds, seconds - exchange.waited / SECOND, measured.reads ? bytes : undefined);
    const { group, version, resource, subresource, deprecated } = measured;
    if (user.username === SELF) route.fromItself();
    if (deprecated)
      this.#metrics.set(
        families.requestedDeprecatedApis,
        [group, version, resource, subresource, deprecated.removed],
        1,
      );
  }

  #routeOf(verb: string, dryRun: string, measured: MeasuredRoute): RouteMeter {
    let byVerb = this.#routes.get(measured);
    if (!byVerb) this.#routes.set(measured, (byVerb = new Map()));
    const key = dryRun === '' ? verb : `${verb} ${dryRun}`;
    let route = byVerb.get(key);
    if (!route) {
      const { group, version, resource, subresource, scope, component } = measured;
      const labels = [verb, dryRun, group, version, resource, subresource, scope, component];
      byVerb.set(key, (route = new RouteMeter(this.#metrics, labels)));
    }
    return route;
  }

  /** Its time was up, and its handler is still at work. */
  late(answer: Promise<unknown>): void {
    const ended = (status: 'ok' | 'panic') => () =>
      this.#metrics.add(families.requestPostTimeout, ['timeout-handler', status]);
    answer.then(ended('ok'), (error: unknown) => ended(isApiError(error) ? 'ok' : 'panic')());
  }

  /** An answer that broke off. */
  #aborted({ measured, request, query }: MeasuredRequest): void {
    if (measured === undefined) return;
    const { group, version, resource, subresource, scope } = measured;
    const verb = cleanVerb(request, query, measured);
    this.#metrics.add(families.requestAborts, [verb, group, version, resource, subresource, scope]);
  }

  /** Refused before a handler was found. Of the path only what is served counts. */
  #dropped({ request, query, info, registry }: MeasuredRequest): void {
    const store = registry.find(info.group, info.version, info.resource);
    const { group, version, resource } = store?.resource.gvr ?? { group: '', version: '', resource: '' };
    const known = store !== undefined && Object.hasOwn(subresourcesOf(store.resource.definition), info.subresource);
    const at = { scope: scopeOf(info), subresource: known ? info.subresource : '', watches: info.special === 'watch' };
    const verb = cleanVerb(request, query, at);
    const rest = [group, version, resource, at.subresource, at.scope, 'apiserver', '429'];
    this.#metrics.add(families.requestTotal, [verb, cleanDryRun(query), ...rest]);
    this.#metrics.add(families.requestTerminations, [verb, ...rest]);
  }

  #lasting({ measured, request, query, info }: MeasuredRequest): LabelValues | undefined {
    if (measured === undefined) return undefined;
    const { group, version, resource, subresource, component } = measured;
    return [cleanVerb(request, query, measured), group, version, resource, subresource, scopeOf(info), component];
  }
}

/** The scope as the request says it, whatever its route. */
function scopeOf({ name, verb, namespace, resourceRequest }: RequestInfo): MeasuredRoute['scope'] {
  if (name !== '' || verb === 'create') return 'resource';
  if (namespace !== '') return 'namespace';
  return resourceRequest ? 'cluster' : '';
}

type SeriesOf = ReturnType<typeof seriesByLabel>;

/** What one outcome of a step is counted in. */
interface Outcome {
  readonly attempts: MetricSeries;
  readonly times: MetricSeries;
}
type Outcomes<L extends string> = Readonly<Record<L, Outcome>>;

function outcomesOf<L extends string>(
  metrics: Metrics,
  attempts: MetricFamily,
  times: MetricFamily,
  labels: readonly L[],
): Outcomes<L> {
  const series = labels.map((label) => [
    label,
    { attempts: metrics.series(attempts, [label]), times: metrics.series(times, [label]) },
  ]);
  return Object.fromEntries(series) as Outcomes<L>; // one of each
}
