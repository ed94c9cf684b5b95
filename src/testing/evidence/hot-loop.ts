import { equalJson } from '../../json/equal.js';
import { isJsonObject } from '../../json/value.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import type { Requests } from './assertions.js';
import { entryOf, requestsOf } from './entry-view.js';
import { writesAfterOwnEvents } from './own-echo.js';
import { type RecordedMatcher, recordedTest } from './recorded-matcher.js';
import type { RecordedRequest } from './recorded-request.js';
import { printable, printRequests, printTarget, printUser } from './shown.js';

/** The options of {@link noHotLoop}. */
export interface HotLoopOptions {
  /** The requests that count. Default: all. */
  readonly match?: RecordedMatcher;
  /**
   * The number of consecutive requests without effect that count as a loop. The default is 15, because a client with a backoff that begins
   * at 5 ms and doubles sends 12 requests in ten seconds and is not in a loop.
   */
  readonly times?: number;
  /** The milliseconds by the server's clock within which the requests of a loop are sent. Default 10,000. */
  readonly within?: number;
}

const TIMES = 15;
const WITHIN = 10_000;
const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/** Consecutive requests of one client for one object that have no lasting effect. */
interface Run {
  readonly why: string;
  readonly requests: RecordedRequest[];
}

/**
 * Checks that no client is in a hot loop: a number of requests in a row, by the same user and user agent, with the same verb and for the
 * same object, that have no lasting effect. Either all fail with the same status, or all succeed and change nothing, or all write the same
 * content because another client undoes each write, or each is caused by the event of the one before. If the object changes between two
 * requests that fail or change nothing, the count begins anew.
 * @throws Error that names each loop, with its last requests; TypeError for an option that does not exist or is out of range.
 */
export function noHotLoop(requests: Requests, options: HotLoopOptions = {}): void {
  refuseUnknownMembers('noHotLoop', options, ['match', 'times', 'within']);
  const { match = {}, times = TIMES, within = WITHIN } = options;
  if (!Number.isSafeInteger(times) || times < 2) throw new TypeError('times must be an integer of at least 2');
  if (!(within >= 0)) throw new TypeError('within must be a number of milliseconds');
  const counts = recordedTest(match);
  const runs = new Map<string, Run>();
  /** For each object, the keys in `runs` that belong to it. */
  const about = new Map<string, Set<string>>();
  const loops = new Map<string, Run>();
  const all = requestsOf(requests);
  const echoes = writesAfterOwnEvents(all);
  for (const request of all) {
    const object = [request.group, request.resource, request.namespace, request.name || request.path].join('\n');
    if (hasChanged(request)) for (const key of about.get(object) ?? []) if (!changes(runs.get(key))) runs.delete(key);
    if (!counts(request) || request.status === undefined) continue;
    const key = [request.user.username, request.userAgent, request.verb, request.subresource, object].join('\n');
    const run = continueRun(runs.get(key), request, echoes.has(request));
    if (run === undefined) {
      runs.delete(key);
      continue;
    }
    runs.set(key, run);
    about.set(object, (about.get(object) ?? new Set()).add(key));
    const first = run.requests.at(-times);
    if (first && request.time - first.time <= within) loops.set(key, run);
  }
  if (loops.size === 0) return;
  const texts = [...loops.values()].map(({ why, requests: found }) => {
    const [first, last] = [found[0], found.at(-1)];
    if (!first || !last) return '';
    const what = `${printUser(last)} sent ${found.length} times ${printable(last.verb)} ${printTarget(last)}`;
    return `  ${what} within ${Math.round(last.time - first.time)} ms: ${why}\n${printRequests(found, '    ')}`;
  });
  throw new Error(`expected no hot loop, but\n${texts.join('\n')}`);
}

const NO_CHANGE = 'nothing changed';
const SAME = 'each wrote the same';
const ECHO = 'each reacted to the event of the one before';
const isFight = (run: Run | undefined) => run?.why === SAME;
/** Returns whether the requests of a run change the object, so that a change does not end the run. */
const changes = (run: Run | undefined) => isFight(run) || run?.why === ECHO;

/** Returns the run that a request continues or begins; undefined for a request that cannot be part of a loop, such as a successful read. */
function continueRun(run: Run | undefined, request: RecordedRequest, isEcho: boolean): Run | undefined {
  const { status = 0, reason } = request;
  const join = (why: string): Run => (run?.why === why ? addRequest(run, request) : { why, requests: [request] });
  if (status >= 400) return join(`each failed with ${status}${reason === '' ? '' : ` ${printable(reason)}`}`);
  if (!WRITES.has(request.verb) || request.resource === '') return undefined;
  if (request.changes.length > 0 && !hasChanged(request) && !request.dryRun) return join(NO_CHANGE);
  if (isEcho) return join(ECHO);
  const last = run?.requests.at(-1);
  const isSame = last && isFight(run) && equalJson(contentOf(last), contentOf(request));
  return hasChanged(request) ? (isSame ? join(SAME) : { why: SAME, requests: [request] }) : undefined;
}

function addRequest(run: Run, request: RecordedRequest): Run {
  run.requests.push(request);
  return run;
}

/** Returns whether a request changed an object. */
function hasChanged(request: RecordedRequest): boolean {
  return (entryOf(request).details.changes ?? []).some(({ before, after }) => before !== after);
}

/** Returns the content of a write without the metadata that changes with every version. */
function contentOf({ sent }: RecordedRequest): unknown {
  if (!isJsonObject(sent) || !isJsonObject(sent['metadata'])) return sent;
  const { resourceVersion: _, generation: __, managedFields: ___, ...metadata } = sent['metadata'];
  return { ...sent, metadata };
}
