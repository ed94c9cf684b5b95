import { apiError } from '../meta/api-error.js';
import { parseQuery } from '../meta/query.js';
import { randomBelow } from '../meta/random.js';
import type { UserInfo } from '../meta/user-info.js';
import { encodeText, stringifyJson } from '../serialization/json/encode.js';
import { mediaTypesOf } from '../serialization/media-type.js';
import { parseDuration } from '../values/duration.js';
import { messageOf } from '../values/message-of.js';
import { internalErrorResult } from './answers/internal-error.js';
import type { ApiRequest } from './api-request.js';
import { dispatch } from './dispatch.js';
import type { RequestEnvironment } from './environment.js';
import type { Exchange, LocalCaller } from './exchange.js';
import { isLongRunning, nonResourceInfo, parseRequestInfo } from './request-info.js';
import { emptyResult, type Result, textResult } from './result.js';
import { audit } from './steps/audit.js';
import { authenticate } from './steps/authenticate.js';
import { authorize } from './steps/authorize.js';
import { Deadline } from './steps/deadline.js';
import { impersonate } from './steps/impersonate.js';
import { intercept } from './steps/intercept.js';
import { limitRequests } from './steps/limit-requests.js';
import { proxyToAggregated } from './steps/proxy-to-aggregated.js';

/** One step of the pipeline. The first step that returns a result or throws ends the request. */
export interface Step {
  readonly name: string;
  /** The name of the step in metrics. A step without one is not measured. */
  readonly filter?: string | ((hasFlowControl: boolean) => string | undefined);
  /** The step calls external services (webhooks, issuers) and has no time limit of its own, so the request's deadline applies. */
  readonly callsExternalServices?: true;
  run(exchange: Exchange): Result | undefined | Promise<Result | undefined>;
}

/** All steps, in the order in which they run (spec 1.1). */
export const pipeline: readonly Step[] = [
  { name: 'reject during shutdown', run: rejectDuringShutdown },
  { name: 'request info', run: readRequestInfo },
  { name: 'demand https', run: demandHttps },
  { name: 'close connection soon', run: closeConnectionSoon },
  { name: 'refuse at end', run: refuseAtEnd },
  { name: 'deadline', run: readDeadline },
  { name: 'allow origin', run: allowOrigin },
  { name: 'authenticate', filter: 'authentication', run: authenticate, callsExternalServices: true },
  { name: 'intercept', run: intercept },
  { name: 'audit', filter: 'audit', run: audit },
  { name: 'impersonate', filter: 'impersonation', run: impersonate, callsExternalServices: true },
  {
    name: 'limit requests',
    filter: (hasFlowControl) => (hasFlowControl ? 'priorityandfairness' : undefined),
    run: limitRequests,
  },
  { name: 'authorize', filter: 'authorization', run: authorize, callsExternalServices: true },
  { name: 'proxy to aggregated', run: proxyToAggregated },
  { name: 'dispatch', run: dispatch },
];

/** Returns the name of each step in metrics, by index; undefined for a step that is not measured. */
export const filterNames = (hasFlowControl: boolean): readonly (string | undefined)[] =>
  pipeline.map(({ filter }) => (typeof filter === 'function' ? filter(hasFlowControl) : filter));

/**
 * Runs a request through the pipeline.
 * @throws ApiError, or whatever a handler throws.
 */
export async function runPipeline(exchange: Exchange): Promise<Result> {
  const { environment } = exchange;
  const { meter } = environment;
  // The clock is read only after steps that waited, and by steps that measure themselves. The other steps take less time than reading the
  // clock, so their time counts towards the next step.
  let since = exchange.deadline.began;
  const filters = meter?.steps.filters;
  for (let i = 0; i < pipeline.length; i++) {
    const step = pipeline[i] as Step; // The loop keeps the index within the array, so the cast is safe.
    exchange.since = since;
    const answer = step.run(exchange);
    const result =
      answer instanceof Promise
        ? await (step.callsExternalServices ? exchange.deadline.within(answer) : answer)
        : answer;
    if (result) return result;
    const filter = filters?.[i];
    if (!meter || filter === undefined) continue;
    // The step has stored its own clock reading in the exchange, or it did not wait, so the clock is not read.
    if (exchange.since > since || !(answer instanceof Promise)) {
      exchange.passed |= 1 << i;
      since = exchange.since;
      continue;
    }
    const now = meter.now();
    filter.observe((now - since) / SECOND);
    since = now;
  }
  throw new TypeError('the pipeline ended without a response');
}

const SECOND = 1000;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
const NO_USER: UserInfo = { username: '' };
const NO_INFO = nonResourceInfo('', '');

/**
 * Opens an exchange, and starts the time limit of its request.
 * @param path the percent-decoded path
 */
export function openExchange(
  request: ApiRequest,
  path: string,
  environment: RequestEnvironment,
  caller: LocalCaller | undefined,
): Exchange {
  return {
    request,
    environment,
    registry: environment.registry.current,
    path,
    query: parseQuery(request.query),
    info: NO_INFO,
    user: NO_USER,
    form: { mediaType: mediaTypesOf(environment.host.dialect)[0], pretty: false },
    warnings: new Set(),
    annotations: undefined,
    headers: {},
    deadline: new Deadline(environment, request),
    pause: undefined,
    caller,
    interference: undefined,
    measured: undefined,
    since: 0,
    waited: 0,
    authentication: undefined,
    authorization: undefined,
    authenticationTime: 0,
    authorizationTime: 0,
    passed: 0,
    slot: undefined,
    flow: undefined,
    longRunningSlot: undefined,
    auditId: '',
    auditDecided: false,
    audit: undefined,
    observer: undefined,
  };
}

/** Paths of health checks and metrics. They are served until the server has stopped. */
const EXEMPT: readonly string[] = ['/readyz', '/livez', '/healthz', '/metrics'];

/** Answers a request during shutdown with 429, if configured (spec 1.12). */
function rejectDuringShutdown(exchange: Exchange): Result | undefined {
  if (exchange.environment.shutdown.stage !== 'retry' || isExempt(exchange)) return undefined;
  // Closing the connection makes the client reconnect, by then perhaps to another server.
  Object.assign(exchange.headers, { Connection: 'close', 'Retry-After': '5' });
  return textResult(429, 'The apiserver is shutting down, please try again later.\n');
}

/**
 * Refuses a request that the shutdown would have to wait for. Long-running requests pass, because the shutdown does not wait for them (spec
 * 1.12).
 */
function refuseAtEnd(exchange: Exchange): Result | undefined {
  const { environment, info } = exchange;
  if (environment.shutdown.stage !== 'unavailable' || isLongRunning(info) || isExempt(exchange)) return undefined;
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '1', 'X-Content-Type-Options': 'nosniff' };
  // As in upstream, the body is JSON whatever was negotiated, and two newlines follow it.
  const body = encodeText(`${stringifyJson(apiError.serviceUnavailable('apiserver is shutting down').status)}\n\n`);
  return { type: 'raw', status: 503, headers, body: [body] };
}

function isExempt({ environment, request, path }: Exchange): boolean {
  // Requests with the user agent of an API server are exempt, too, because the server's requests to itself have it.
  const own = `${environment.host.dialect.apiServerName}/`;
  return (
    EXEMPT.some((prefix) => path.startsWith(prefix)) || request.headers.get('user-agent')?.startsWith(own) === true
  );
}

function readRequestInfo(exchange: Exchange): Result | undefined {
  try {
    const { method, path, query } = exchange.request;
    exchange.info = parseRequestInfo(method, exchange.path, exchange.query, query === '' ? path : `${path}?${query}`);
    return undefined;
  } catch (error) {
    const why = messageOf(error);
    return internalErrorResult(exchange, `failed to create RequestInfo: ${why}`);
  }
}

/**
 * Applies the query parameter `timeout` if it is shorter than the default time limit; a value of 0 or less is ignored (spec 1.9).
 * @throws ApiError 400 if `timeout` is not a duration.
 */
function readDeadline({ query, info, deadline }: Exchange): undefined {
  if (isLongRunning(info)) return undefined;
  const timeout = query.first('timeout');
  if (timeout === undefined || timeout === '') return undefined;
  try {
    const requestedTimeout = parseDuration(timeout);
    if (requestedTimeout > 0n) deadline.shorten(Number(requestedTimeout / NANOSECONDS_PER_MILLISECOND));
  } catch (error) {
    const why = messageOf(error);
    throw apiError.badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
  return undefined;
}

/** CORS headers for pages of an allowed origin, as upstream lists them. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
};

/** Asks browsers to use HTTPS only, if configured (spec 1.13). */
function demandHttps({ environment, headers }: Exchange): undefined {
  const { strictTransportSecurity } = environment.browsers;
  if (strictTransportSecurity !== undefined) headers['Strict-Transport-Security'] = strictTransportSecurity;
  return undefined;
}

/** Allows a browser page of a configured origin to read the response; answers a preflight request (spec 1.13). */
function allowOrigin({ environment, request, headers }: Exchange): Result | undefined {
  const { allowOrigin: allows } = environment.browsers;
  const origin = allows && request.headers.get('origin');
  // The promise of an async function would count as true.
  if (!origin || allows(origin) !== true) return undefined;
  Object.assign(headers, { 'Access-Control-Allow-Origin': origin, ...CROSS_ORIGIN });
  return request.method === 'OPTIONS' ? emptyResult(204) : undefined;
}

/** The number of values from which the random number is drawn. */
const PARTS = 1_000_000;

/**
 * Ends an HTTP/2 connection after this response at random, so that its client reconnects, perhaps to another server (spec 1.14). Other
 * requests on the connection are still answered.
 */
function closeConnectionSoon({ environment, request, headers }: Exchange): undefined {
  const { goawayChance, host } = environment;
  if (goawayChance > 0 && request.http2 && randomBelow(host.random, PARTS) < goawayChance * PARTS)
    headers['Connection'] = 'close';
  return undefined;
}
