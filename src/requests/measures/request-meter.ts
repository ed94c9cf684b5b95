import type { AuthenticationResult } from '../../authentication/authenticator.js';
import type { Decision } from '../../authorization/authorizer.js';
import { isApiError } from '../../meta/api-error.js';
import { type Clock, reading } from '../../meta/clock.js';
import type { GroupVersionKind } from '../../meta/group-version.js';
import type { Query } from '../../meta/query.js';
import type { UserInfo } from '../../meta/user-info.js';
import {
  type LabelValues,
  type MetricEntries,
  type MetricSeries,
  type Metrics,
  noSeries,
} from '../../metrics/metrics.js';
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
  /** By what callers are counted as, or why there is none. */
  readonly #authentications = new Map<string, MetricEntries>();
  /** By the authorizer's name and the decision. */
  readonly #authorizations = new Map<string, Map<string, MetricEntries>>();
  /** By the verb, by what runs dry, and by how fields are checked. */
  readonly #routes = new WeakMap<MeasuredRoute, Map<string, RouteMeter>>();
  // What was looked up last.
  #caller: { readonly result: AuthenticationResult; readonly entries: MetricEntries } | undefined;
  #decision: { readonly authorizer: string; readonly label: string; readonly entries: MetricEntries } | undefined;
  #call: { readonly measured: MeasuredRoute; readonly route: RouteMeter } | undefined;
  /** Where the times of the pipeline's steps are counted; undefined until it first runs. */
  filters: readonly (MetricSeries | undefined)[] | undefined;
  #passes: MetricEntries | undefined;

  /** @param limits of requests that are served at once, where these numbers alone decide */
  constructor(metrics: Metrics, clock: Clock, limits?: Readonly<Record<RequestKind, number>>) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.traffic = new Traffic(metrics, clock, limits);
  }

  /** A reading, in milliseconds, for what is measured from now on. */
  now(): number {
    return reading(this.#clock);
  }

  /** Where the times of a step are counted. @param name as in the label */
  filter(name: string): MetricSeries {
    return this.#metrics.series(families.filterDuration, [name]);
  }

  /** Steps took no time that was measured. @param steps a bit for each, by its place */
  passed(steps: number): void {
    this.#passes ??= this.#metrics.entries((bits) => {
      for (const [i, filter] of (this.filters ?? []).entries()) if ((bits & (1 << i)) !== 0) filter?.observe(0);
    });
    this.#passes.add(steps);
  }

  /** A caller was looked for; returns the reading up to which that is measured. */
  authenticated(result: AuthenticationResult, since: number): number {
    const now = this.now();
    // Most callers are the same as the one before.
    if (this.#caller?.result !== result) this.#caller = { result, entries: this.#authentication(result) };
    this.#caller.entries.add((now - since) / SECOND);
    return now;
  }

  #authentication(result: AuthenticationResult): MetricEntries {
    const { outcome } = result;
    const username = outcome === 'authenticated' ? cleanUsername(result.user.username) : undefined;
    const key = username ?? `not ${outcome}`;
    let entries = this.#authentications.get(key);
    if (entries === undefined)
      this.#authentications.set(key, (entries = this.#authenticationEntries(outcome, username)));
    return entries;
  }

  #authenticationEntries(outcome: AuthenticationResult['outcome'], username: string | undefined): MetricEntries {
    const metrics = this.#metrics;
    const label = outcome === 'authenticated' ? 'success' : outcome === 'skipped' ? 'failure' : 'error';
    const users = username === undefined ? noSeries : metrics.series(families.authenticatedUserRequests, [username]);
    const attempts = metrics.series(families.authenticationAttempts, [label]);
    const times = metrics.series(families.authenticationDuration, [label]);
    return metrics.entries((seconds) => {
      users.add();
      attempts.add();
      times.observe(seconds);
    });
  }

  /** It was decided about a request; returns the reading up to which that is measured. */
  authorized(decision: Decision, since: number): number {
    const now = this.now();
    const refused =
      'error' in decision && decision.error ? 'error' : decision.decision === 'Deny' ? 'denied' : 'no-opinion';
    const label = decision.decision === 'Allow' ? 'allowed' : refused;
    const authorizer = decision.decision === 'NoOpinion' ? PRIVILEGED : (decision.authorizer ?? '');
    const last = this.#decision;
    if (last?.authorizer !== authorizer || last.label !== label)
      this.#decision = { authorizer, label, entries: this.#authorization(authorizer, label) };
    this.#decision?.entries.add((now - since) / SECOND);
    return now;
  }

  #authorization(authorizer: string, label: string): MetricEntries {
    const metrics = this.#metrics;
    let known = this.#authorizations.get(authorizer);
    if (known === undefined) this.#authorizations.set(authorizer, (known = new Map()));
    let entries = known.get(label);
    if (entries === undefined) {
      const type = AUTHORIZER_TYPES.get(authorizer) ?? 'Webhook';
      const labels = [type, authorizer, label];
      const decisions = authorizer === PRIVILEGED ? noSeries : metrics.series(families.authorizationDecisions, labels);
      const attempts = metrics.series(families.authorizationAttempts, [label]);
      const times = metrics.series(families.authorizationDuration, [label]);
      entries = metrics.entries((seconds) => {
        decisions.add();
        attempts.add();
        times.observe(seconds);
      });
      known.set(label, entries);
    }
    return entries;
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
    const { measured, user } = exchange;
    if (measured === undefined) {
      if (status === 429) this.#dropped(exchange);
      return;
    }
    const seconds = (now - since) / SECOND;
    const route = this.#routeOf(exchange, measured);
    route.answered(status, seconds, exchange.waited / SECOND, measured.reads ? bytes : undefined);
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
    const last = this.#call;
    // Most calls are like the one before; of these only the route and the method count.
    const isPlain = method === 'GET' && request.query === '';
    if (isPlain && last?.measured === measured) return last.route;
    let routes = this.#routes.get(measured);
    if (!routes) this.#routes.set(measured, (routes = new Map()));
    const verb = cleanVerb(request, query, measured);
    const dryRun = cleanDryRun(query);
    const level = cleanFieldValidation(query);
    const key = dryRun === '' && level === '' ? verb : `${verb} ${dryRun} ${level}`;
    let route = routes.get(key);
    if (!route) {
      const { group, version, resource, subresource, scope, component } = measured;
      const labels = [verb, dryRun, group, version, resource, subresource, scope, component];
      routes.set(key, (route = new RouteMeter(this.#metrics, labels, level)));
    }
    if (isPlain) this.#call = { measured, route };
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
