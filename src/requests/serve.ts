import { apiError, isApiError } from '../meta/api-error.js';
import { percentDecode } from '../meta/query.js';
import type { UserInfo } from '../meta/user-info.js';
import { respond } from './answers/respond.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import type { RequestEnvironment } from './environment.js';
import { openExchange, runPipeline } from './pipeline.js';
import { type Result, textResult } from './result.js';
import { endAudit, noteAnswer, noteFailure } from './steps/audit.js';
import { startDeadline } from './steps/deadline.js';
import { leaveFlight } from './steps/limit-in-flight.js';

/**
 * Answers a request as bytes: failures become Status answers.
 * @param user whose request it is, where that is known already: its credentials are not looked at.
 */
export async function answer(
  environment: RequestEnvironment,
  request: ApiRequest,
  user?: UserInfo,
): Promise<ApiResponse> {
  const deadline = startDeadline(environment, request);
  // Before everything else (spec 1.3); undefined for a broken escape.
  const path = percentDecode(request.path);
  const exchange = openExchange(request, path ?? request.path, environment, deadline, user);
  const response = await respond(exchange, async () =>
    path === undefined ? textResult(400, '400 Bad Request', false) : await runPipeline(exchange),
  );
  leaveFlight(exchange);
  const written = endAudit(exchange, response.status);
  if (written) await written;
  if (response.body.type !== 'stream') deadline.stop();
  return withoutBody(request, response);
}

/** Runs a request of an in-process caller and gives the result before it becomes bytes. @throws ApiError */
export async function execute(environment: RequestEnvironment, request: ApiRequest, user: UserInfo): Promise<Result> {
  const deadline = startDeadline(environment, request);
  const exchange = openExchange(request, percentDecode(request.path) ?? request.path, environment, deadline, user);
  const result = await runPipeline(exchange)
    .catch(async (error: unknown) => {
      noteFailure(exchange, error);
      await endAudit(exchange, isApiError(error) ? error.code : 500);
      throw error;
    })
    .finally(() => leaveFlight(exchange));
  noteAnswer(exchange, result);
  const written = endAudit(exchange, 'status' in result ? result.status : 200);
  if (written) await written;
  if (result.type !== 'watch') deadline.stop();
  if (result.type === 'raw' && result.status === 429)
    throw apiError.tooManyRequests(new TextDecoder().decode(result.body).trimEnd(), 1);
  if (result.type === 'raw' && result.status === 404) throw apiError.notServed(request.path);
  if (result.type === 'raw' && result.status >= 400) throw apiError.unknown(new TextDecoder().decode(result.body));
  return result;
}

function withoutBody({ method }: ApiRequest, response: ApiResponse): ApiResponse {
  if (method !== 'HEAD' || response.body.type === 'none') return response;
  if (response.body.type === 'stream') response.body.stream.close();
  return { ...response, body: { type: 'none' } };
}
