import type { CoreApiServer } from '../../server/core-api-server.js';
import {
  type MinimalRolesOptions,
  minimalRoles,
  noHotLoop,
  nothingForbidden,
  notReceived,
  noWriteOnStaleRead,
  type RecordedMatcher,
  type RecordedRequest,
  type RequestLog,
  received,
  recordRequests,
} from '../../testing/index.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { messageOf } from '../../values/message-of.js';
import { type KitAnswer, type KitRoutes, problem } from './kit-routes.js';

/**
 * The body of a request for a check of the log, as a program in another language sends it. Its types are not verified at this point,
 * because each check verifies the members that it reads.
 */
interface CheckBody {
  readonly match?: RecordedMatcher;
  readonly times?: number;
  readonly atLeast?: number;
  readonly within?: number;
}

interface Check {
  readonly takes: readonly (keyof CheckBody)[];
  run(log: RequestLog, body: CheckBody): void;
}

/** The checks of the log, by the name in the path of the request. */
const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'received',
    {
      takes: ['match', 'times', 'atLeast'],
      run: (log, { match = {}, ...counts }) => void received(log, match, counts),
    },
  ],
  ['not-received', { takes: ['match'], run: (log, { match = {} }) => notReceived(log, match) }],
  ['nothing-forbidden', { takes: ['match'], run: (log, { match }) => nothingForbidden(log, match) }],
  ['no-hot-loop', { takes: ['match', 'times', 'within'], run: (log, options) => noHotLoop(log, options) }],
  ['no-write-on-stale-read', { takes: ['match'], run: (log, { match }) => noWriteOnStaleRead(log, match) }],
]);

/** The maximum number of recorded requests that a response of GET contains. They are the most recent ones. */
const PAGE = 1000;

/**
 * Serves the log of a server's requests. POST starts recording, GET reads the log or one request, DELETE stops recording and deletes the
 * log, and POST to the name of a check returns whether the check passes.
 */
export function requestRoutes(server: CoreApiServer): KitRoutes & { stop(): void } {
  let log: RequestLog | undefined;

  function begin(body: unknown): KitAnswer {
    if (log) return problem(409, 'requests are already being recorded: stop that with DELETE /requests');
    log = recordRequests(server, (body ?? {}) as object); // `recordRequests` validates its options.
    return { status: 201, body: stateOf(log) };
  }

  function post(recorded: RequestLog, name: string, body: unknown): KitAnswer | undefined {
    const sent: object = typeof body === 'object' && body !== null ? body : {};
    if (name === 'minimal-roles') {
      const { user, ...options } = sent as { readonly user?: unknown } & MinimalRolesOptions;
      if (typeof user !== 'string') throw new TypeError('user must be the name of a user');
      try {
        return { status: 200, body: minimalRoles(recorded, user, options) };
      } catch (error) {
        // If the log has no request of the user, `minimalRoles` throws an Error that is not a TypeError. This case is a bad request as
        // well.
        return problem(400, messageOf(error));
      }
    }
    const check = CHECKS.get(name);
    if (!check) return undefined;
    refuseUnknownMembers(name, sent, check.takes);
    try {
      check.run(recorded, sent);
      return { status: 200, body: { passed: true } };
    } catch (error) {
      if (error instanceof TypeError) throw error;
      return { status: 200, body: { passed: false, message: messageOf(error) } };
    }
  }

  const routes: KitRoutes = (method, [name, ...more], body) => {
    if (more.length > 0) return undefined;
    if (name === undefined && method === 'POST') return begin(body);
    if (!log) return problem(404, 'no requests are being recorded: start that with POST /requests');
    if (name === undefined && method === 'GET') return { status: 200, body: stateOf(log) };
    if (name === undefined && method === 'DELETE') {
      log.stop();
      log = undefined;
      return { status: 200, body: { requests: [] } };
    }
    if (name === undefined) return undefined;
    if (method === 'POST') return post(log, name, body);
    if (method !== 'GET' || !/^\d+$/.test(name)) return undefined;
    const request = log.get(Number(name));
    return request ? { status: 200, body: request.toJSON() } : problem(404, `the log has no request ${name}`);
  };
  return Object.assign(routes, { stop: () => log?.stop() });
}

/**
 * Returns the counters of a log and summaries of its last requests. Summaries do not contain objects; a GET of one request by number
 * returns its objects.
 */
function stateOf(log: RequestLog): object {
  const { size, dropped, bytes } = log;
  return { size, dropped, bytes, requests: [...log].slice(-PAGE).map(summaryOf) };
}

function summaryOf(request: RecordedRequest): object {
  const { number, time, duration, user, userAgent, verb, group, version, resource, subresource } = request;
  const { namespace, name, path, query, status, reason, message, resourceVersion, count, watch, authorization } =
    request;
  return {
    number,
    time: new Date(time).toISOString(),
    duration,
    user: user.username,
    userAgent,
    verb,
    group,
    version,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    path,
    query,
    status,
    reason,
    message,
    resourceVersion,
    count,
    watch,
    decision: authorization?.decision,
  };
}
