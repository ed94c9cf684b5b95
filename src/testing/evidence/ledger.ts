import { type Clock, systemClock } from '../../meta/clock.js';
import type { ObservedRequest, RequestObserver, ServerObserver } from '../../requests/request-observer.js';
import { estimateSize } from '../../store/estimate-size.js';
import { Entry, readStored } from './entry.js';

/** The number of references that the log's requests hold to an object, and the object's estimated size. */
interface Held {
  uses: number;
  readonly weight: number;
}

/** The slots at the front of the list are removed when at least this number of them is empty. */
const MAX_EMPTY_SLOTS = 1024;
/** The milliseconds for which one reading of the time of day is reused. */
const READING_MILLISECONDS = 50;

/** The limits of a {@link Ledger}, and whether it records the server's own requests. */
export interface Bounds {
  readonly limit: number;
  readonly maxBytes: number;
  readonly own: boolean;
}

/**
 * The entries of a log, within the limits of the log. Its methods run for every request, so they make few calls and allocate only the
 * entries.
 */
export class Ledger implements ServerObserver {
  /** The time at which the log began, in milliseconds since the epoch. */
  readonly start: number;
  /** The number of the newest request (`newest`), and the value of `newest` when the log was last cleared (`forgotten`). */
  newest = 0;
  forgotten = 0;
  /** The last position in the sequence of requests, responses and deliveries. */
  position = 0;
  /** The estimated bytes of the entries and of the objects that they refer to. */
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

  /** Returns the entry with the given number; undefined if the entry is not kept. */
  get(number: number): Entry | undefined {
    const index = this.#entries.length - 1 - (this.newest - number);
    return index < this.#first ? undefined : this.#entries[index];
  }

  /** Returns the entries that are kept, the oldest first. */
  all(): readonly Entry[] {
    // Only slots before the first kept entry are empty, so the cast is safe.
    return this.#entries.slice(this.#first) as Entry[];
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

  /** Adds the objects of an answered entry to the estimate. */
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

  /** Adds to the estimate the bytes by which an entry has grown, without its objects. */
  grown(entry: Entry, bytes: number): void {
    if (!this.#keeps(entry)) return;
    this.bytes += bytes;
    if (this.bytes > this.#bounds.maxBytes) this.#trim();
  }

  /**
   * Returns the whole milliseconds from the beginning of the log to the arrival of a request. It adds the progress of the monotonic clock,
   * which was read for the request anyway, to a reading of the time of day that is at most {@link READING_MILLISECONDS} milliseconds old.
   * Reading the time of day for each request would take half of the time that recording a request may take.
   */
  #timeOf({ deadline: { began } }: ObservedRequest): number {
    if (this.#clock !== systemClock) return this.#clock.now() - this.start;
    if (began - this.#readAt > READING_MILLISECONDS) {
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
    // Consecutive requests often use the same object, such as the returned one. This comparison then saves the search in the map.
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
    if (this.#first < MAX_EMPTY_SLOTS || this.#first < this.#entries.length / 2) return;
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
