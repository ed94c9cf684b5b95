import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { requestsOf } from './entry-view.js';
import { describeMatcher, differencesFrom, type RecordedMatcher, recordedTest } from './recorded-matcher.js';
import type { RecordedRequest } from './recorded-request.js';
import { printable, printRequests, printTarget, printUser } from './shown.js';

/** The requests of a log: the log itself, or the result of its `filter`. */
export type Requests = Iterable<RecordedRequest>;

/** How many requests {@link received} expects. */
export interface ReceivedOptions {
  /** The exact number of requests that must match. Default: `atLeast` applies. */
  readonly times?: number;
  /** The minimum number of requests that must match. Default 1, unless `times` is given. */
  readonly atLeast?: number;
}

/** The maximum number of requests that a failure message shows. They are those that match best. */
const NEAREST = 5;

/**
 * Checks that a request was received.
 * @returns the requests that match.
 * @throws Error if fewer or more match, with the requests that match best; TypeError for an invalid matcher or option.
 */
export function received(
  requests: Requests,
  match: RecordedMatcher,
  options: ReceivedOptions = {},
): readonly RecordedRequest[] {
  const { times, atLeast } = checkCounts(options);
  const all = requestsOf(requests);
  const matching = all.filter(recordedTest(match));
  if (times === undefined ? matching.length >= (atLeast ?? 1) : matching.length === times) return matching;
  const expected = times === undefined ? `at least ${countText(atLeast ?? 1)}` : countText(times);
  const head = `expected ${expected} with ${describeMatcher(match)}, but received ${matching.length} of ${all.length}`;
  throw new Error([head, ...(matching.length > 0 ? [printRequests(matching)] : nearest(all, match))].join('\n'));
}

/**
 * Checks that no request matches.
 * @throws Error with the requests that match; TypeError for an invalid matcher.
 */
export function notReceived(requests: Requests, match: RecordedMatcher): void {
  const matching = requestsOf(requests).filter(recordedTest(match));
  if (matching.length === 0) return;
  throw new Error(
    `expected no request with ${describeMatcher(match)}, but received ${matching.length}:\n${printRequests(matching)}`,
  );
}

/**
 * Checks that no request was refused with 403, by authorization or admission.
 * @param match the requests that count. Default: all.
 * @throws Error that names each refusal once: the user, the verb, the target of the request, and the reason.
 */
export function nothingForbidden(requests: Requests, match: Omit<RecordedMatcher, 'status'> = {}): void {
  recordedTest(match); // Validates the matcher, because spreading null below would silently match every request.
  if ('status' in match) throw new TypeError('nothingForbidden: omit match.status, which is always 403');
  const times = new Map<string, number>();
  for (const request of requestsOf(requests).filter(recordedTest({ ...match, status: 403 }))) {
    const why = `${printUser(request)} cannot ${printable(request.verb)} ${printTarget(request)}: ${oneLine(request.message)}`;
    times.set(why, (times.get(why) ?? 0) + 1);
  }
  if (times.size === 0) return;
  const lines = [...times].map(([why, count]) => `  ${why}${count > 1 ? ` (${count} times)` : ''}`);
  throw new Error(`expected nothing forbidden, but there were refusals:\n${lines.join('\n')}`);
}

/** Returns a message of the server as one line without terminal control characters. */
function oneLine(message: string): string {
  const MOST = 400;
  const cut = message.length > MOST ? `${message.slice(0, MOST)}…` : message;
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}

function checkCounts(options: ReceivedOptions): ReceivedOptions {
  refuseUnknownMembers('received', options, ['times', 'atLeast']);
  const { times, atLeast } = options;
  if (times !== undefined && atLeast !== undefined) throw new TypeError('give times or atLeast, not both');
  for (const [name, value] of Object.entries({ times, atLeast }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new TypeError(`${name} must be an integer of at least 0`);
  return options;
}

const countText = (count: number) => `${count} request${count === 1 ? '' : 's'}`;

/** Returns lines that describe the requests that come closest to a matcher, which are those that differ from it in the fewest members. */
function nearest(all: readonly RecordedRequest[], match: RecordedMatcher): readonly string[] {
  if (all.length === 0) return ['  there was no request at all'];
  const ranked = all.map((request) => ({ request, differences: differencesFrom(match, request) }));
  const least = Math.min(...ranked.map(({ differences }) => differences.length));
  const near = ranked.filter(({ differences }) => differences.length === least);
  const lines = near.slice(-NEAREST).map(({ request, differences }) => {
    const { number, verb, status } = request;
    return `    #${number} ${printable(verb)} ${printTarget(request)} by ${printUser(request)}: ${status ?? '…'}, but ${differences.join(', ')}`;
  });
  return [`  nearest${near.length > NEAREST ? ` (the last ${NEAREST} of ${near.length})` : ''}:`, ...lines];
}
