import { type Clock, reading } from '../meta/clock.js';
import type { BackendRecord, BackendState } from './backend.js';
import { EntryTree, prefixRange } from './entry-tree.js';
import { estimateSize } from './estimate-size.js';
import { deepFreeze } from './freeze.js';
import { History, type HistoryBounds, type HistoryRecord, Snapshots } from './history.js';
import { MemorySnapshot, type StateLimits } from './memory-snapshot.js';
import { MemoryWatch, Watchers, type WatchSource } from './memory-watch.js';
import { Quota } from './quota.js';
import { type ReadRecord, RestoredEntry, RestoredEvent } from './restored.js';
import { RevisionWaiters } from './revision-waiters.js';
import {
  type Entry,
  type ListOptions,
  type Page,
  type RevisionWaitOptions,
  StoreError,
  type StoreEvent,
  type Watch,
  type WatchOptions,
} from './storage.js';

/** The options of a {@link MemoryState}. */
export interface MemoryStateOptions<T> {
  /** The clock, by which events become too old for the history. */
  readonly clock: Clock;
  /** A snapshot to continue from. It replaces `firstRevision`, `history`, `maxBytes`, `snapshotInterval` and `sizeOf`. Default: none. */
  readonly from?: MemorySnapshot<T> | undefined;
  /** Revision of the initial state. Default 1, so that the list of an empty store does not have the revision 0. */
  readonly firstRevision?: number;
  /** Entries that exist at the first revision, such as those that a durable backend has read. Default: none. */
  readonly entries?: Iterable<Entry<T>>;
  /** The limits of the history. Default: those of {@link HistoryBounds}. */
  readonly history?: HistoryBounds;
  /**
   * The maximum size in bytes of all newest versions together, as `sizeOf` counts them. A put that would exceed it is refused with
   * StoreError `storageFull`, while puts that shrink a value and deletions are accepted. Replaced versions have their own limit,
   * `history.maxBytes`. Default: no limit.
   */
  readonly maxBytes?: number;
  /**
   * Number of events between two kept snapshots; default 1000. A smaller number makes lists of older revisions faster, and needs more
   * memory.
   */
  readonly snapshotInterval?: number;
  /**
   * Estimates the bytes of a version without the parts that it shares with another version of the same key. It is called once per write for
   * the replaced version, and with `maxBytes` also for the new one. The default implementation walks the parts that are not shared.
   */
  readonly sizeOf?: (value: T, sharedWith?: T) => number;
  /** Called after the history has dropped events, with the new `compactRevision`. A durable backend then drops the same events. */
  readonly onCompacted?: (revision: number) => void;
}

/** A write that is committed, so the state must accept it. */
export interface CommittedWrite<T> {
  /** Whether the value was written or removed. */
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The new value, or the last value of a deleted key. It already contains the revision, and the state freezes it. */
  readonly value: T;
  /** The revision. It is greater than that of every earlier write, or at least as great if `mayShareRevision` is true. */
  readonly revision: number;
  /** Whether the write may have the same revision as the previous write, as writes to several keys in one transaction do. */
  readonly mayShareRevision?: boolean;
}

/** The estimated bytes of an event without its values: the event, its record and its entry. */
const EVENT_BYTES = 256;
const WAIT_TIMEOUT_MILLISECONDS = 3000;

/**
 * The in-memory part of every store: all reads, the history and the watches. It contains committed writes only. The backend that commits
 * them (this process alone, a log on disk, a remote server) reports each write with {@link apply}.
 */
export class MemoryState<T extends object> {
  readonly #clock: Clock;
  readonly #limits: StateLimits<T>;
  readonly #sizeOf: (value: T, sharedWith?: T) => number;
  readonly #tree: EntryTree<T>;
  readonly #history: History<T>;
  readonly #snapshots: Snapshots<T>;
  readonly #watchers = new Watchers<T>();
  /** Created when a caller first waits for a future revision, which most callers never do. */
  #waiters: RevisionWaiters | undefined;
  readonly #watchSource: WatchSource<T>;
  readonly #quota: Quota<T> | undefined;
  readonly #onCompacted: ((revision: number) => void) | undefined;
  /** The last readable value of the same key, for each entry whose own value cannot be decrypted or decoded. */
  readonly #lastPublished = new WeakMap<Entry<T>, T>();
  /** The last reading of the clock, and the milliseconds that have passed since the start. The latter never decrease. */
  #lastTime: number;
  #elapsed = 0;
  #cancelTimer: (() => void) | undefined;
  #revision: number;
  #isClosed = false;
  /** Whether differences to a newer state are being applied. Their revisions may be older than the revision of this state. */
  #isSkipping = false;

  constructor(options: MemoryStateOptions<T>) {
    const { from, firstRevision = 1 } = options;
    const parts = from?.parts;
    const { maxBytes, sizeOf } = parts?.limits ?? options;
    if (!Number.isSafeInteger(firstRevision) || firstRevision < 1) {
      throw new TypeError('firstRevision must be an integer of at least 1');
    }
    this.#clock = options.clock;
    this.#lastTime = reading(options.clock);
    this.#limits = { ...(maxBytes === undefined ? {} : { maxBytes }), ...(sizeOf ? { sizeOf } : {}) };
    this.#sizeOf = sizeOf ?? estimateSize;
    this.#onCompacted = options.onCompacted;
    if (maxBytes !== undefined) this.#quota = new Quota(maxBytes, this.#sizeOf);
    this.#revision = from?.revision ?? firstRevision;
    this.#elapsed = parts?.elapsed ?? 0;
    this.#tree = parts?.tree.clone() ?? new EntryTree();
    this.#history = parts?.history.clone() ?? new History(firstRevision, options.history);
    this.#snapshots =
      parts?.snapshots.clone(this.#history, this.#revision) ??
      new Snapshots(this.#history, options.snapshotInterval ?? 1000);
    this.#watchSource = {
      history: this.#history,
      closed: (watch) => this.#watchers.remove(watch),
      replaying: (watch) => this.#watchers.replaying(watch),
      notifyReaders: () => this.#watchers.notifyReaders(),
    };
    if (parts && this.#quota)
      for (const { key, value } of this.#tree.collect(prefixRange(''))) this.#quota.changed(key, value, undefined);
    for (const { key, value, revision, createRevision } of options.entries ?? []) {
      this.#tree.set(Object.freeze({ key, value: deepFreeze(value), revision, createRevision }));
      this.#quota?.changed(key, value, undefined);
    }
  }

  /** Revision of the newest write. */
  get revision(): number {
    return this.#revision;
  }
  /** Reading this member compacts first, so that the result is exact. The timer alone drops events a little after they become too old. */
  get compactRevision(): number {
    this.#compact();
    return this.#history.compactRevision;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the entry of a key; undefined for an absent key. */
  get(key: string): Entry<T> | undefined {
    return this.#tree.get(key);
  }

  /** Returns the entries whose keys begin with a prefix. @throws StoreError for a revision that is not held. */
  list(prefix: string, options: ListOptions = {}): Page<T> {
    const { revision = this.#revision, limit } = options;
    const tree = revision === this.#revision ? this.#tree : this.#treeAt(revision);
    const range = prefixRange(prefix, options.after);
    const entries = tree.collect(range, limit);
    const remaining = limit === undefined || entries.length < limit ? 0 : tree.count(range) - entries.length;
    return { entries, revision, remaining };
  }

  /**
   * Returns the state at a revision, with the history before it. Both share their data with this state; later writes do not change them.
   * @throws StoreError `compacted` or `futureRevision` if the revision is not held.
   */
  snapshot(revision = this.#revision): MemorySnapshot<T> {
    const tree = this.#treeAt(revision).clone();
    const history = this.#history.clone(revision);
    const snapshots = this.#snapshots.clone(history, revision);
    return new MemorySnapshot(revision, { tree, history, snapshots, elapsed: this.#now(), limits: this.#limits });
  }

  /** Returns the number of keys that begin with a prefix. */
  count(prefix: string): number {
    return this.#tree.count(prefixRange(prefix));
  }

  /** Opens a watch, as described at `Storage`. */
  watch(prefix: string, fromRevision: number, options: WatchOptions<T> = {}): Watch<T> {
    this.#assertHeld(fromRevision);
    const watch = new MemoryWatch(this.#watchSource, prefix, fromRevision, options);
    if (this.#isClosed) watch.end(undefined);
    else this.#watchers.add(watch);
    return watch;
  }

  /** Resolves once the revision is at least `revision`, as described at `Storage`. */
  waitFor(revision = this.#revision, options: RevisionWaitOptions = {}): Promise<void> | undefined {
    return revision <= this.#revision ? undefined : this.#waitForRevision(revision, options);
  }

  async #waitForRevision(revision: number, options: RevisionWaitOptions): Promise<void> {
    if (this.#isClosed) throw new StoreError('closed', 'the store was closed');
    const { timeoutMilliseconds = WAIT_TIMEOUT_MILLISECONDS, signal } = options;
    this.#waiters ??= new RevisionWaiters(this.#clock);
    await this.#waiters.wait(revision, () => this.#revision, timeoutMilliseconds, signal);
  }

  /** Checks the quota; must be called before a put is committed. @throws StoreError `storageFull` */
  assertRoom(key: string, value: T): void {
    this.#quota?.assertRoom(key, value, this.get(key)?.value);
  }

  /**
   * Fills a new state with the data that an earlier process wrote, without decoding the values. The first revision of this state must be
   * the `compactRevision` of the data. The limits of the history apply to the events.
   * @param sizeOf estimates the bytes of an object in memory
   * @param now the time at which the data was read, in milliseconds since the epoch
   */
  restore<V>(
    { entries, events }: Pick<BackendState<V>, 'entries' | 'events'>,
    read: ReadRecord<T, V>,
    sizeOf: (value: V) => number,
    now: number,
  ): void {
    for (const record of entries) this.#tree.set(new RestoredEntry(record, read));
    // Times of the history never decrease, even if the clock was set back while the events were written.
    let time = Number.NEGATIVE_INFINITY;
    for (const record of events) {
      const before = this.#tree.get(record.key);
      const entry = new RestoredEntry(record, read, record.value === undefined ? before : undefined);
      time = Math.max(time, this.#elapsed - Math.max(0, now - (record.time ?? now)));
      // The replaced version is not decoded: it is assumed to be as large as the version that replaces it.
      const replaced = before === undefined || record.value === undefined ? 0 : sizeOf(record.value);
      const bytes = EVENT_BYTES + replaced;
      this.#append(entry, { event: new RestoredEvent(record.type, entry, before), before, time, bytes });
    }
    this.#compact();
  }

  /**
   * Applies a committed write: updates the entry, records the event, and notifies the matching watches and the waiters for the revision.
   * Returns the new entry; for a deletion the last one. It applies the write completely or throws without any change.
   * @throws TypeError when the revision is not newer than the state's, or a deleted key is absent.
   */
  apply({ type, key, value, revision, mayShareRevision = false }: CommittedWrite<T>): Entry<T> {
    if (!(revision > this.#revision || this.#isSkipping || (mayShareRevision && revision === this.#revision)))
      throw new TypeError(`revision ${revision} is not newer than ${this.#revision}`);
    const before = this.#tree.get(key);
    if (type === 'delete' && before === undefined) throw new TypeError(`there is no ${key} to delete`);
    deepFreeze(value);
    const previous = before && this.#publishedValue(before);
    const event: StoreEvent<T> = Object.freeze({ type, key, revision, value, previous });
    const entry: Entry<T> = Object.freeze({ key, value, revision, createRevision: before?.createRevision ?? revision });
    // Each version counts once, when an event replaces it. A deletion also counts its own last value.
    const replaced = previous === undefined ? 0 : this.#sizeOf(previous, value);
    const bytes = EVENT_BYTES + replaced + (type === 'delete' ? this.#sizeOf(value) : 0);
    const record = { event, before, time: this.#now(), bytes };
    this.#quota?.changed(key, type === 'put' ? value : undefined, previous);
    this.#publish(entry, record);
    return entry;
  }

  /**
   * Applies a committed write whose value cannot be read at the moment. Reads of the value, and watches that reach the event, fail with the
   * error of `read` until `read` succeeds.
   */
  applyUnread<V>(record: BackendRecord<V>, read: ReadRecord<T, V>): void {
    const { type, key, value, revision } = record;
    const before = this.#tree.get(key);
    if (before === undefined && type === 'delete') {
      this.advance(revision);
      return;
    }
    const entry = new RestoredEntry(record, read, value === undefined ? before : undefined);
    const shown = before && this.#publishedValue(before);
    if (shown !== undefined) this.#lastPublished.set(entry, shown);
    const event = new RestoredEvent(type, entry, before);
    this.#publish(entry, { event, before, time: this.#now(), bytes: EVENT_BYTES });
  }

  /** Returns the last value of a key that could be decrypted and decoded; undefined if no such value is known. */
  lastValueOf(key: string): T | undefined {
    const entry = this.#tree.get(key);
    return entry && this.#publishedValue(entry);
  }

  /** Returns an entry's value as watchers have seen it: its own value or, if this cannot be read, the last readable value of the key. */
  #publishedValue(entry: Entry<T>): T | undefined {
    try {
      return entry.value;
    } catch {
      return this.#lastPublished.get(entry);
    }
  }

  #publish(entry: Entry<T>, record: HistoryRecord<T>): void {
    this.#append(entry, record);
    this.#watchers.deliver(record.event, record.bytes);
    this.#waiters?.reached(entry.revision);
    this.#compact();
    // Readers are notified last, because a reader may write synchronously.
    this.#watchers.notifyReaders();
  }

  /** Records that every write up to a revision is known, even if no write has that revision. */
  advance(revision: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#waiters?.reached(revision);
  }

  /**
   * Skips to a newer state when the writes in between are not known. Watches that need every event are closed; the other watches receive
   * the differences. Older revisions can no longer be read.
   * @param applyDifferences applies the differences in the order of their revisions. Several differences may have the same revision, and a
   * revision may be older than the newest known one.
   */
  skip(revision: number, applyDifferences: () => void): void {
    const message = `the events up to revision ${revision} were dropped before this server heard of them`;
    this.#watchers.endAtGap(new StoreError('compacted', message, { current: revision }));
    this.#isSkipping = true;
    try {
      applyDifferences();
    } finally {
      this.#isSkipping = false;
    }
    this.advance(revision);
    this.#history.restart(revision);
    this.#snapshots.compact(revision);
    this.#watchers.endOvertaken();
    this.#watchers.notifyReaders();
  }

  #append(entry: Entry<T>, record: HistoryRecord<T>): void {
    if (record.event.type === 'put') this.#tree.set(entry);
    else this.#tree.delete(entry.key);
    this.#revision = Math.max(this.#revision, entry.revision);
    this.#history.push(record);
    this.#snapshots.afterEvent({ revision: this.#revision, tree: this.#tree });
  }

  /** Ends the watches that need every event, because later events do not continue what they have received. */
  endWatches(error: Error): void {
    this.#watchers.endAtGap(error);
    this.#watchers.notifyReaders();
  }

  /** Ends all watches, and rejects the calls that wait for a revision. The state can still be read. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#watchers.close();
    this.#waiters?.close();
  }

  /** Returns a time that never goes back, so that old events stay old when the clock is set back. */
  #now(): number {
    const time = reading(this.#clock);
    if (time > this.#lastTime) this.#elapsed += time - this.#lastTime;
    this.#lastTime = time;
    return this.#elapsed;
  }

  /** Schedules a compaction, so that old events are dropped even without writes. No timer runs while there is nothing to drop. */
  #scheduleCompaction(): void {
    const now = this.#now();
    const wait = this.#history.nextTrim(now);
    if (wait === undefined) return;
    const look = (): void => {
      this.#cancelTimer = undefined;
      // The timer has fired, so the whole wait has passed, even if the clock shows less because it was set back in the meantime.
      this.#elapsed = Math.max(this.#now(), now + wait);
      this.#compact();
    };
    this.#cancelTimer = this.#clock.setTimer(look, wait, false, 'end of old history');
  }

  #compact(): void {
    const dropped = this.#history.trim(this.#now());
    if (this.#cancelTimer === undefined && !this.#isClosed) this.#scheduleCompaction();
    if (!dropped) return;
    this.#snapshots.compact(this.#history.compactRevision);
    this.#watchers.endOvertaken();
    this.#watchers.notifyReaders();
    this.#onCompacted?.(this.#history.compactRevision);
  }

  #assertHeld(revision: number): void {
    if (typeof revision !== 'number' || Number.isNaN(revision)) throw new TypeError('a revision must be a number');
    if (revision >= this.#revision || revision >= this.compactRevision) return;
    const message = `revision ${revision} was compacted, the oldest held is ${this.#history.compactRevision}`;
    throw new StoreError('compacted', message, { requested: revision, current: this.#revision });
  }

  #treeAt(revision: number): EntryTree<T> {
    this.#assertHeld(revision);
    if (revision > this.#revision) {
      const message = `revision ${revision} is in the future, the newest is ${this.#revision}`;
      throw new StoreError('futureRevision', message, { requested: revision, current: this.#revision });
    }
    return this.#snapshots.at(revision, { revision: this.#revision, tree: this.#tree });
  }
}
