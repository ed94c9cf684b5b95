import { refuseUnknownMembers } from '../values/did-you-mean.js';
import type { EntryTree } from './entry-tree.js';
import { Ring } from './ring.js';
import type { Entry, StoreEvent } from './storage.js';

/** The limits of the history. When any limit is exceeded, the oldest events are dropped. */
export interface HistoryBounds {
  /**
   * The maximum age of events in milliseconds. Default 5 minutes; `Infinity` for no limit. With a monotonic clock the age does not depend
   * on the time of day. With another clock, setting the clock back does not change the age.
   */
  readonly maxAgeMilliseconds?: number;
  /** The maximum number of events. Default 100,000. It also limits the history while the clock does not advance. */
  readonly maxEvents?: number;
  /** The maximum bytes of versions that only the history still holds, as `sizeOf` counts them. Default 256 MiB. */
  readonly maxBytes?: number;
}

/** Checks the option `history` of a storage. @throws TypeError for an unknown member */
export function refuseUnknownBounds(where: string, bounds: HistoryBounds | undefined): void {
  refuseUnknownMembers(`${where}: history`, bounds ?? {}, ['maxAgeMilliseconds', 'maxEvents', 'maxBytes']);
}

/** Five minutes, in milliseconds. */
export const DEFAULT_MAX_AGE = 5 * 60_000;
const TRIMS_PER_AGE = 10;

/** A past event with the entry that is needed to undo it. */
export interface HistoryRecord<T> {
  readonly event: StoreEvent<T>;
  /** The entry that the event replaced or removed; undefined if the key was created. */
  readonly before: Entry<T> | undefined;
  /** The time of the event, in milliseconds of a monotonic clock. */
  readonly time: number;
  /** The estimated number of bytes that are freed when this record is dropped. */
  readonly bytes: number;
}

/**
 * The newest events, limited by age, count and bytes. Example, with room for two events:
 *
 *     put /a at 2, put /b at 3, put /a at 4
 *     compactRevision 1 -> 1 -> 2
 *
 * Event 2 was dropped. Revision 2 is the oldest state that can be restored, by undoing the later events (3, 4).
 */
export class History<T> {
  readonly #bounds: HistoryBounds;
  /** The records that are held, numbered in the order in which they were pushed. Only the history itself changes them. */
  readonly records: Ring<HistoryRecord<T>>;
  readonly #maxAge: number;
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #bytes = 0;
  #compactRevision: number;

  constructor(firstRevision: number, bounds: HistoryBounds = {}, records = new Ring<HistoryRecord<T>>()) {
    this.records = records;
    this.#compactRevision = firstRevision;
    this.#bounds = bounds;
    this.#maxAge = bounds.maxAgeMilliseconds ?? DEFAULT_MAX_AGE;
    this.#maxEvents = bounds.maxEvents ?? 100_000;
    this.#maxBytes = bounds.maxBytes ?? 256 * 1024 * 1024;
  }

  /** The revision of the newest dropped event, or the revision at which the history began. All later events are held. */
  get compactRevision(): number {
    return this.#compactRevision;
  }

  /** Returns a copy of this history that ends at a revision within it. It costs O(1) for the newest revision, which is the default. */
  clone(revision = Number.POSITIVE_INFINITY): History<T> {
    const end = this.firstAfter(revision);
    const clone = new History<T>(this.#compactRevision, this.#bounds, this.records.clone(end));
    clone.#bytes = this.#bytes;
    for (let number = end; number < this.records.end; number++) clone.#bytes -= this.records.at(number)?.bytes ?? 0;
    return clone;
  }

  push(record: HistoryRecord<T>): void {
    this.records.push(record);
    this.#bytes += record.bytes;
  }

  /** Drops the oldest records until no limit is exceeded at the time `now`; returns true when something was dropped. */
  trim(now: number): boolean {
    const before = this.#compactRevision;
    const { records } = this;
    for (let oldest = records.oldest; oldest !== undefined; oldest = records.oldest) {
      const isHeld =
        now - oldest.time <= this.#maxAge && records.length <= this.#maxEvents && this.#bytes <= this.#maxBytes;
      if (isHeld) break;
      records.shift();
      this.#bytes -= oldest.bytes;
      this.#compactRevision = oldest.event.revision;
    }
    return this.#compactRevision !== before;
  }

  /** Drops all records, because later records do not continue them. The state at `revision` is then the oldest one. */
  restart(revision: number): void {
    while (this.records.length > 0) this.records.shift();
    this.#bytes = 0;
    this.#compactRevision = revision;
  }

  /**
   * Returns the milliseconds from `now` until the next trim by age; undefined when no record can become too old. The wait is at least a
   * tenth of the maximum age, so that one trim drops many events.
   */
  nextTrim(now: number): number | undefined {
    const { oldest } = this.records;
    if (oldest === undefined || this.#maxAge === Number.POSITIVE_INFINITY) return undefined;
    return Math.max(oldest.time + this.#maxAge + 1 - now, this.#maxAge / TRIMS_PER_AGE);
  }

  /** Returns the number of the first record newer than `revision`; `end` when there is no such record. */
  firstAfter(revision: number): number {
    let low = this.records.start;
    let high = this.records.end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.records.at(middle)?.event.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The whole state at one revision. */
interface Snapshot<T> {
  readonly revision: number;
  readonly tree: EntryTree<T>;
}

/** The number of past states that are cached for the next pages of the same list. */
const MAX_VIEWS = 16;

/**
 * Past states of a store. Every `interval` events, one state is kept (a clone costs O(1)). The state at any other revision is computed from
 * the next kept state, or from the newest state, by undoing at most `interval` events.
 */
export class Snapshots<T> {
  readonly #history: History<T>;
  readonly #interval: number;
  /** The kept states in order of revision. */
  #kept: Snapshot<T>[] = [];
  /** The cached states by revision, least recently used first. */
  readonly #views = new Map<number, EntryTree<T>>();
  #eventsSinceKept = 0;

  constructor(history: History<T>, interval: number) {
    this.#history = history;
    this.#interval = interval;
  }

  /** Returns the past states up to a revision, for a clone of the history. */
  clone(history: History<T>, revision: number): Snapshots<T> {
    const clone = new Snapshots(history, this.#interval);
    clone.#kept = this.#kept.filter((kept) => kept.revision <= revision);
    clone.#eventsSinceKept = this.#eventsSinceKept;
    return clone;
  }

  /** Records the state after an event. Must be called for every event. */
  afterEvent(newest: Snapshot<T>): void {
    this.#eventsSinceKept++;
    // Several writes can have the same revision. If the last kept state has the revision of this event, it lacks this write and is dropped.
    if (this.#kept.at(-1)?.revision === newest.revision) this.#kept.pop();
    if (this.#eventsSinceKept < this.#interval) return;
    this.#eventsSinceKept = 0;
    this.#kept.push({ revision: newest.revision, tree: newest.tree.clone() });
  }

  /** Drops the states older than `compactRevision`, because lists at compacted revisions are refused. */
  compact(compactRevision: number): void {
    const oldest = this.#kept[0];
    if (oldest !== undefined && oldest.revision < compactRevision) {
      this.#kept = this.#kept.filter(({ revision }) => revision >= compactRevision);
    }
    for (const revision of this.#views.keys()) if (revision < compactRevision) this.#views.delete(revision);
  }

  /** Returns the state at a revision that the history covers. Callers must not change it. */
  at(revision: number, newest: Snapshot<T>): EntryTree<T> {
    if (revision === newest.revision) return newest.tree;
    const next = this.#kept.find((kept) => kept.revision >= revision) ?? newest;
    if (next.revision === revision) return next.tree;
    const view = this.#views.get(revision) ?? this.#undo(next, revision);
    this.#views.delete(revision);
    this.#views.set(revision, view);
    const [leastUsed] = this.#views.keys();
    if (leastUsed !== undefined && this.#views.size > MAX_VIEWS) this.#views.delete(leastUsed);
    return view;
  }

  #undo(from: Snapshot<T>, revision: number): EntryTree<T> {
    const tree = from.tree.clone();
    const stop = this.#history.firstAfter(revision);
    for (let number = this.#history.firstAfter(from.revision) - 1; number >= stop; number--) {
      const record = this.#history.records.at(number);
      if (record?.before !== undefined) tree.set(record.before);
      else if (record !== undefined) tree.delete(record.event.key);
    }
    return tree;
  }
}
