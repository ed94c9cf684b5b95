import { sourceAddresses } from '../../audit/source-addresses.js';
import { type ApiError, isApiError, redactedStatus } from '../../meta/api-error.js';
import { randomUuid } from '../../meta/random.js';
import { requestsWebSocket } from '../../meta/request-headers.js';
import type { Status } from '../../meta/status.js';
import { aroundItems, nullList } from '../../serialization/format.js';
import { messageOf } from '../../values/message-of.js';
import { ParseError } from '../../values/parse-error.js';
import { internalErrorResult } from '../answers/internal-error.js';
import { acceptsStatus } from '../answers/negotiate-route.js';
import { transformResult } from '../answers/transform.js';
import { CallerGoneError } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import { RequestAudit } from '../request-audit.js';
import type { RequestObserver } from '../request-observer.js';
import { listHead, type Result } from '../result.js';

/** The length above which a user agent is cut. */
const MAX_USER_AGENT = 1024;

/** Returns the ID of a request's response and audit events: the one that the caller sent, or a generated one. */
export function auditIdOf(exchange: Exchange): string {
  const { request, environment } = exchange;
  exchange.auditId ||= request.headers.get('audit-id') || randomUuid(environment.host.random);
  return exchange.auditId;
}

/** Passes the result to the audit events, the interceptors and the observer of a request. */
export function noteAnswer(exchange: Exchange, result: Result): void {
  if (exchange.environment.audit) auditAnswer(exchange, result);
  exchange.interference?.observe?.({ result });
  const observer = exchange.observer ?? (exchange.environment.interception.observer && lateObserver(exchange));
  observer?.answered(result);
}

/** Passes the reason of a failure to the audit events, the interceptors and the observer of a request. */
export function noteFailure(exchange: Exchange, error: unknown, known?: ApiError): void {
  if (exchange.environment.audit) auditFailure(exchange, error, known);
  exchange.interference?.observe?.({ error: known ?? error });
  const observer = exchange.observer ?? (exchange.environment.interception.observer && lateObserver(exchange));
  observer?.failed(known ?? error);
}

/** Returns the observer of a request that ends before it is authenticated. */
function lateObserver(exchange: Exchange): RequestObserver | undefined {
  const { environment, info, user } = exchange;
  const { observer } = environment.interception;
  const isUnknown = user.username === '' && info.verb !== '';
  return observer !== undefined && isUnknown ? observer.observe(exchange) : undefined;
}

/** Evaluates the audit policy for an authenticated request, and records the first event (spec 23.3). */
export function audit(exchange: Exchange): Result | undefined | Promise<Result | undefined> {
  const opened = openAudit(exchange, false);
  if (!opened) return undefined;
  const wasRecorded = opened.begin();
  return typeof wasRecorded === 'boolean'
    ? refuseLost(exchange, wasRecorded)
    : exchange.deadline.withinLimit(wasRecorded).then((each) => refuseLost(exchange, each));
}

function refuseLost(exchange: Exchange, wasRecorded: boolean): Result | undefined {
  return wasRecorded ? undefined : internalErrorResult(exchange, 'failed to store audit event');
}

function openAudit(exchange: Exchange, early: boolean): RequestAudit | undefined {
  const { environment, info, request, user } = exchange;
  const { audit: trail } = environment;
  exchange.auditDecided = true;
  if (!trail) return undefined;
  const caller = early ? undefined : user;
  const decision = trail.decide(info, caller);
  if (decision.level === 'None') return undefined;
  const agent = request.headers.get('user-agent') ?? '';
  const noted = new RequestAudit(trail, decision, info, early);
  noted.auditID = auditIdOf(exchange);
  noted.requestURI = request.query === '' ? request.path : `${request.path}?${request.query}`;
  noted.user = caller;
  noted.sourceIPs = sourceAddresses(request.headers, request.remoteAddress);
  noted.userAgent = agent.length > MAX_USER_AGENT ? `${agent.slice(0, MAX_USER_AGENT)}...TRUNCATED` : agent;
  noted.received = trail.timeAt(exchange.deadline.began);
  if (exchange.annotations) noted.annotations = exchange.annotations;
  exchange.audit = noted;
  return noted;
}

/**
 * Returns the collected audit data of a request that failed; undefined if the request is not audited. For a request that fails before the
 * `audit` step, the collection begins here.
 */
function auditAtEnd(exchange: Exchange): RequestAudit | undefined {
  const { info } = exchange;
  const understood = info.verb !== '' || info.resourceRequest;
  if (!exchange.auditDecided && understood) openAudit(exchange, true);
  return exchange.audit;
}

/**
 * Records the result of a request. As in upstream, a request that gets a response before the `audit` step without having failed, such as a
 * preflight request, has no events.
 */
function auditAnswer(exchange: Exchange, result: Result): void {
  const { audit: noted } = exchange;
  if (!noted) return;
  switch (result.type) {
    case 'status':
      noted.responseStatus = statusOf(result.object);
      noted.response(result.object);
      break;
    case 'watch':
      noted.watch = result.watch;
      noted.upgrades = exchange.request.takesChannel === true && requestsWebSocket(exchange.request.headers);
      break;
    case 'document':
      if (result.indented !== true) noted.response(result.document);
      break;
    case 'object':
    case 'list':
      if (noted.keeps('RequestResponse')) noteObjects(exchange, noted, result);
      break;
    case 'raw':
  }
}

function noteObjects(
  exchange: Exchange,
  noted: RequestAudit,
  result: Extract<Result, { type: 'object' | 'list' }>,
): void {
  const { transform } = exchange.form;
  const shown = transform && transformResult(exchange, result, transform);
  if (!shown) {
    if (result.type === 'object') noted.response(result.object);
    else {
      const { before, after } = aroundItems(listHead(result), result.resource.definition.decoding === 'structural');
      noted.responseList(before, 'items', writtenItems(result), after);
    }
  } else if ('items' in shown) {
    const empty = nullList(shown);
    if (empty) noted.response(empty);
    else noted.responseList(shown.head, 'items', shown.items);
  } else if ('document' in shown) noted.response(shown.document);
  else {
    const { rows, ...head } = shown;
    noted.responseList(head, 'rows', rows);
  }
}

function* writtenItems({ items, resource }: Extract<Result, { type: 'list' }>): Generator<object> {
  if (resource.definition.listItemsCarryKind) yield* items;
  else for (const { kind: _kind, apiVersion: _version, ...rest } of items) yield rest;
}

/** Records why a request failed. An unexpected error is a fault of the server and gets the stage Panic. */
function auditFailure(exchange: Exchange, error: unknown, known?: ApiError): void {
  const noted = auditAtEnd(exchange);
  if (!noted) return;
  const failure = known ?? (isApiError(error) ? error : undefined);
  if (isApiError(error) || error instanceof ParseError || error instanceof CallerGoneError) {
    if (!failure) return;
    // As in upstream, a Status that is sent although the caller does not accept it is not recorded.
    if (!acceptsStatus(exchange)) {
      if (noted.early) noted.responseStatus = { metadata: {}, message: earlyFailure(exchange, failure) };
      return;
    }
    // Unlike upstream, only events with the response contain what its Status quotes from an object.
    noted.responseStatus = statusOf(noted.keeps('RequestResponse') ? failure.status : redactedStatus(failure));
    noted.response(failure.status);
    return;
  }
  noted.panicked = true;
  noted.responseStatus = {
    metadata: {},
    status: 'Failure',
    message: `APIServer panic'd: ${messageOf(error)}`,
    reason: 'InternalError',
  };
}

const UNAUTHORIZED = 401;

/** Returns why a request failed before it was authenticated. For failed authentication, that is which credentials it had. */
function earlyFailure({ request, query }: Exchange, { code, message }: ApiError): string {
  if (code !== UNAUTHORIZED) return message;
  const [scheme = '', credentials] = (request.headers.get('authorization') ?? '').trim().split(' ');
  const kind = credentials === undefined ? '' : scheme.toLowerCase();
  const attempted = [
    ...(kind === 'basic' || kind === 'bearer' ? [kind] : []),
    ...(query.first('access_token')?.trim() ? ['access_token'] : []),
    ...((request.peerCertificates?.length ?? 0) > 0 ? ['x509'] : []),
  ];
  return attempted.length === 0
    ? 'Authentication failed, no credentials provided'
    : `Authentication failed, attempted: ${attempted.join(', ')}`;
}

/** Returns the part of a Status that an event contains as its responseStatus. */
function statusOf({ status, message, reason, details }: Status): Partial<Status> {
  return {
    metadata: {},
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
  };
}
