import type { UserInfo } from '../meta/user-info.js';
import { loadedOnce } from '../values/once.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import type { RequestEnvironment } from './environment.js';
import type { Result } from './result.js';

type Serving = typeof import('./serve.js');

/** The pipeline with all its handlers: a server is there before somebody asks it. */
const serving = loadedOnce<Serving>(() => import('./serve.js'));

/**
 * Answers a request as bytes: failures become Status answers.
 * @param user whose request it is, where that is known already: its credentials are not looked at.
 */
export function answer(environment: RequestEnvironment, request: ApiRequest, user?: UserInfo): Promise<ApiResponse> {
  const loaded = serving();
  return loaded instanceof Promise
    ? whenLoaded(loaded, environment, ({ answer }) => answer(environment, request, user))
    : loaded.answer(environment, request, user);
}

/** Runs a request of an in-process caller and gives the result before it becomes bytes. @throws ApiError */
export function execute(environment: RequestEnvironment, request: ApiRequest, user: UserInfo): Promise<Result> {
  const loaded = serving();
  if (!(loaded instanceof Promise)) return loaded.execute(environment, request, user);
  return whenLoaded(loaded, environment, ({ execute }) => execute(environment, request, user));
}

/** A request that waits for this counts as being answered. */
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
