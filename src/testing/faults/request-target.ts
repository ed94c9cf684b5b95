import { headersOf } from '../../meta/request-headers.js';
import type { ApiRequest } from '../../requests/api-request.js';
import type { InterceptedRequest } from '../../requests/interception.js';
import { type RequestMatcher, TEXT_MEMBERS, type TextMatcher, type TextMember } from './fault-spec.js';

/** The target of a request, with the members that matchers compare; '' for a member that does not apply. */
export type RequestTarget = { readonly [M in TextMember]: string };

/** The members of an intercepted request that matchers read. */
export type Matchable = Omit<InterceptedRequest, 'environment'>;

/**
 * Returns a request head with only the user agent, the only header that matchers read. It replaces the original head, which is dropped when
 * a watch opens.
 */
export const withUserAgent = (userAgent: string): Pick<ApiRequest, 'headers'> => ({
  headers: headersOf({ 'user-agent': userAgent }),
});

export function targetOf(request: Matchable): RequestTarget {
  const target = {} as Record<TextMember, string>;
  for (const member of TEXT_MEMBERS) target[member] = READ[member](request);
  return target;
}

type Read = (request: Matchable) => string;

const READ: Readonly<Record<TextMember, Read>> = {
  user: ({ user }) => user.username,
  userAgent: ({ request }) => request.headers.get('user-agent') ?? '',
  verb: ({ info }) => info.verb,
  group: ({ info }) => info.group,
  version: ({ info }) => info.version,
  resource: ({ info }) => (info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`),
  namespace: ({ info }) => info.namespace,
  name: ({ info }) => info.name,
  path: ({ info }) => info.path,
};

/** Returns a function that tests requests. It runs for every request while there is a fault, so it skips the members that are absent. */
export function requestTest(
  match: RequestMatcher,
  concerned: readonly string[] | undefined,
): (request: Matchable) => boolean {
  const tests: ((request: Matchable) => boolean)[] = [];
  // A fault applies to the server's own requests only if the fault names their user or user agent. Otherwise the server's controllers
  // would use up a fault that a test intends for its client.
  if (match.user === undefined && match.userAgent === undefined) tests.push(({ caller }) => !caller?.isOwn);
  if (concerned !== undefined) tests.push(({ info }) => concerned.includes(info.verb));
  for (const member of TEXT_MEMBERS) {
    const wanted = match[member];
    if (wanted === undefined) continue;
    const read = READ[member];
    if (typeof wanted === 'string' && !wanted.endsWith('*')) tests.unshift(equalityTest(member, wanted, read));
    else tests.push((request) => matchesText(wanted, read(request)));
  }
  return (request) => {
    for (const test of tests) if (!test(request)) return false;
    return true;
  };
}

/**
 * Returns the test for a member whose matcher is a single string without `*`, the most frequent case. It avoids the lists and strings that
 * the general test creates.
 */
function equalityTest(member: TextMember, wanted: string, read: Read): (request: Matchable) => boolean {
  if (member === 'verb') return ({ info }) => info.verb === wanted;
  if (member !== 'resource') return (request) => read(request) === wanted;
  const [resource = '', ...rest] = wanted.split('/');
  const subresource = rest.join('/');
  return ({ info }) => info.resource === resource && info.subresource === subresource;
}

/** Returns the members of a matcher that a request does not match. */
export function differingMembers(match: RequestMatcher, target: RequestTarget): readonly TextMember[] {
  return TEXT_MEMBERS.filter((member) => {
    const wanted = match[member];
    return wanted !== undefined && !matchesText(wanted, target[member]);
  });
}

/** Returns whether a matcher selects a value. */
export function matchesText(wanted: TextMatcher, value: string): boolean {
  return [wanted].flat().some((text) => (text.endsWith('*') ? value.startsWith(text.slice(0, -1)) : text === value));
}
