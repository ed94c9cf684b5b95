import { Ring } from './ring.js';
import type { Entry, StoreEvent } from './storage.js';

/** How much of the past is held. Whatever passes any bound is dropped, oldest first. */
export interface HistoryBounds {
  /** Default 5 minutes, however the time of day is set; `Infinity` for no bound. A clock that only has that, and is set back, counts as stopped. */
  readonly maxAgeMilliseconds?: number;
  /** Default 100,000. Holds also while the clock is stopped. */
  readonly maxEvents?: number;
  /** Bytes held by versions that live on only in the history, as `sizeOf` counts them; default 256 MiB. */
  readonly maxBytes?: number;
}

const LOOKS_PER_AGE = 10;

/** One event of the past with what is needed to undo it. */
export interface HistoryRecord<T> {
  readonly event: StoreEvent<T>;
  /** The entry that the event replaced or removed. */
  readonly before: Entry<T> | undefined;
  /** When it happened, in milliseconds of a time that never goes back. */
  readonly time: number;
  /** What dropping it gives back. */
  readonly bytes: number;
}

/**
 * The newest events, bounded by age, count and bytes. Example, with room for two events:
 *
 *     put /a at 2, put /b at 3, put /a at 4     compactRevision 1 -> 1 -> 2
 *
 * Event 2 fell out, so revision 2 is the oldest that the events after it (3, 4) can still be undone down to.
 */
export class History<T> {
  readonly #records = new Ring<HistoryRecord<T>>();
  readonly #maxAge: number;
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #bytes = 0;
  #compactRevision: number;

  constructor(firstRevision: number, bounds: HistoryBounds = {}) {
    this.#compactRevision = firstRevision;
    this.#maxAge = bounds.maxAgeMilliseconds ?? 5 * 60_000;
    this.#maxEvents = bounds.maxEvents ?? 100_000;
    this.#maxBytes = bounds.maxBytes ?? 256 * 1024 * 1024;
  }

  /** Revision of the newest event dropped, or the one the history began with: events after it are all held. */
  get compactRevision(): number {
    return this.#compactRevision;
  }
  /** Number of the oldest record held; numbers count all records ever pushed. */
  get start(): number {
    return this.#records.start;
  }
  /** Number of the next record to come. */
  get end(): number {
    return this.#records.end;
  }
  at(number: number): HistoryRecord<T> | undefined {
    return this.#records.at(number);
  }
  push(record: HistoryRecord<T>): void {
    this.#records.push(record);
    this.#bytes += record.bytes;
  }

  /** Drops what is past a bound at the time `now`; true when something was dropped. */
  trim(now: number): boolean {
    const before = this.#compactRevision;
    for (let oldest = this.at(this.start); oldest !== undefined; oldest = this.at(this.start)) {
      const isHeld =
        now - oldest.time <= this.#maxAge && this.end - this.start <= this.#maxEvents && this.#bytes <= this.#maxBytes;
      if (isHeld) break;
      this.#records.shift();
      this.#bytes -= oldest.bytes;
      this.#compactRevision = oldest.event.revision;
    }
    return this.#compactRevision !== before;
  }

  /**
   * Milliseconds from `now` until it is worth trimming by age; undefined when nothing will be too old. At most a tenth of the
   * age late, so that few looks serve many events.
   */
  nextTrim(now: number): number | undefined {
    const oldest = this.at(this.start);
    if (oldest === undefined || this.#maxAge === Number.POSITIVE_INFINITY) return undefined;
    return Math.max(oldest.time + this.#maxAge + 1 - now, this.#maxAge / LOOKS_PER_AGE);
  }

  /** Number of the first record newer than `revision`; `end` when there is none. */
  firstAfter(revision: number): number {
    let low = this.start;
    let high = this.end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.at(middle)?.event.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
