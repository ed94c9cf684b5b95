import type { UserInfo } from '../../meta/user-info.js';
import type { InterceptedRequest } from '../../requests/interception.js';
import type { RequestInfo } from '../../requests/request-info.js';
import { quote } from '../../values/quote.js';
import type { FaultAction, FaultSpec, RequestMatcher } from './fault-spec.js';
import { differingMembers, type RequestTarget, targetOf, withUserAgent } from './request-target.js';
import type { Rule } from './rule.js';

/** The number of requests that are remembered, and the number of requests of other resources that are remembered after each new fault. */
const MAX_REMEMBERED = 50;
const MAX_SHOWN = 3;

/** The properties of a request that are remembered. */
interface Seen {
  readonly number: number;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly userAgent: string;
  readonly isOwn: boolean;
}

/** Requests that a fault did not meet. If the fault has no effect, the error message lists those that almost matched it. */
export class SeenRequests {
  /** A ring buffer. */
  readonly #places: Seen[] = [];
  #remembered = 0;
  /** The number of requests when a fault was last set up. */
  #since = 0;
  /** The number of requests so far. */
  #count = 0;
  /** Whether a fault has had no effect. Requests are remembered only for such faults. */
  #isNeeded = false;
  /**
   * Whether user agents are looked up. A lookup costs as much as matching a user agent, so it is done only if a fault matches user agents.
   */
  #needsUserAgents = false;

  /** Begins to remember requests for a fault. Returns the number of requests before it. */
  begin(): number {
    this.#since = this.#count;
    return this.#count;
  }

  /** Sets the faults that have had no effect yet. */
  follow(unfired: readonly Rule[]): void {
    this.#isNeeded = unfired.length > 0;
    this.#needsUserAgents = unfired.some(({ spec }) => spec.match.userAgent !== undefined);
  }

  /**
   * Counts a request, and remembers it. Once there were many requests since a fault was set up, only those are remembered that are near:
   * remembering all would cost the garbage collector as much as the rest of injecting faults.
   * @param isNear whether the request has the resource of a fault.
   */
  add(request: InterceptedRequest, isNear: boolean): void {
    if (!this.#isNeeded) return;
    const number = this.#count++;
    if (isNear || number - this.#since < MAX_REMEMBERED) this.#remember(number, request);
  }

  #remember(number: number, { info, user, caller, request }: InterceptedRequest): void {
    const userAgent = this.#needsUserAgents ? (request.headers.get('user-agent') ?? '') : '';
    const isOwn = caller?.isOwn === true;
    this.#places[this.#remembered++ % MAX_REMEMBERED] = { number, info, user, userAgent, isOwn };
  }

  clear(): void {
    this.#places.length = 0;
    this.#remembered = 0;
    this.#since = 0;
    this.#count = 0;
  }

  /**
   * Explains, in one or more lines, why a fault had no effect.
   * @param matched the number of requests that the fault's matcher selected.
   * @param since the number of requests when the fault was set up. Earlier requests could not meet the fault.
   */
  explain({ match, action }: FaultSpec, matched: number, since: number): string {
    const head = `${describeMatcher(match)}: ${describeAction(action)}`;
    if (this.#count === since) return `${head}\n    there was no request at all since the fault was set up`;
    if (matched > 0)
      return `${head}\n    ${matched} matching request${matched === 1 ? '' : 's'} came, and ${explainUnfired(match, matched)}`;
    const seen = this.#nearest(match, since).slice(0, MAX_SHOWN);
    return [head, ...seen.map(([text, times]) => `    seen: ${text}${times > 1 ? ` (${times} times)` : ''}`)].join(
      '\n',
    );
  }

  /** Returns the requests that differ from the matcher in the fewest members, with the number of times that each was seen. */
  #nearest(match: RequestMatcher, since: number): readonly (readonly [text: string, times: number])[] {
    let least = Number.POSITIVE_INFINITY;
    let nearest = new Map<string, number>();
    for (const { number, info, user, userAgent, isOwn } of this.#places) {
      if (number < since) continue;
      const target = targetOf({ info, user, caller: { isOwn }, request: withUserAgent(userAgent) });
      const differing = differingMembers(match, target);
      if (differing.length > least) continue;
      if (differing.length < least) nearest = new Map();
      least = differing.length;
      const why = differing.map((member) => `${member} is ${quote(target[member])}`);
      if (isOwn) why.push("it is the server's own: name its user or user agent");
      const text = `${describeTarget(target)}${why.length > 0 ? `, but ${why.join(', ')}` : ''}`;
      nearest.set(text, (nearest.get(text) ?? 0) + 1);
    }
    return [...nearest].sort(([, a], [, b]) => b - a);
  }
}

function explainUnfired({ nth, probability }: RequestMatcher, matched: number): string {
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
