import type { UserInfo } from '../meta/user-info.js';
import { loadedOnce } from '../values/once.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import type { RequestEnvironment } from './environment.js';
import type { Result } from './result.js';

type Serving = typeof import('./serve.js');

/** The pipeline with all its handlers, loaded with the first request so that a server starts faster. */
const serving = loadedOnce<Serving>(() => import('./serve.js'));

/**
 * Answers a request as bytes; failures become Status answers.
 * @param user the user of the request, if known already: its credentials are ignored.
 */
export function answer(environment: RequestEnvironment, request: ApiRequest, user?: UserInfo): Promise<ApiResponse> {
  const loaded = serving();
  return loaded instanceof Promise
    ? whenLoaded(loaded, environment, ({ answer }) => answer(environment, request, user))
    : loaded.answer(environment, request, user);
}

/**
 * Runs a request of an in-process caller and returns the result before it becomes bytes.
 * @throws ApiError
 */
export function execute(environment: RequestEnvironment, request: ApiRequest, user: UserInfo): Promise<Result> {
  const loaded = serving();
  if (!(loaded instanceof Promise)) return loaded.execute(environment, request, user);
  return whenLoaded(loaded, environment, ({ execute }) => execute(environment, request, user));
}

/** Counts a request that waits for the pipeline to load as in flight, so that a shutdown waits for it. */
async function whenLoaded<T>(
  loading: Promise<Serving>,
  { shutdown }: RequestEnvironment,
  begin: (serving: Serving) => Promise<T>,
): Promise<T> {
  shutdown.enter();
  try {
    return await begin(await loading);
  } finally {
    shutdown.leave();
  }
}
