import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import { isApiError } from '../../meta/api-error.js';
import { type Clock, reading } from '../../meta/clock.js';
import type { GroupVersionKind } from '../../meta/group-version.js';
import type { Query } from '../../meta/query.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { LabelValues, Metrics } from '../../metrics/metrics.js';
import type { RegistrySnapshot } from '../../registry/served/registry-snapshot.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import type { RequestInfo, RequestKind } from '../request-info.js';
import { CallJournal, type MeasuredSteps, RouteMeter, StepMeter } from './call-journal.js';
import { measuredStream } from './measured-stream.js';
import * as families from './request-families.js';
import { cleanDryRun, cleanFieldValidation, cleanVerb, type MeasuredRoute, MeasuredRoutes } from './request-labels.js';
import { Traffic } from './traffic.js';

/** The user name of the server's own requests. */
const SELF = 'system:apiserver';

/** The parts of an exchange that are measured. */
interface MeasuredRequest extends MeasuredSteps {
  readonly request: ApiRequest;
  readonly query: Query;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly registry: RegistrySnapshot;
  /** The labels of the route; undefined if no route was found. */
  readonly measured: MeasuredRoute | undefined;
  /** Milliseconds in which the request waited for a seat or for webhooks. */
  readonly waited: number;
  /** A clock reading: the start of the current step, or its end if the step has already read the clock. */
  since: number;
  /** `over`: whether the request was answered with a timeout before its steps ended. `expired`: whether its time limit has passed. */
  readonly deadline: { readonly over: boolean; readonly expired: boolean };
}

/** The timeout that ended a request: that of all requests (`timeout-handler`), or that of writes (`rest-handler`). */
type TimeoutSource = 'timeout-handler' | 'rest-handler';

const GATEWAY_TIMEOUT = 504;
const TOO_MANY_REQUESTS = 429;
/** Milliseconds after which a handler that still runs past its timeout is counted as pending. */
const LATEST = 300_000;

/** Counts and measures the requests of a server. The series that every request updates are looked up once and cached. */
export class RequestMeter {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly traffic: Traffic;
  readonly steps: StepMeter;
  readonly routes = new MeasuredRoutes();
  readonly #calls: CallJournal;
  /** The meters of each route, by verb, dry run and field validation. */
  readonly #meters = new WeakMap<MeasuredRoute, Map<string, RouteMeter>>();
  /** The route of the most recent GET without a query, and its meter. The next such GET often has the same route. */
  #last: { readonly measured: MeasuredRoute; readonly route: RouteMeter } | undefined;

  /**
   * @param filterNames the name of each step of the pipeline in metrics
   * @param limits the maximum number of concurrent requests; undefined if flow control is on
   */
  constructor(
    metrics: Metrics,
    clock: Clock,
    filterNames: readonly (string | undefined)[],
    limits: Readonly<Record<RequestKind, number>> | undefined,
  ) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.traffic = new Traffic(metrics, clock, limits);
    this.steps = new StepMeter(metrics, filterNames);
    this.#calls = new CallJournal(metrics, this.steps);
  }

  /** Returns a clock reading in milliseconds, to measure durations with. */
  now(): number {
    return reading(this.#clock);
  }

  /** Records the result and duration of authentication. */
  authenticated(exchange: MeasuredRequest, result: AuthenticationResult): void {
    const now = this.now();
    exchange.authentication = result;
    exchange.authenticationTime = now - exchange.since;
    exchange.since = now;
    if (exchange.deadline.over) this.#calls.add(exchange);
  }

  /** Records the result and duration of authorization. */
  authorized(exchange: MeasuredRequest, decision: Decision): void {
    const now = this.now();
    exchange.authorization = decision;
    exchange.authorizationTime = now - exchange.since;
    exchange.since = now;
    if (exchange.deadline.over) this.#calls.add(exchange);
  }

  /** Records the results of the steps immediately, because the request may last long or may itself read the metrics. */
  noteSteps(exchange: MeasuredRequest): void {
    if (exchange.passed !== 0 || exchange.authentication || exchange.authorization) this.#calls.add(exchange);
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

  /**
   * Records a response; a streamed response is recorded when its reader has finished.
   * @param now a clock reading, like `since`
   */
  answered(exchange: MeasuredRequest, response: ApiResponse, since: number, now: number): ApiResponse {
    const { status, body } = response;
    if (body.type !== 'stream') {
      this.finished(exchange, status, since, body.type === 'bytes' ? body.length : 0, now);
      return response;
    }
    this.noteSteps(exchange);
    const longRunning = body.finite === true ? undefined : this.#longRunningLabels(exchange);
    if (longRunning) this.#metrics.add(families.longRunningRequests, longRunning, 1);
    const stream = measuredStream(body.stream, exchange.request.signal, (bytes, isWhole) => {
      if (!longRunning && !isWhole) this.#aborted(exchange);
      if (longRunning) this.#metrics.add(families.longRunningRequests, longRunning, -1);
      this.finished(exchange, status, since, bytes);
    });
    return { ...response, body: { ...body, stream } };
  }

  /**
   * Records the end of a request.
   * @param bytes the size of the response; undefined for an in-process caller, whose responses have no bytes.
   */
  finished(
    exchange: MeasuredRequest,
    status: number,
    since: number,
    bytes: number | undefined,
    now = this.now(),
  ): void {
    const { measured, user, deadline } = exchange;
    // Other responses with this status, such as that for a future resourceVersion, are not terminations.
    if (status === GATEWAY_TIMEOUT && deadline.expired) {
      this.terminated(exchange, 'apiserver', status);
      // Upstream's timeout handler also counts a handler that ended by itself when the time was up. One that still runs is tracked.
      if (!deadline.over) this.#metrics.add(families.requestPostTimeout, ['timeout-handler', 'ok']);
    }
    if (measured === undefined) {
      this.noteSteps(exchange);
      return;
    }
    const route = this.#routeOf(exchange, measured);
    this.#calls.add(exchange, route, status, now - since, exchange.waited, measured.reads ? bytes : undefined);
    const { group, version, resource, subresource, deprecated } = measured;
    if (user.username === SELF) route.fromItself();
    if (deprecated)
      this.#metrics.set(
        families.requestedDeprecatedApis,
        [group, version, resource, subresource, deprecated.removed],
        1,
      );
  }

  #routeOf({ request, query }: MeasuredRequest, measured: MeasuredRoute): RouteMeter {
    const { method } = request;
    const last = this.#last;
    // Most requests are GETs without a query on the same route as the previous request. The labels of such GETs depend on the route only.
    const isPlain = method === 'GET' && request.query === '';
    if (isPlain && last?.measured === measured) return last.route;
    let meters = this.#meters.get(measured);
    if (!meters) this.#meters.set(measured, (meters = new Map()));
    const verb = cleanVerb(request, query, measured);
    const dryRun = cleanDryRun(query);
    const level = cleanFieldValidation(query);
    const key = dryRun === '' && level === '' ? verb : `${verb} ${dryRun} ${level}`;
    let route = meters.get(key);
    if (!route) {
      const { group, version, resource, subresource, scope, component } = measured;
      const labels = [verb, dryRun, group, version, resource, subresource, scope, component];
      meters.set(key, (route = new RouteMeter(this.#metrics, labels, level)));
    }
    if (isPlain) this.#last = { measured, route };
    return route;
  }

  /**
   * Records the end of a handler that was still running when its request timed out. As in upstream, for the source `timeout-handler` an
   * ApiError of the handler counts as `ok`, and the wait for the handler has no time limit.
   */
  trackAbandoned(source: TimeoutSource, answer: Promise<unknown>): void {
    let stop: (() => void) | undefined;
    const ended = (status: 'ok' | 'error' | 'panic' | 'pending') => {
      if (status !== 'pending') stop?.();
      if (!isOver) this.#metrics.add(families.requestPostTimeout, [source, status]);
      isOver = true;
    };
    let isOver = false;
    const refused = source === 'rest-handler' ? 'error' : 'ok';
    if (source === 'rest-handler')
      stop = this.#clock.setTimer(() => ended('pending'), LATEST, false, 'count of an abandoned request');
    answer.then(
      () => ended('ok'),
      (error: unknown) => ended(isApiError(error) ? refused : 'panic'),
    );
  }

  #aborted({ measured, request, query }: MeasuredRequest): void {
    if (measured === undefined) return;
    const { group, version, resource, subresource, scope } = measured;
    const verb = cleanVerb(request, query, measured);
    this.#metrics.add(families.requestAborts, [verb, group, version, resource, subresource, scope]);
  }

  /** Records a request that the server ended to protect itself. Its labels are those of its path, whatever its route. */
  terminated(exchange: MeasuredRequest, component: 'apiserver' | 'aggregator', status: number): void {
    const [verb, ...rest] = this.#labelsByPath(exchange);
    this.#metrics.add(families.requestTerminations, [verb, ...rest, component, String(status)]);
  }

  /**
   * Records a request that a limit refused before its handler was found. Other responses with the same status are not counted, such as those
   * during the shutdown and those of another server.
   */
  dropped(exchange: MeasuredRequest): void {
    const [verb, ...rest] = this.#labelsByPath(exchange);
    const status = String(TOO_MANY_REQUESTS);
    this.#metrics.add(families.requestTotal, [verb, cleanDryRun(exchange.query), ...rest, 'apiserver', status]);
    this.terminated(exchange, 'apiserver', TOO_MANY_REQUESTS);
  }

  /**
   * Returns the labels from `verb` to `scope` for the path of a request. They contain only resources, subresources and paths that exist, so
   * that callers cannot create arbitrary metric series.
   */
  #labelsByPath({ request, query, info, registry, measured }: MeasuredRequest): readonly [string, ...string[]] {
    const store = registry.find(info.group, info.version, info.resource);
    const { group, version, resource } = store?.resource.gvr ?? { group: '', version: '', resource: '' };
    const known = store !== undefined && Object.hasOwn(store.resource.definition.subresources ?? {}, info.subresource);
    const path = info.resourceRequest ? '' : (measured?.subresource ?? '');
    const at = {
      scope: scopeOf(info),
      subresource: known ? info.subresource : path,
      watches: info.special === 'watch',
    };
    return [cleanVerb(request, query, at), group, version, resource, at.subresource, at.scope];
  }

  #longRunningLabels({ measured, request, query, info }: MeasuredRequest): LabelValues | undefined {
    if (measured === undefined) return undefined;
    const { group, version, resource, subresource, component } = measured;
    return [cleanVerb(request, query, measured), group, version, resource, subresource, scopeOf(info), component];
  }
}

/** Returns the metric label `scope` for the path of a request, whatever its route. */
function scopeOf({ name, verb, namespace, resourceRequest }: RequestInfo): MeasuredRoute['scope'] {
  if (name !== '' || verb === 'create') return 'resource';
  if (namespace !== '') return 'namespace';
  return resourceRequest ? 'cluster' : '';
}
