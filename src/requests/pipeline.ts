import { apiError } from '../meta/api-error.js';
import { parseQuery } from '../meta/query.js';
import { randomBelow } from '../meta/random.js';
import type { UserInfo } from '../meta/user-info.js';
import { encodeText, stringifyJson } from '../serialization/json/encode.js';
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

/** One step of the pipeline. The first step that returns a result or throws ends the request. */
export interface Step {
  readonly name: string;
  /** The name of the step in metrics. A step without one is not measured. */
  readonly filter?: string | ((hasFlowControl: boolean) => string | undefined);
  /** The step calls external services (webhooks, issuers) and has no time limit of its own, so the request's deadline applies. */
  readonly callsExternalServices?: true;
  /** Returns whether the step concerns a request. If it does not, the request passes it without a call. Default: it does. */
  readonly concerns?: (exchange: Exchange) => boolean;
  run(exchange: Exchange): Result | undefined | Promise<Result | undefined>;
}

/** The steps after {@link receive}, in the order in which they run (spec 1.1). */
export const pipeline: readonly Step[] = [
  { name: 'authenticate', filter: 'authentication', run: authenticate, callsExternalServices: true },
  {
    name: 'intercept',
    concerns: ({ environment: { interception } }) =>
      interception.interceptors.length > 0 || interception.observer !== undefined,
    run: intercept,
  },
  { name: 'audit', filter: 'audit', concerns: ({ environment }) => environment.audit !== undefined, run: audit },
  {
    name: 'impersonate',
    filter: 'impersonation',
    concerns: ({ request }) => request.headers.names('impersonate-').length > 0,
    run: impersonate,
    callsExternalServices: true,
  },
  {
    name: 'limit requests',
    filter: (hasFlowControl) => (hasFlowControl ? 'priorityandfairness' : undefined),
    run: limitRequests,
  },
  { name: 'authorize', filter: 'authorization', run: authorize, callsExternalServices: true },
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
  const early = receive(exchange);
  if (early) return early;
  const { meter } = exchange.environment;
  // The clock is read only after steps that waited, and by steps that measure themselves. The other steps take less time than reading the
  // clock, so their time counts towards the next step.
  let since = exchange.deadline.began;
  const filters = meter?.steps.filters;
  for (let i = 0; i < pipeline.length; i++) {
    const step = pipeline[i] as Step; // The loop keeps the index within the array, so the cast is safe.
    exchange.since = since;
    const answer = step.concerns?.(exchange) === false ? undefined : step.run(exchange);
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
    form: environment.plainForm,
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

/**
 * Reads what a request asks for, and answers those requests that need neither their caller nor a handler: during a shutdown, and preflight
 * requests of browsers.
 * @throws ApiError 400 if the parameter `timeout` is not a duration.
 */
function receive(exchange: Exchange): Result | undefined {
  const { environment, request, query, headers } = exchange;
  const { shutdown, browsers, goawayChance } = environment;
  if (shutdown.stage === 'retry' && !isExempt(exchange)) return rejectDuringShutdown(exchange);
  try {
    const url = request.query === '' ? request.path : `${request.path}?${request.query}`;
    exchange.info = parseRequestInfo(request.method, exchange.path, query, url);
  } catch (error) {
    return internalErrorResult(exchange, `failed to create RequestInfo: ${messageOf(error)}`);
  }
  // Browsers use HTTPS only, if configured (spec 1.13).
  const { strictTransportSecurity } = browsers;
  if (strictTransportSecurity !== undefined) headers['Strict-Transport-Security'] = strictTransportSecurity;
  if (goawayChance > 0 && request.http2) closeConnectionSoon(exchange);
  // The shutdown does not wait for long-running requests, and they have no deadline (spec 1.9, 1.12).
  if (!isLongRunning(exchange.info)) {
    if (shutdown.stage === 'unavailable' && !isExempt(exchange)) return refuseAtEnd();
    const timeout = query.first('timeout');
    if (timeout) readDeadline(exchange, timeout);
  }
  return browsers.allowOrigin && allowOrigin(exchange, browsers.allowOrigin);
}

/** Paths of health checks and metrics. They are served until the server has stopped. */
const EXEMPT: readonly string[] = ['/readyz', '/livez', '/healthz', '/metrics'];

/** Returns whether a request is served during the whole shutdown. */
function isExempt({ environment, request, path }: Exchange): boolean {
  // Requests with the user agent of an API server are exempt, too, because the server's requests to itself have it.
  const own = `${environment.host.dialect.apiServerName}/`;
  return (
    EXEMPT.some((prefix) => path.startsWith(prefix)) || request.headers.get('user-agent')?.startsWith(own) === true
  );
}

/** Answers a request during shutdown with 429, if configured (spec 1.12). */
function rejectDuringShutdown({ headers }: Exchange): Result {
  // Closing the connection makes the client reconnect, by then perhaps to another server.
  Object.assign(headers, { Connection: 'close', 'Retry-After': '5' });
  return textResult(429, 'The apiserver is shutting down, please try again later.\n');
}

/** Refuses a request that the shutdown would have to wait for (spec 1.12). */
function refuseAtEnd(): Result {
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '1', 'X-Content-Type-Options': 'nosniff' };
  // As in upstream, the body is JSON whatever was negotiated, and two newlines follow it.
  const body = encodeText(`${stringifyJson(apiError.serviceUnavailable('apiserver is shutting down').status)}\n\n`);
  return { type: 'raw', status: 503, headers, body: [body] };
}

/**
 * Applies the query parameter `timeout` if it is shorter than the default time limit; a value of 0 or less is ignored (spec 1.9).
 * @throws ApiError 400 if `timeout` is not a duration.
 */
function readDeadline({ deadline }: Exchange, timeout: string): void {
  try {
    const requestedTimeout = parseDuration(timeout);
    if (requestedTimeout > 0n) deadline.shorten(Number(requestedTimeout / NANOSECONDS_PER_MILLISECOND));
  } catch (error) {
    const why = messageOf(error);
    throw apiError.badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
}

/** CORS headers for pages of an allowed origin, as upstream lists them. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
};

/** Allows a browser page of a configured origin to read the response; answers a preflight request (spec 1.13). */
function allowOrigin({ request, headers }: Exchange, allows: (origin: string) => boolean): Result | undefined {
  const origin = request.headers.get('origin');
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
function closeConnectionSoon({ environment, headers }: Exchange): void {
  const { goawayChance, host } = environment;
  if (randomBelow(host.random, PARTS) < goawayChance * PARTS) headers['Connection'] = 'close';
}
