import { type Clock, systemClock } from '../../meta/clock.js';
import type { ObservedRequest, RequestObserver, ServerObserver } from '../../requests/request-observer.js';
import { estimateSize } from '../../store/estimate-size.js';
import { Entry, readStored } from './entry.js';

/** An object that requests refer to: how many do, and its estimated size. */
interface Held {
  uses: number;
  readonly weight: number;
}

/** The number of dropped places at the front of the list from which on they are removed. */
const MANY = 1024;
/** The milliseconds for which a reading of the machine's time counts. */
const SHORT = 50;

/** The bounds of a ledger. */
export interface Bounds {
  readonly limit: number;
  readonly maxBytes: number;
  readonly own: boolean;
}

/** The entries of a log, within their bounds. Every request passes through it, so it has few calls and makes no objects but the entries. */
export class Ledger implements ServerObserver {
  /** When it began, in milliseconds since the epoch. */
  readonly start: number;
  /** The number of the newest request, and of the newest one that was forgotten on demand. */
  newest = 0;
  forgotten = 0;
  /** The last position among the requests, answers and deliveries. */
  position = 0;
  /** The estimated bytes that it holds. */
  bytes = 0;
  readonly #bounds: Bounds;
  readonly #clock: Clock;
  #entries: (Entry | undefined)[] = [];
  /** The index of the oldest entry that is kept. */
  #first = 0;
  #held = new Map<object, Held>();
  #last: object | undefined;
  #lastHeld: Held | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #readTime = 0;

  constructor(clock: Clock, bounds: Bounds) {
    this.start = clock.now();
    this.#clock = clock;
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  observe(request: ObservedRequest): RequestObserver | undefined {
    if (request.caller?.isOwn && !this.#bounds.own) return undefined;
    const entry = new Entry(this, ++this.newest, this.#timeOf(request), request);
    this.bytes += entry.weight;
    const kept = this.#entries.push(entry) - this.#first;
    if (kept > this.#bounds.limit || this.bytes > this.#bounds.maxBytes) this.#trim();
    return entry;
  }

  /** Returns the entry with a number, if it is kept. */
  get(number: number): Entry | undefined {
    const index = this.#entries.length - 1 - (this.newest - number);
    return index < this.#first ? undefined : this.#entries[index];
  }

  /** Returns the entries that are kept, the oldest first. */
  all(): readonly Entry[] {
    return this.#entries.slice(this.#first) as Entry[]; // only places before the first kept one are empty
  }

  clear(): void {
    this.forgotten = this.newest;
    this.#entries = [];
    this.#first = 0;
    this.bytes = 0;
    this.#held = new Map();
    this.#last = undefined;
    this.#lastHeld = undefined;
  }

  /** Counts the objects of an entry, which has its answer. */
  answered(entry: Entry): void {
    if (!this.#keeps(entry)) return;
    const { answer, written } = entry;
    if (written !== undefined) {
      const { object, document, changes = [] } = written;
      for (const { before, after } of changes) {
        this.#use(readStored(before));
        this.#use(readStored(after), readStored(before));
      }
      this.#use(object);
      this.#use(document);
    }
    this.#use(answer);
    if (this.bytes > this.#bounds.maxBytes) this.#trim();
  }

  /** Counts what an entry has grown by beside its objects, in bytes. */
  grown(entry: Entry, bytes: number): void {
    if (!this.#keeps(entry)) return;
    this.bytes += bytes;
    if (this.bytes > this.#bounds.maxBytes) this.#trim();
  }

  /**
   * Returns the whole milliseconds from the beginning to a request. Every request has a reading of the monotonic clock already, so the machine's time
   * is read only now and then: a second reading for each request would cost half of what a log may cost.
   */
  #timeOf({ deadline: { began } }: ObservedRequest): number {
    if (this.#clock !== systemClock) return this.#clock.now() - this.start;
    if (began - this.#readAt > SHORT) {
      this.#readAt = began;
      this.#readTime = this.#clock.now() - this.start;
    }
    return Math.round(this.#readTime + (began - this.#readAt));
  }

  #keeps({ number }: Entry): boolean {
    return number > this.newest - (this.#entries.length - this.#first);
  }

  #use(object: object | undefined, before?: object): void {
    if (object === undefined) return;
    // Most requests read what the one before has read, so the map is seldom asked.
    if (object === this.#last && this.#lastHeld !== undefined) {
      this.#lastHeld.uses++;
      return;
    }
    let held = this.#held.get(object);
    if (held !== undefined) held.uses++;
    else {
      held = { uses: 1, weight: estimateSize(object, before) };
      this.#held.set(object, held);
      this.bytes += held.weight;
    }
    this.#last = object;
    this.#lastHeld = held;
  }

  #trim(): void {
    const { limit, maxBytes } = this.#bounds;
    while (this.size > limit || (this.bytes > maxBytes && this.size > 1)) {
      const entry = this.#entries[this.#first];
      this.#entries[this.#first++] = undefined;
      if (entry) this.#drop(entry);
    }
    if (this.#first < MANY || this.#first < this.#entries.length / 2) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }

  #drop(entry: Entry): void {
    this.bytes -= entry.weight;
    // Only the objects of an answered request are counted.
    if (entry.answeredAt === 0) return;
    const { answer, written } = entry;
    if (written !== undefined) {
      const { object, document, changes = [] } = written;
      for (const { before, after } of changes) {
        this.#release(readStored(before));
        this.#release(readStored(after));
      }
      this.#release(object);
      this.#release(document);
    }
    this.#release(answer);
  }

  #release(object: object | undefined): void {
    if (object === undefined) return;
    const held = object === this.#last ? this.#lastHeld : this.#held.get(object);
    if (!held || --held.uses > 0) return;
    this.#held.delete(object);
    this.bytes -= held.weight;
    if (object !== this.#last) return;
    this.#last = undefined;
    this.#lastHeld = undefined;
  }
}
