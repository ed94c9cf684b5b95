import { checkMatcher, checkTexts, type RequestMatcher, type TextMatcher } from '../faults/fault-spec.js';
import {
  differingMembers,
  type Matchable,
  matchesText,
  requestTest,
  targetOf,
  withUserAgent,
} from '../faults/request-target.js';
import { requestInfoOf } from './entry-view.js';
import type { RecordedRequest } from './recorded-request.js';
import { printable } from './shown.js';

/**
 * Selects recorded requests: those that match every given member. Besides the members of {@link RequestMatcher}, it has members for the
 * response. `user` matches the authenticated or the impersonated user. Unlike in a {@link RequestMatcher}, `name` also matches the name of
 * the object that a `create` sends ({@link RecordedRequest.name}).
 */
export interface RecordedMatcher extends Omit<RequestMatcher, 'nth' | 'probability'> {
  /** The HTTP status, or a list of statuses. */
  readonly status?: number | readonly number[];
  /** The reason of a failure, such as `Conflict`. */
  readonly reason?: TextMatcher;
}

/** @throws TypeError for members that do not exist or are out of range. */
function checkRecordedMatcher(match: RecordedMatcher): void {
  // The argument is not trusted to have its type, because a JavaScript caller may pass anything.
  const { status, reason, ...ofRequest } = Object(match) as RecordedMatcher;
  for (const member of ['nth', 'probability'])
    if (member in ofRequest)
      throw new TypeError(`requests of a log cannot be matched by ${member}: filter and count them instead`);
  checkMatcher(typeof match === 'object' && match !== null ? ofRequest : match, 'a log of requests');
  const codes: readonly unknown[] = status === undefined ? [200] : [status].flat();
  if (codes.length === 0 || !codes.every((code) => Number.isInteger(code)))
    throw new TypeError('match.status must be a number or a list of numbers');
  if (reason !== undefined) checkTexts('match.reason', reason);
}

/** Returns a function that tests whether a request matches. @throws TypeError for members that do not exist or are out of range. */
export function recordedTest(match: RecordedMatcher): (request: RecordedRequest) => boolean {
  checkRecordedMatcher(match);
  const { status, reason, ...ofRequest } = match;
  const matches = requestTest(ofRequest, undefined);
  const codes = status === undefined ? undefined : [status].flat();
  return (request) =>
    (codes === undefined || (request.status !== undefined && codes.includes(request.status))) &&
    (reason === undefined || matchesText(reason, request.reason)) &&
    matchables(request).some(matches);
}

/** Returns a line for each member of a matcher that a request does not match. The line contains the value in the request. */
export function differencesFrom(match: RecordedMatcher, request: RecordedRequest): readonly string[] {
  const { status, reason, ...ofRequest } = match;
  const targets = matchables(request).map(targetOf);
  const differences = targets.map((target) =>
    differingMembers(ofRequest, target).map((member) => `${member} is ${printable(target[member])}`),
  );
  const fewest = differences.reduce((one, other) => (other.length < one.length ? other : one));
  const isOwn = request.isOwn && match.user === undefined && match.userAgent === undefined;
  const codes = status === undefined ? undefined : [status].flat();
  return [
    ...fewest,
    ...(isOwn ? ["it is the server's own: name its user or user agent"] : []),
    ...(codes && !codes.includes(request.status ?? 0) ? [`status is ${request.status ?? 'not known yet'}`] : []),
    ...(reason !== undefined && !matchesText(reason, request.reason) ? [`reason is ${printable(request.reason)}`] : []),
  ];
}

/** Describes a matcher: `verb create, resource secrets`. */
export function describeMatcher(match: RecordedMatcher): string {
  const members = Object.entries(match).filter(([, wanted]) => wanted !== undefined);
  if (members.length === 0) return 'any request';
  return members
    .map(([member, wanted]) => `${member} ${[wanted].flat().map(String).map(printable).join(' or ')}`)
    .join(', ');
}

/**
 * Returns a request in the form that matchers read, with its user. A request that impersonates a user is returned twice, once with the
 * authenticated and once with the impersonated user.
 */
function matchables(request: RecordedRequest): readonly Matchable[] {
  const { impersonator, user, isOwn, userAgent, name } = request;
  const info = { ...requestInfoOf(request), name };
  const rest = { info, caller: { isOwn }, request: withUserAgent(userAgent) };
  return [...(impersonator ? [impersonator] : []), user].map((each) => ({ ...rest, user: each }));
}
