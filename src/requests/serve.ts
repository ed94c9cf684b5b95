import { apiError, isApiError } from '../meta/api-error.js';
import { parseQuery, percentDecode } from '../meta/query.js';
import type { UserInfo } from '../meta/user-info.js';
import { failedStatusMessage } from '../outbound/failed-status.js';
import { answerOf, failureOf } from './answers/respond.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import type { RequestEnvironment } from './environment.js';
import type { Exchange, LocalCaller } from './exchange.js';
import type { Slot } from './in-flight.js';
import { connectionLost } from './interception.js';
import { measuredStream } from './measures/measured-stream.js';
import { openExchange, runPipeline } from './pipeline.js';
import { withLog } from './request-log.js';
import { type RawResult, type Result, textOf, textResult } from './result.js';
import { noteAnswer, noteFailure } from './steps/audit.js';
import { cutAnswer } from './steps/intercept.js';
import { releaseSlot } from './steps/limit-requests.js';

/** The number of bytes up to which upstream's HTTP library buffers a response and so knows its length. */
const MAX_COUNTED_BYTES = 2048;

/**
 * Serves a request and returns the encoded response. Errors are encoded as a Status.
 * @param user the user of the request, if it is already known; the credentials of the request are then ignored.
 */
export async function answer(
  environment: RequestEnvironment,
  request: ApiRequest,
  user?: UserInfo,
): Promise<ApiResponse> {
  const { meter } = environment;
  // The path is decoded before everything else (spec 1.3); it is undefined if an escape is broken.
  const path = percentDecode(request.path);
  const exchange = openExchange(request, path ?? request.path, environment, user && { user });
  const { deadline } = exchange;
  const inFlight = environment.shutdown.requests.add(exchange);
  let response: ApiResponse;
  try {
    const result = path === undefined ? textResult(400, '400 Bad Request', false) : await runPipeline(exchange);
    if (exchange.pause) await exchange.pause();
    response = answerOf(exchange, result);
  } catch (error) {
    response = failureOf(exchange, error);
  }
  environment.shutdown.leave(inFlight);
  const now = meter?.now();
  releaseSlot(exchange, now);
  if (exchange.info.verb === 'watch') exchange.query = WATCH;
  const { longRunningSlot } = exchange;
  if (longRunningSlot) response = withSlot(request, response, longRunningSlot);
  const written = exchange.audit?.end(response.status, now);
  if (written) await deadline.settled(written);
  if (response.body.type !== 'stream') deadline.stop();
  if (meter && now !== undefined) response = meter.answered(exchange, response, deadline.began, now);
  if (environment.logRequest) response = withLog(exchange, response, environment.logRequest);
  if (request.method === 'HEAD') response = withoutBody(response);
  const cutAfter = exchange.interference?.cutAfter;
  return cutAfter === undefined ? response : cutAnswer(response, cutAfter);
}

/**
 * Runs a request of an in-process caller and returns the result without encoding it.
 * @throws ApiError
 */
export async function execute(
  environment: RequestEnvironment,
  request: ApiRequest,
  caller: LocalCaller,
): Promise<Result> {
  const path = percentDecode(request.path) ?? request.path;
  const exchange = openExchange(request, path, environment, caller);
  const { deadline } = exchange;
  const { meter, shutdown } = environment;
  const inFlight = shutdown.requests.add(exchange);
  let result: Result | undefined;
  let failure: unknown;
  try {
    result = await runPipeline(exchange);
  } catch (error) {
    failure = error;
  }
  shutdown.leave(inFlight);
  releaseSlot(exchange);
  exchange.longRunningSlot?.release();
  if (result) noteAnswer(exchange, result);
  else noteFailure(exchange, failure);
  const code = result ? statusOf(result) : isApiError(failure) ? failure.code : 500;
  const written = exchange.audit?.end(code);
  if (written) await deadline.settled(written);
  // The end of an in-process watch is not visible here, so only its steps are recorded.
  if (result?.type === 'watch') meter?.noteSteps(exchange);
  else meter?.finished(exchange, code, deadline.began, undefined);
  // The body of a forwarded response still has to be read, within the time limit.
  if (result?.type !== 'relayed') deadline.end();
  refuseLost(exchange, result);
  if (!result) throw failure;
  if (result.type === 'raw') refuseFailed(result, request.path);
  return result;
}

const statusOf = (result: Result): number => ('status' in result ? result.status : 200);

/**
 * Throws the error that corresponds to a failed plain response, such as that of another server.
 * @throws ApiError for a status of 400 or above.
 */
function refuseFailed(result: RawResult, path: string): void {
  const { status, headers } = result;
  if (status < 400) return;
  const text = textOf(result);
  if (status === 429) throw apiError.tooManyRequests(text.trimEnd(), Number(headers['Retry-After'] ?? 1));
  if (status === 503) throw apiError.serviceUnavailable(failedStatusMessage(503, headers['Content-Type'] ?? '', text));
  if (status === 404) throw apiError.notServed(path);
  throw apiError.unknown(text);
}

/**
 * @throws RequestFailed if an interceptor breaks the connection of an in-process caller (`cutAfter`). A watch with `cutAfter` above 0 still
 * opens, because the event stream that the interceptor supplies (`Interference.watch`) breaks it later.
 */
function refuseLost({ interference, request }: Exchange, result?: Result): void {
  if (interference?.cutAfter === undefined) return;
  if (result?.type === 'watch') {
    if (interference.cutAfter > 0) return;
    result.watch.close();
  }
  throw connectionLost(request);
}

/** The query that replaces that of a watch when its response begins, so that the text of a long query can be freed. */
const WATCH = parseQuery('watch=true');

/** Releases the slot of a long-running request when its response has ended. */
function withSlot({ signal }: ApiRequest, response: ApiResponse, slot: Slot): ApiResponse {
  const { body } = response;
  if (body.type === 'stream')
    return { ...response, body: { ...body, stream: measuredStream(body.stream, signal, () => slot.release()) } };
  slot.release();
  return response;
}

/** Returns the response to a HEAD request. */
function withoutBody(response: ApiResponse): ApiResponse {
  const { status, headers, body } = response;
  if (body.type === 'none') return response;
  if (body.type === 'stream') body.stream.close();
  // As in upstream, the response to a HEAD request has a Content-Length only if the body is short.
  const counted = body.type === 'bytes' && body.length <= MAX_COUNTED_BYTES && !('Content-Length' in headers);
  return {
    status,
    headers: counted ? { ...headers, 'Content-Length': String(body.length) } : headers,
    body: { type: 'none' },
  };
}
