import type { UserInfo } from '../../meta/user-info.js';
import type { InterceptedRequest } from '../../requests/interception.js';
import type { RequestInfo } from '../../requests/request-info.js';
import { quote } from '../../values/quote.js';
import type { FaultAction, FaultSpec, RequestMatcher } from './fault-spec.js';
import { differingMembers, type RequestTarget, targetOf, withUserAgent } from './request-target.js';

/** The number of the most recent requests that are remembered. */
const MAX_REMEMBERED = 200;
const MAX_SHOWN = 3;

/** The properties of a request that are remembered. */
interface Seen {
  info: RequestInfo;
  user: UserInfo;
  userAgent: string;
  isOwn: boolean;
}

/** The last requests. If a fault had no effect, the error message lists those that almost matched it. */
export class SeenRequests {
  /** A ring buffer. Its slots are reused, because allocating an object for each request would cost more than the rest of {@link add}. */
  readonly #places: Seen[] = [];
  /** The number of requests that were recorded. The next one gets the place with this number, modulo the size of the ring. */
  count = 0;
  /** Whether requests are recorded. The record is needed only while a fault that is not optional has had no effect. */
  isNeeded = false;
  /**
   * Whether user agents are looked up. A lookup costs as much as matching a user agent, so it is done only if a fault matches user agents.
   */
  needsUserAgents = false;

  add({ info, user, caller, request }: InterceptedRequest): void {
    const isOwn = caller?.isOwn === true;
    const userAgent = this.needsUserAgents ? (request.headers.get('user-agent') ?? '') : '';
    const index = this.count++ % MAX_REMEMBERED;
    const place = this.#places[index];
    if (place === undefined) {
      this.#places[index] = { info, user, userAgent, isOwn };
      return;
    }
    place.info = info;
    place.user = user;
    place.userAgent = userAgent;
    place.isOwn = isOwn;
  }

  clear(): void {
    this.#places.length = 0;
    this.count = 0;
  }

  /**
   * Explains, in one or more lines, why a fault had no effect.
   * @param matched the number of requests that the fault's matcher selected.
   * @param since the value of {@link count} when the fault was set up. Earlier requests could not meet the fault.
   */
  explain({ match, action }: FaultSpec, matched: number, since: number): string {
    const head = `${describeMatcher(match)}: ${describeAction(action)}`;
    if (this.count === since) return `${head}\n    there was no request at all since the fault was set up`;
    if (matched > 0)
      return `${head}\n    ${matched} matching request${matched === 1 ? '' : 's'} came, and ${explainMissed(match, matched)}`;
    const seen = this.#nearest(match, since).slice(0, MAX_SHOWN);
    return [head, ...seen.map(([text, times]) => `    seen: ${text}${times > 1 ? ` (${times} times)` : ''}`)].join(
      '\n',
    );
  }

  /** Returns the requests that differ from the matcher in the fewest members, with the number of times that each was seen. */
  #nearest(match: RequestMatcher, since: number): readonly (readonly [text: string, times: number])[] {
    let least = Number.POSITIVE_INFINITY;
    let found = new Map<string, number>();
    for (let number = Math.max(since, this.count - MAX_REMEMBERED); number < this.count; number++) {
      const place = this.#places[number % MAX_REMEMBERED];
      if (place === undefined) continue;
      const { info, user, userAgent, isOwn } = place;
      const target = targetOf({ info, user, caller: { isOwn }, request: withUserAgent(userAgent) });
      const differing = differingMembers(match, target);
      if (differing.length > least) continue;
      if (differing.length < least) found = new Map();
      least = differing.length;
      const why = differing.map((member) => `${member} is ${quote(target[member])}`);
      if (isOwn) why.push("it is the server's own: name its user or user agent");
      const text = `${describeTarget(target)}${why.length > 0 ? `, but ${why.join(', ')}` : ''}`;
      found.set(text, (found.get(text) ?? 0) + 1);
    }
    return [...found].sort(([, a], [, b]) => b - a);
  }
}

function explainMissed({ nth, probability }: RequestMatcher, matched: number): string {
  const numbers = nth === undefined ? [] : [nth].flat();
  const came = numbers.filter((number) => number <= matched);
  if (numbers.length > 0 && came.length === 0) return `none was number ${numbers.join(' or ')}`;
  if (probability !== undefined) return 'none was drawn';
  const them = came.length === 0 ? 'them' : `number ${came.join(' or ')}`;
  return `it had no effect on ${them}: an earlier fault decided the outcome, or there was nothing that it could change`;
}

function describeTarget({ verb, resource, path, namespace, name, user, userAgent }: RequestTarget): string {
  const what =
    resource === '' ? path : `${resource}${name === '' ? '' : ` ${[namespace, name].filter(Boolean).join('/')}`}`;
  return `${verb} ${what} by ${userAgent === '' ? user : `${user} (${userAgent})`}`;
}

function describeMatcher(match: RequestMatcher): string {
  const members = Object.entries(match).map(([member, wanted]) => `${member} ${[wanted].flat().join(' or ')}`);
  return members.length === 0 ? 'any request' : members.join(', ');
}

function describeAction({ type, ...parameters }: FaultAction): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`);
  return [type, ...values].join(' ');
}
