import type { Dialect } from '../../meta/dialect.js';
import type { ObservedRequest, RequestObserver, ServerObserver } from '../../requests/request-observer.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { estimateSize } from '../../store/estimate-size.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { Entry, type EntryLog } from './entry.js';
import { viewOf } from './entry-view.js';
import { type RecordedMatcher, recordedTest } from './recorded-matcher.js';
import type { RecordedRequest } from './recorded-request.js';
import { valueOf } from './stored-value.js';

export interface RecordRequestsOptions {
  /** The most requests that the log keeps; the oldest go. Default 10,000. */
  readonly limit?: number;
  /**
   * The most bytes that the log keeps, as estimated: the requests, and each object, patch and body that they refer to once, whether the
   * server still has it or not. The oldest requests go, but for the newest one. Default 64 MiB.
   */
  readonly maxBytes?: number;
  /** Whether the requests of the server itself are recorded as well: those of built-in controllers, and parts of other requests. Default false. */
  readonly own?: boolean;
}

const LIMIT = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** The number of dropped places at the front of the list from which on they are removed. */
const MANY = 1024;

/** An object that requests refer to: how many do, and its estimated size. */
interface Held {
  uses: number;
  readonly weight: number;
}

/**
 * The requests of a server, the oldest first, from the moment that {@link recordRequests} was called until {@link stop}. Requests that are
 * under way are among them. Iterating over it gives those that are kept at that moment.
 */
export class RequestLog implements Iterable<RecordedRequest>, Disposable {
  /** The dialect of the server, which names the API groups. */
  readonly dialect: Dialect;
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #removeObserver: () => void;
  #entries: (Entry | undefined)[] = [];
  /** The index of the oldest entry that is kept. */
  #first = 0;
  /** The number of the newest request. */
  #newest = 0;
  /** The number of the newest request that was forgotten on demand. */
  #cleared = 0;
  #position = 0;
  #bytes = 0;
  #held = new Map<object, Held>();
  #last: object | undefined;
  #lastHeld: Held | undefined;

  /** @throws TypeError if the server is being recorded already, and for an option that does not exist or is out of range. */
  constructor(server: CoreApiServer, options: RecordRequestsOptions = {}) {
    refuseUnknownMembers('recordRequests', options, ['limit', 'maxBytes', 'own']);
    const { limit = LIMIT, maxBytes = MAX_BYTES, own = false } = options;
    for (const [name, value] of Object.entries({ limit, maxBytes }))
      if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name} is a whole number from 1 on`);
    if (typeof own !== 'boolean') throw new TypeError('own is true or false');
    this.dialect = server.dialect;
    this.#limit = limit;
    this.#maxBytes = maxBytes;
    const log: EntryLog = {
      next: () => ++this.#position,
      answered: (entry) => this.#hold(entry),
      grown: (entry, bytes) => this.#grown(entry, bytes),
    };
    const observer: ServerObserver = {
      observe: (request) => (request.caller?.isOwn && !own ? undefined : this.#begin(log, request)),
    };
    this.#removeObserver = server.observe(observer);
  }

  /** The number of requests that are kept. */
  get size(): number {
    return this.#entries.length - this.#first;
  }
  /** The number of requests that were dropped because of the limits. */
  get dropped(): number {
    return this.#newest - this.size - this.#cleared;
  }
  /** The estimated bytes that the log holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the request with a number, if it is kept. */
  get(number: number): RecordedRequest | undefined {
    const index = this.#entries.length - 1 - (this.#newest - number);
    const entry = index < this.#first ? undefined : this.#entries[index];
    return entry && viewOf(entry);
  }

  /** Returns the requests that match, the oldest first. @throws TypeError for a matcher that is not one. */
  filter(match: RecordedMatcher): readonly RecordedRequest[] {
    return [...this].filter(recordedTest(match));
  }

  *[Symbol.iterator](): Generator<RecordedRequest> {
    for (const entry of this.#entries.slice(this.#first)) if (entry) yield viewOf(entry);
  }

  /** Forgets all requests. */
  clear(): void {
    this.#cleared = this.#newest;
    this.#entries = [];
    this.#first = 0;
    this.#bytes = 0;
    this.#held = new Map();
    this.#last = undefined;
    this.#lastHeld = undefined;
  }

  /** Records no further requests. What is recorded stays; requests and watches that are under way are followed to their end. */
  stop(): void {
    this.#removeObserver();
  }
  [Symbol.dispose](): void {
    this.stop();
  }

  #begin(log: EntryLog, request: ObservedRequest): RequestObserver {
    const entry = new Entry(log, ++this.#newest, request);
    this.#bytes += entry.weight;
    this.#entries.push(entry);
    this.#trim();
    return entry;
  }

  #keeps({ number }: Entry): boolean {
    return number > this.#newest - this.size;
  }

  #grown(entry: Entry, bytes: number): void {
    if (!this.#keeps(entry)) return;
    this.#bytes += bytes;
    this.#trim();
  }

  /** Counts the objects of an answered request. */
  #hold(entry: Entry): void {
    if (!this.#keeps(entry)) return;
    const { answer, object, document, changes } = entry;
    if (changes !== undefined)
      for (const { before, after } of changes) {
        this.#use(valueOf(before));
        this.#use(valueOf(after), valueOf(before));
      }
    this.#use(answer);
    this.#use(object);
    this.#use(document);
    if (this.#bytes > this.#maxBytes) this.#trim();
  }

  #use(object: object | undefined, before?: object): void {
    if (object === undefined) return;
    // Most requests read what the one before has read, so the map is seldom asked.
    if (object === this.#last && this.#lastHeld) {
      this.#lastHeld.uses++;
      return;
    }
    let held = this.#held.get(object);
    if (held) held.uses++;
    else {
      held = { uses: 1, weight: estimateSize(object, before) };
      this.#held.set(object, held);
      this.#bytes += held.weight;
    }
    this.#last = object;
    this.#lastHeld = held;
  }

  #trim(): void {
    const entries = this.#entries;
    while (this.size > this.#limit || (this.#bytes > this.#maxBytes && this.size > 1)) {
      const entry = entries[this.#first];
      entries[this.#first++] = undefined;
      if (entry) this.#drop(entry);
    }
    if (this.#first < MANY || this.#first < entries.length / 2) return;
    this.#entries = entries.slice(this.#first);
    this.#first = 0;
  }

  #drop(entry: Entry): void {
    this.#bytes -= entry.weight;
    // Only the objects of an answered request are counted.
    if (entry.answeredAt === undefined) return;
    const { answer, object, document, changes } = entry;
    if (changes !== undefined)
      for (const { before, after } of changes) {
        this.#release(valueOf(before));
        this.#release(valueOf(after));
      }
    this.#release(answer);
    this.#release(object);
    this.#release(document);
  }

  #release(object: object | undefined): void {
    const held = object && this.#held.get(object);
    if (!held || --held.uses > 0) return;
    this.#held.delete(object);
    this.#bytes -= held.weight;
    if (object !== this.#last) return;
    this.#last = undefined;
    this.#lastHeld = undefined;
  }
}

/**
 * Records the requests of a server, of all its clients: who sent them, what the authorizers and admission decided, what they wrote and what
 * was answered. The log ends with `stop()`, or with its scope: `using requests = recordRequests(server)`.
 * @throws TypeError if the server is being recorded already, and for an option that does not exist or is out of range.
 */
export function recordRequests(server: CoreApiServer, options?: RecordRequestsOptions): RequestLog {
  return new RequestLog(server, options);
}
