import type { Host } from '../../meta/host.js';
import type { ApiRequest } from '../../requests/api-request.js';
import type { Result } from '../../requests/result.js';
import type { ClientAnswer } from '../connection.js';
import { responseFrom } from '../fetch.js';
import { failedAnswer } from './failed-answer.js';
import { answerOf } from './read-answer.js';
import { RemoteWatch } from './remote-watch.js';
import { WatchPosition } from './watch-position.js';

type Relayed = Extract<Result, { type: 'relayed' }>;

/**
 * Converts another server's response to the form that in-process callers get.
 * @param reopen sends a request to that server once more, so that a broken watch continues.
 * @throws ApiError for a failure
 */
export async function relayedAnswer(
  request: ApiRequest,
  result: Relayed,
  { dialect, clock, random }: Pick<Host, 'dialect' | 'clock' | 'random'>,
  reopen: (request: ApiRequest) => Promise<Result>,
): Promise<ClientAnswer> {
  const response = responseFrom(result);
  const parameters = new URLSearchParams(request.query);
  if (parameters.get('watch') !== 'true' || !response.ok) {
    const text = await response.text();
    if (!response.ok) throw failedAnswer(request.method, response, text);
    return answerOf(text);
  }
  const seconds = parameters.get('timeoutSeconds');
  let first: Response | undefined = response;
  const watch = await RemoteWatch.open({
    position: new WatchPosition(parameters, `${dialect.bareDomain}/initial-events-end`),
    open: async (watchQuery, signal) => {
      const firstResponse = first;
      first = undefined;
      if (firstResponse) return firstResponse;
      const next = await reopen({ ...request, query: String(watchQuery), signal });
      if (next.type === 'relayed' && next.status === 200) return responseFrom(next);
      throw new Error('the server has ended the watch');
    },
    clock,
    random,
    bookmarks: parameters.get('allowWatchBookmarks') === 'true',
    signal: request.signal,
    timeout: seconds === null ? undefined : Number(seconds) * 1000,
  });
  return { type: 'watch', watch };
}
