import type { AuthorizationAttributes, Decision } from '../../authorization/authorizer.js';
import { type ApiError, isApiError } from '../../meta/api-error.js';
import { reading } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { parseQuery, percentDecode } from '../../meta/query.js';
import { headersOf, type RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { EventStream } from '../../registry/reads/resource-watch.js';
import { parseRequestInfo, type RequestInfo } from '../../requests/request-info.js';
import type { ObservedRequest, RequestDocument, RequestObserver } from '../../requests/request-observer.js';
import type { RawResult, Result } from '../../requests/result.js';
import { attributesOf } from '../../requests/steps/authorize.js';
import type { Entry as Stored } from '../../store/storage.js';
import { CountedWatch, type DeliveredEvents } from './counted-watch.js';

/** The members of the log that its entries use. */
export interface Log {
  readonly start: number;
  position: number;
  answered(entry: Entry): void;
  grown(entry: Entry, bytes: number): void;
  /** Called when a packed entry gets details, which pages do not keep. */
  detailed(entry: Entry): void;
}

/** An authorization check beyond that of the request itself, such as one for impersonation. */
interface Check {
  readonly attributes: AuthorizationAttributes;
  readonly decision: Decision;
}

/** The members of an entry that an {@link EntryPage} stores in packed form. */
export type PackedEntry = Pick<
  Entry,
  | 'since'
  | 'took'
  | 'user'
  | 'path'
  | 'query'
  | 'arrivedAt'
  | 'answeredAt'
  | 'decision'
  | 'status'
  | 'answer'
  | 'weight'
  | 'agent'
>;

/** An object before and after a write, as the storage has it. */
export interface StoredChange {
  readonly before: Stored<ApiObject> | undefined;
  readonly after: Stored<ApiObject> | undefined;
}

/** The estimated bytes of an entry, and of each annotation or additional authorization check. */
const WEIGHT = 600;
const EXTRA_WEIGHT = 500;

const MICROSECONDS = 1000;

/**
 * The properties that only requests which write, fail or watch have. They are kept out of {@link Entry}, because most requests are reads.
 */
class Details {
  impersonator: UserInfo | undefined;
  /** The body if it is an API object. Anything else that was sent is in `document`. */
  object: ApiObject | undefined;
  document: RequestDocument | undefined;
  method = 'GET';
  contentType = '';
  isOwn = false;
  changes: StoredChange[] | undefined;
  checks: Check[] | undefined;
  mutatedBy: Set<string> | undefined;
  refusedBy: string | undefined;
  annotations: Map<string, string> | undefined;
  warnings: readonly string[] | undefined;
  failure: ApiError | RawResult | Error | undefined;
  listVersion: string | undefined;
  count: number | undefined;
  delivered: DeliveredEvents | undefined;
  isLost = false;
  /** Whether this server served the request, and not an injected fault or an aggregated API server. */
  isServed = true;
  /**
   * The attributes that the authorizers received, if they contain selectors. Otherwise the attributes follow from the user and the path.
   */
  attributes: AuthorizationAttributes | undefined;
}
const NO_DETAILS: Readonly<Details> = Object.freeze(new Details());

/** Stands in for the request from which an unpacked entry was made. */
const NOT_OBSERVED: Pick<ObservedRequest, 'request' | 'user' | 'caller'> = {
  request: { method: 'GET', path: '', query: '', headers: headersOf() },
  user: { username: '' },
  caller: undefined,
};

/**
 * One request in the log, filled in while the request is served. It keeps only references, and only to data that cannot be derived later,
 * because retained data costs more time in the garbage collector than recording it costs in the request. For the same reason, an entry
 * without details is packed when it is answered: its members move to an `EntryPage`, which creates the entry again when somebody reads it.
 * `entry-view.ts` derives what tests read. The members are only declared, because initializing them before the constructor assigns them
 * would double the work of the constructor.
 */
export class Entry implements RequestObserver {
  declare readonly number: number;
  /** The whole milliseconds from the beginning of the log to the arrival of the request. */
  declare readonly since: number;
  /** The whole microseconds from the arrival of the request to its response. */
  declare took: number;
  declare user: UserInfo;
  declare path: string;
  declare query: string;
  /** The positions in the log at which the request arrived and at which it was answered. `answeredAt` is 0 until then. */
  declare readonly arrivedAt: number;
  declare answeredAt: number;
  declare decision: Decision | undefined;
  /** The HTTP status; 0 until the request is answered. */
  declare status: number;
  declare answer: ApiObject | undefined;
  /** The estimated bytes of the entry without its objects. */
  declare weight: number;
  declare readonly log: Log;
  /** The user agent, or the headers that contain it. */
  declare agent: string | RequestHeaders;
  /** Whether a public view of the entry exists. Such an entry is not packed, because the same request always has the same view. */
  declare isShown: boolean;
  /** Whether an `EntryPage` has the members of this entry instead of the entry itself. */
  declare isPacked: boolean;
  declare private more: Details | undefined;
  /** The observed request, kept until it is answered. */
  declare private observed: ObservedRequest | undefined;

  private constructor(
    log: Log,
    number: number,
    arrivedAt: number,
    since: number,
    { request, user, caller }: Pick<ObservedRequest, 'request' | 'user' | 'caller'>,
  ) {
    const { method, path, query, headers, headBytes, host } = request;
    this.number = number;
    this.since = since;
    this.took = 0;
    this.user = user;
    this.path = path;
    this.query = query;
    this.arrivedAt = arrivedAt;
    this.answeredAt = 0;
    this.decision = undefined;
    this.status = 0;
    this.answer = undefined;
    this.weight = WEIGHT + 2 * (headBytes ?? path.length + query.length);
    this.log = log;
    // Looking up a header is slow. Clients in this process usually send the same small headers object, so their headers are kept instead of
    // the user agent.
    this.agent = host === undefined ? headers : (headers.get('user-agent') ?? '');
    this.isShown = false;
    this.isPacked = false;
    this.more = undefined;
    this.observed = undefined;
    if (method !== 'GET') this.#extended.method = method;
    if (method === 'PATCH') this.#extended.contentType = headers.get('content-type') ?? '';
    if (caller?.isOwn) this.#extended.isOwn = true;
  }

  /**
   * Returns the entry of a request that arrives.
   * @param arrivedAt the position in the log.
   * @param since the whole milliseconds from the beginning of the log.
   */
  static of(log: Log, number: number, arrivedAt: number, since: number, observed: ObservedRequest): Entry {
    const entry = new Entry(log, number, arrivedAt, since, observed);
    entry.observed = observed;
    return entry;
  }

  /** Returns an entry with the members of one that was packed. */
  static unpacked(log: Log, number: number, members: PackedEntry): Entry {
    const entry = new Entry(log, number, members.arrivedAt, members.since, NOT_OBSERVED);
    return Object.assign(entry, members);
  }

  /** Whether a client in this process sent the request. */
  get isLocal(): boolean {
    return typeof this.agent !== 'string';
  }
  get userAgent(): string {
    return typeof this.agent === 'string' ? this.agent : (this.agent.get('user-agent') ?? '');
  }
  /** The details; undefined for a request that has none, such as the read of one object. */
  get written(): Readonly<Details> | undefined {
    return this.more;
  }
  get details(): Readonly<Details> {
    return this.more ?? NO_DETAILS;
  }
  /** The attributes that the authorizers received for the request; undefined if the request ended before its authorization. */
  get attributes(): AuthorizationAttributes | undefined {
    return this.decision && (this.details.attributes ?? attributesOf(this.user, infoOf(this)));
  }

  decided(attributes: AuthorizationAttributes, decision: Decision): void {
    this.decision = decision;
    if (attributes.fieldSelector || attributes.labelSelector) this.#extended.attributes = attributes;
  }
  impersonated(user: UserInfo): void {
    this.#extended.impersonator = this.user;
    this.user = user;
  }
  request(object: ApiObject): void {
    this.#extended.object = object;
  }
  requestDocument(document: RequestDocument): void {
    this.#extended.document = document;
  }
  checked(attributes: AuthorizationAttributes, decision: Decision): void {
    const more = this.#extended;
    more.checks ??= [];
    more.checks.push({ attributes, decision });
    this.#grow(EXTRA_WEIGHT);
  }
  mutated(plugin: string): void {
    const more = this.#extended;
    more.mutatedBy ??= new Set();
    more.mutatedBy.add(plugin);
  }
  refused(plugin: string): void {
    this.#extended.refusedBy = plugin;
  }
  annotated(key: string, value: string): void {
    const more = this.#extended;
    more.annotations ??= new Map();
    // As in audit events, the first value of an annotation key is kept.
    if (more.annotations.has(key)) return;
    more.annotations.set(key, value);
    this.#grow(EXTRA_WEIGHT + 2 * (key.length + value.length));
  }
  stored(before: StoredChange['before'], after: StoredChange['after']): void {
    const more = this.#extended;
    more.changes ??= [];
    more.changes.push({ before, after });
  }

  watching(watch: EventStream): EventStream {
    const log = this.log;
    const counted = new CountedWatch(
      watch,
      () => ++log.position,
      (bytes) => this.#grow(bytes),
    );
    this.#extended.delivered = counted.delivered;
    return counted;
  }

  answered(result: Result): void {
    switch (result.type) {
      case 'object':
        this.status = result.status;
        this.answer = result.object;
        break;
      case 'list':
        this.status = 200;
        this.#extended.listVersion = result.metadata.resourceVersion;
        this.#extended.count = result.items.length;
        break;
      case 'relayed':
        this.#extended.isServed = false;
        this.status = result.status;
        break;
      case 'status':
        this.status = result.status;
        break;
      case 'raw':
        this.status = result.status;
        if (result.status >= 400) this.#extended.failure = result;
        break;
      case 'watch':
      case 'document':
        this.status = 200;
    }
    this.#end();
  }

  failed(error: unknown): void {
    this.status = isApiError(error) ? error.code : 500;
    const failure = error instanceof Error ? error : new Error(String(error));
    this.#extended.failure = failure;
    // The message is counted twice, because the Status in the error repeats it. Each character takes two bytes.
    this.#grow(4 * failure.message.length);
    this.#end();
  }

  #end(): void {
    const request = this.observed;
    if (request === undefined) return;
    // The observed request holds the connection and the body, so it is not kept.
    this.observed = undefined;
    const { environment, deadline, interference, warnings } = request;
    this.took = Math.round((reading(environment.host.clock) - deadline.began) * MICROSECONDS);
    if (interference !== undefined) {
      if (interference.cutAfter !== undefined) this.#extended.isLost = true;
      if (interference.error !== undefined || interference.refused) this.#extended.isServed = false;
    }
    if (warnings.size > 0) {
      this.#extended.warnings = [...warnings];
      for (const { length } of warnings) this.#grow(2 * length);
    }
    this.answeredAt = ++this.log.position;
    this.log.answered(this);
  }

  #grow(bytes: number): void {
    this.weight += bytes;
    this.log.grown(this, bytes);
  }

  get #extended(): Details {
    if (this.more !== undefined) return this.more;
    this.more = new Details();
    if (this.isPacked) this.log.detailed(this);
    return this.more;
  }
}

/**
 * Returns the verb, the resource and the other properties that the path and the method of a request determine. They are parsed when they
 * are needed instead of kept, because most recorded requests are never looked at.
 */
export function infoOf({ details, path, query }: Entry): RequestInfo {
  return parseRequestInfo(details.method, percentDecode(path) ?? path, parseQuery(query));
}

/** Returns the object of a stored entry; undefined if it cannot be read. */
export function readStored<T extends object>(entry: { readonly value: T } | undefined): T | undefined {
  try {
    return entry?.value;
  } catch {
    return undefined;
  }
}
