import { didYouMean, refuseUnknownMembers } from '../../values/did-you-mean.js';
import { quote } from '../../values/quote.js';

/** A string, a prefix followed by `*` (`kubectl/*`), or a list of such strings. One string of a list has to match. */
export type TextMatcher = string | readonly string[];

/** Selects requests: those that match every given member. `{}` selects all. */
export interface RequestMatcher {
  /** The name of the authenticated user, before any impersonation. */
  readonly user?: TextMatcher;
  /** The User-Agent header. */
  readonly userAgent?: TextMatcher;
  /**
   * `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for non-resource paths the HTTP method in lower
   * case.
   */
  readonly verb?: TextMatcher;
  /** The API group; '' for the core group. */
  readonly group?: TextMatcher;
  /** The API version, such as `v1`. */
  readonly version?: TextMatcher;
  /** The plural name, with the subresource if there is one: `pods`, `pods/status`. */
  readonly resource?: TextMatcher;
  /** The namespace; '' for requests outside of namespaces. */
  readonly namespace?: TextMatcher;
  /** The name of the object in the path; a `create` has none. */
  readonly name?: TextMatcher;
  /** The path as sent, without the query. */
  readonly path?: TextMatcher;
  /**
   * The matching requests to which the fault applies, counted from 1: `3`, or `[1, 3]`. Requests whose outcome an earlier fault has decided
   * count, too.
   */
  readonly nth?: number | readonly number[];
  /**
   * The probability, above 0 and up to 1, with which the fault applies to each matching request. The `seed` of the faults determines for
   * which requests it does.
   */
  readonly probability?: number;
}

/** The HTTP statuses with which a fault can respond. */
export const FAULT_STATUSES = [401, 403, 404, 409, 410, 429, 500, 503, 504] as const;
/** An HTTP status with which a fault can respond. */
export type FaultStatus = (typeof FAULT_STATUSES)[number];

/**
 * How a watch ends: `timeout`, as the server ends every watch after some time; `lost`, by a connection that breaks; `expired`, by an ERROR
 * event of code 410, after which a client has to list again.
 */
export type WatchEnd = 'timeout' | 'lost' | 'expired';

/** What happens to a request. It is plain data, which can be sent as JSON. An absent `how` has the default of the method in `faults.on`. */
export type FaultAction =
  /** Responds instead of the server. `retryAfter` is in seconds; default 1 for 429, otherwise absent. */
  | {
      readonly type: 'answer';
      readonly status: FaultStatus;
      readonly message?: string;
      readonly retryAfter?: number;
    }
  /** Passes the request to the server after a number of milliseconds by the server's clock. */
  | { readonly type: 'delay'; readonly milliseconds: number }
  /** Passes the request to the server when the fault ends. */
  | { readonly type: 'hold' }
  /** Breaks the connection before the server gets the request. */
  | { readonly type: 'refuse' }
  /** Breaks the connection after a number of bytes of the response body. */
  | { readonly type: 'cut'; readonly bytes: number }
  /** Lets the server process the request, and breaks the connection instead of responding. */
  | { readonly type: 'loseAnswer' }
  /** Ends a watch, after a number of events if one is given. `how` is `timeout` by default. */
  | { readonly type: 'endWatch'; readonly how?: WatchEnd; readonly afterEvents?: number }
  /** Leaves out the bookmarks of a watch. */
  | { readonly type: 'dropBookmarks' }
  /** Serves a read or watch from an older state, either a number of versions behind the newest one or at a fixed version. */
  | { readonly type: 'stale'; readonly versions: number }
  | { readonly type: 'stale'; readonly resourceVersion: string }
  /** Cuts clients off until the fault ends: requests and open watches hang (default), or break. */
  | { readonly type: 'partition'; readonly how?: 'hang' | 'break' }
  /** Makes the storage fail: `unavailable` (default) for writes and reads of the newest state, `full` for all writes except deletions. */
  | { readonly type: 'failStorage'; readonly how?: 'unavailable' | 'full' };

/** The options of a fault. */
export interface FaultOptions {
  /**
   * The number of requests to which the fault applies; for `endWatch`, the number of watches that open, and for `dropBookmarks`, the number
   * of bookmarks. If `nth` is given, it decides instead. Otherwise the default is `always` with `probability` and for `hold`, `partition`
   * and `dropBookmarks`, and 1 for all other faults.
   */
  readonly times?: number | 'always';
  /** Whether the fault may remain without effect. Default false: `verify()` fails if the fault applied to no request. */
  readonly optional?: boolean;
}

/** A fault as plain data. */
export interface FaultSpec extends FaultOptions {
  /** The requests that the fault affects. */
  readonly match: RequestMatcher;
  /** What happens to these requests, or to the watches that they open. */
  readonly action: FaultAction;
}

export const TEXT_MEMBERS = [
  'user',
  'userAgent',
  'verb',
  'group',
  'version',
  'resource',
  'namespace',
  'name',
  'path',
] as const;
export type TextMember = (typeof TEXT_MEMBERS)[number];

const MEMBERS: Readonly<Record<FaultAction['type'], readonly string[]>> = {
  answer: ['type', 'status', 'message', 'retryAfter'],
  delay: ['type', 'milliseconds'],
  hold: ['type'],
  refuse: ['type'],
  cut: ['type', 'bytes'],
  loseAnswer: ['type'],
  endWatch: ['type', 'how', 'afterEvents'],
  dropBookmarks: ['type'],
  stale: ['type', 'versions', 'resourceVersion'],
  partition: ['type', 'how'],
  failStorage: ['type', 'how'],
};

/** The verbs to which an action applies. An action that is not listed applies to all verbs. */
export const CONCERNED: { readonly [A in FaultAction['type']]?: readonly string[] } = {
  endWatch: ['watch'],
  dropBookmarks: ['watch'],
  stale: ['get', 'list', 'watch'],
};

const MAX_TEXT = 1024;
const MAX_LIST = 100;

/**
 * Checks a fault. It may come from a program in another language, so its type is not trusted.
 * @throws TypeError for members that do not exist or are out of range, and for a fault that no request can match.
 */
export function checkFault(spec: FaultSpec): FaultSpec {
  if (typeof spec !== 'object' || spec === null) throw new TypeError('a fault must be an object: { match, action }');
  refuseUnknownMembers('a fault', spec, ['match', 'action', 'times', 'optional']);
  const { match, action, times, optional } = spec;
  checkMatcher(match);
  checkAction(action);
  if (optional !== undefined && typeof optional !== 'boolean') throw new TypeError('optional must be true or false');
  if (times !== undefined && times !== 'always' && !isWhole(times, 1))
    throw new TypeError(`times must be an integer of at least 1, or "always", not ${String(times)}`);
  if (times !== undefined && match.nth !== undefined)
    throw new TypeError('match.nth already limits how many times: omit times');
  const concerned = CONCERNED[action.type];
  const verbs = match.verb === undefined ? [] : [match.verb].flat();
  if (concerned && verbs.length > 0 && !verbs.some((verb) => verb.endsWith('*') || concerned.includes(verb)))
    throw new TypeError(
      `${action.type} applies only to ${concerned.join(', ')}, so that no ${verbs.join(' or ')} can meet it`,
    );
  return structuredClone(spec);
}

/**
 * @throws TypeError for a matcher with members that do not exist or are out of range. `subject` names the purpose of the matcher in the
 * message.
 */
export function checkMatcher(match: RequestMatcher, subject = 'a fault'): void {
  if (typeof match !== 'object' || match === null)
    throw new TypeError(`${subject}: match must be an object, where {} matches everything`);
  refuseUnknownMembers(`${subject}: match`, match, [...TEXT_MEMBERS, 'nth', 'probability']);
  for (const member of TEXT_MEMBERS) if (match[member] !== undefined) checkTexts(`match.${member}`, match[member]);
  for (const verb of match.verb === undefined ? [] : [match.verb].flat()) checkVerb(verb);
  const { nth, probability } = match;
  const numbers = nth === undefined ? [] : [nth].flat();
  if (numbers.length > MAX_LIST || (Array.isArray(nth) && nth.length === 0) || !numbers.every((n) => isWhole(n, 1)))
    throw new TypeError('match.nth must be an integer of at least 1, or a list of such integers');
  if (probability !== undefined && !(typeof probability === 'number' && probability > 0 && probability <= 1))
    throw new TypeError('match.probability must be above 0 and at most 1');
}

function checkAction(action: FaultAction): void {
  if (typeof action?.type !== 'string' || !Object.hasOwn(MEMBERS, action.type))
    throw new TypeError(`a fault must have an action, one of ${Object.keys(MEMBERS).join(', ')}`);
  refuseUnknownMembers(`the action ${action.type}`, action, MEMBERS[action.type]);
  const refuse = (what: string): never => {
    throw new TypeError(`the action ${action.type}: ${what}`);
  };
  switch (action.type) {
    case 'answer':
      if (!FAULT_STATUSES.includes(action.status)) refuse(`status must be one of ${FAULT_STATUSES.join(', ')}`);
      if (action.retryAfter !== undefined && !isWhole(action.retryAfter, 1))
        refuse('retryAfter must be a whole number of seconds');
      if (action.message !== undefined && !(typeof action.message === 'string' && action.message.length <= MAX_TEXT))
        refuse('message must be a string');
      return;
    case 'delay':
      if (!isWhole(action.milliseconds, 0)) refuse('milliseconds must be a whole number');
      return;
    case 'cut':
      if (!isWhole(action.bytes, 0)) refuse('bytes must be a whole number');
      return;
    case 'endWatch':
      if (!isOneOf(action.how, 'timeout', 'lost', 'expired')) refuse('how must be timeout, lost or expired');
      if (action.afterEvents !== undefined && !isWhole(action.afterEvents, 0))
        refuse('afterEvents must be a whole number');
      return;
    case 'stale':
      if ('versions' in action === 'resourceVersion' in action) refuse('give versions or resourceVersion, not both');
      if ('versions' in action && !isWhole(action.versions, 1)) refuse('versions must be an integer of at least 1');
      if ('resourceVersion' in action && !/^\d{1,15}$/.test(action.resourceVersion))
        refuse(`resourceVersion must be a version, not ${quote(String(action.resourceVersion))}`);
      return;
    case 'partition':
      if (!isOneOf(action.how, 'hang', 'break')) refuse('how must be hang or break');
      return;
    case 'failStorage':
      if (!isOneOf(action.how, 'unavailable', 'full')) refuse('how must be unavailable or full');
      return;
    case 'hold':
    case 'refuse':
    case 'loseAnswer':
    case 'dropBookmarks':
  }
}

/** Returns whether an optional member is absent or one of the given words. */
const isOneOf = (value: string | undefined, ...words: readonly string[]): boolean =>
  value === undefined || words.includes(value);

/**
 * Checks a {@link TextMatcher}.
 * @param name the name of the argument, for the message.
 * @throws TypeError for other values, for lists that are empty or too long, and for a `*` that is not at the end of a string, because it
 * would match only itself.
 */
export function checkTexts(name: string, wanted: unknown): void {
  const texts: readonly unknown[] = [wanted].flat();
  const areTexts = texts.every((text) => typeof text === 'string' && text.length <= MAX_TEXT);
  if (texts.length === 0 || texts.length > MAX_LIST || !areTexts)
    throw new TypeError(`${name} must be a string or a list of strings`);
  for (const text of texts as readonly string[]) {
    const star = text.indexOf('*');
    if (star !== -1 && star < text.length - 1)
      throw new TypeError(`${name}: ${quote(text)} has a * before its end, where it is not a wildcard`);
  }
}

/** The verbs of requests: those of resources, and the methods of other paths. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy'] as const;
const METHODS = ['post', 'put', 'head', 'options', 'trace', 'connect'] as const;

/** Refuses a verb that no request has, because a fault or a check with it would silently select nothing. */
function checkVerb(wanted: string): void {
  const verbs: readonly string[] = [...VERBS, ...METHODS];
  const prefix = wanted.endsWith('*') ? wanted.slice(0, -1) : undefined;
  if (prefix === undefined ? verbs.includes(wanted) : verbs.some((verb) => verb.startsWith(prefix))) return;
  // Methods in capitals are mistaken for verbs, and `put` and `post` would select only requests for other paths.
  const meant = { PUT: 'update', POST: 'create' }[wanted] ?? wanted;
  const others = didYouMean(meant, verbs) || `; the verbs are ${VERBS.join(', ')}, and methods in lower case`;
  throw new TypeError(`match.verb: unknown verb ${quote(wanted)}${others}`);
}

const isWhole = (value: unknown, least: number) => Number.isSafeInteger(value) && (value as number) >= least;
