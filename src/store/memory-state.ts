import { type Clock, reading } from '../meta/clock.js';
import { EntryTree } from './entry-tree.js';
import { estimateSize } from './estimate-size.js';
import { deepFreeze } from './freeze.js';
import { History, type HistoryBounds } from './history.js';
import { prefixRange } from './keys.js';
import { MemoryWatch, type WatchSource } from './memory-watch.js';
import { Quota } from './quota.js';
import { RevisionWaiters } from './revision-waiters.js';
import { Snapshots } from './snapshots.js';
import {
  type Entry,
  type ListOptions,
  type Page,
  StoreError,
  type StoreEvent,
  type Watch,
  type WatchOptions,
} from './storage.js';
import { Watchers } from './watchers.js';

export interface MemoryStateOptions<T> {
  readonly clock: Clock;
  /** Revision of the state to begin with; 1 when left out, so that an empty list already has one that is not 0. */
  readonly firstRevision?: number;
  /** Entries that exist at the first revision: what a durable backend read back. */
  readonly entries?: Iterable<Entry<T>>;
  readonly history?: HistoryBounds;
  /**
   * Most bytes of all newest versions together, as `sizeOf` counts them; a put that grows beyond is refused with StoreError
   * `storageFull`, what shrinks and deletions pass. Replaced versions have their own bound, `history.maxBytes`. Default: none.
   */
  readonly maxBytes?: number;
  /** Events between two kept snapshots; default 1000. Fewer make older revisions faster to list and cost memory. */
  readonly snapshotInterval?: number;
  /**
   * About how many bytes a version holds that it does not share with another one of the same key. Called once per
   * write, for the version that was replaced; with `maxBytes` for the new one, too. The default walks what is not shared.
   */
  readonly sizeOf?: (value: T, sharedWith?: T) => number;
}

/** A write that is decided: nothing can refuse it any more. */
export interface CommittedWrite<T> {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The new value, or the last one of a deleted key; already stamped. Frozen by the state. */
  readonly value: T;
  /** Greater than that of every write before. */
  readonly revision: number;
}

/** What an event holds beside its values: itself, its record and its entry. */
const EVENT_BYTES = 256;
const WAIT_TIMEOUT_MILLISECONDS = 3000;
/** Timers cannot wait longer. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * The memory side of any store: all reads, the history and the watches. It knows committed writes only. Who commits
 * them (this process alone, a log on disk, a server elsewhere) is outside, and reports each with {@link apply}.
 */
export class MemoryState<T extends object> {
  readonly #clock: Clock;
  readonly #sizeOf: (value: T, sharedWith?: T) => number;
  readonly #tree = new EntryTree<T>();
  readonly #history: History<T>;
  readonly #snapshots: Snapshots<T>;
  readonly #watchers = new Watchers<T>();
  readonly #waiters: RevisionWaiters;
  readonly #watchSource: WatchSource<T>;
  readonly #quota: Quota<T> | undefined;
  /** The clock's last time, and how much of it went by so far. */
  #lastTime: number;
  #elapsed = 0;
  #cancelTimer: (() => void) | undefined;
  #revision: number;
  #isClosed = false;

  constructor(options: MemoryStateOptions<T>) {
    const { firstRevision = 1 } = options;
    if (!Number.isSafeInteger(firstRevision) || firstRevision < 1) {
      throw new TypeError('firstRevision must be a whole number from 1 on');
    }
    this.#clock = options.clock;
    this.#lastTime = reading(options.clock);
    this.#sizeOf = options.sizeOf ?? estimateSize;
    if (options.maxBytes !== undefined) this.#quota = new Quota(options.maxBytes, this.#sizeOf);
    this.#revision = firstRevision;
    this.#history = new History(firstRevision, options.history);
    this.#snapshots = new Snapshots(this.#history, options.snapshotInterval ?? 1000);
    this.#waiters = new RevisionWaiters(options.clock);
    this.#watchSource = {
      history: this.#history,
      closed: (watch) => this.#watchers.remove(watch),
      replaying: (watch) => this.#watchers.replaying(watch),
      tell: () => this.#watchers.tell(),
    };
    for (const { key, value, revision, createRevision } of options.entries ?? []) {
      this.#tree.set(Object.freeze({ key, value: deepFreeze(value), revision, createRevision }));
      this.#quota?.changed(key, value, undefined);
    }
  }

  get revision(): number {
    return this.#revision;
  }
  /** Exact at the time it is asked; what is too old goes by itself a little later. */
  get compactRevision(): number {
    this.#compact();
    return this.#history.compactRevision;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get(key: string): Entry<T> | undefined {
    return this.#tree.get(key);
  }

  list(prefix: string, options: ListOptions = {}): Page<T> {
    const { revision = this.#revision, limit } = options;
    const tree = this.#treeAt(revision);
    const range = prefixRange(prefix, options.after);
    const entries = tree.collect(range, limit);
    const remaining = limit === undefined || entries.length < limit ? 0 : tree.count(range) - entries.length;
    return { entries, revision, remaining };
  }

  count(prefix: string): number {
    return this.#tree.count(prefixRange(prefix));
  }

  watch(prefix: string, fromRevision: number, options: WatchOptions = {}): Watch<T> {
    this.#assertHeld(fromRevision);
    const watch = new MemoryWatch(this.#watchSource, prefix, fromRevision, options);
    if (this.#isClosed) watch.end(undefined);
    else this.#watchers.add(watch);
    return watch;
  }

  async waitFor(
    revision = this.#revision,
    options: { readonly timeoutMilliseconds?: number; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    if (revision <= this.#revision) return;
    if (this.#isClosed) throw new StoreError('closed', 'the store was closed');
    const { timeoutMilliseconds = WAIT_TIMEOUT_MILLISECONDS, signal } = options;
    await this.#waiters.wait(revision, () => this.#revision, timeoutMilliseconds, signal);
  }

  /** To be asked before a put is committed. @throws StoreError `storageFull` */
  assertRoom(key: string, value: T): void {
    this.#quota?.assertRoom(key, value, this.get(key)?.value);
  }

  /**
   * Makes a committed write part of the state: the entry, the event, its watches and those who wait for its revision.
   * Answers the entry as it is now; for a deletion the last one. All or nothing.
   * @throws TypeError when the revision is not newer than the state's, or a deleted key is not there.
   */
  apply({ type, key, value, revision }: CommittedWrite<T>): Entry<T> {
    const before = this.#tree.get(key);
    if (!(revision > this.#revision)) throw new TypeError(`revision ${revision} is not newer than ${this.#revision}`);
    if (type === 'delete' && before === undefined) throw new TypeError(`there is no ${key} to delete`);
    deepFreeze(value);
    const event: StoreEvent<T> = Object.freeze({ type, key, revision, value, previous: before?.value });
    const entry: Entry<T> = Object.freeze({ key, value, revision, createRevision: before?.createRevision ?? revision });
    const record = { event, before, time: this.#now(), bytes: this.#bytesOf(event) };
    this.#quota?.changed(key, type === 'put' ? value : undefined, before?.value);

    if (type === 'put') this.#tree.set(entry);
    else this.#tree.delete(key);
    this.#revision = revision;
    this.#history.push(record);
    this.#snapshots.afterEvent({ revision, tree: this.#tree });
    this.#watchers.deliver(event, record.bytes);
    this.#waiters.reached(revision);
    this.#compact();
    // Last, because a reader may write at once.
    this.#watchers.tell();
    return entry;
  }

  /** Ends all watches and waits; what is held can still be read. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#watchers.close();
    this.#waiters.close();
  }

  /** A version is charged when it is replaced, so each counts once; a deletion's last version lives only in its event. */
  #bytesOf({ type, value, previous }: StoreEvent<T>): number {
    const replaced = previous === undefined ? 0 : this.#sizeOf(previous, value);
    return EVENT_BYTES + replaced + (type === 'delete' ? this.#sizeOf(value) : 0);
  }

  /** A time that never goes back, so that what is old stays old when the clock is set. */
  #now(): number {
    const time = reading(this.#clock);
    if (time > this.#lastTime) this.#elapsed += time - this.#lastTime;
    this.#lastTime = time;
    return this.#elapsed;
  }

  /** Drops what is too old while there are no writes, for as long as there is something to drop. */
  #scheduleCompaction(): void {
    if (this.#cancelTimer !== undefined || this.#isClosed) return;
    const now = this.#now();
    const next = this.#history.nextTrim(now);
    if (next === undefined) return;
    const wait = Math.min(next, LONGEST_WAIT);
    const look = (): void => {
      this.#cancelTimer = undefined;
      // So much went by, also when the clock was set back meanwhile.
      this.#elapsed = Math.max(this.#now(), now + wait);
      this.#compact();
    };
    this.#cancelTimer = this.#clock.setTimer(look, wait);
  }

  #compact(): void {
    const dropped = this.#history.trim(this.#now());
    this.#scheduleCompaction();
    if (!dropped) return;
    this.#snapshots.compact(this.#history.compactRevision);
    this.#watchers.endOvertaken();
    this.#watchers.tell();
  }

  #assertHeld(revision: number): void {
    if (typeof revision !== 'number' || Number.isNaN(revision)) throw new TypeError('a revision must be a number');
    if (revision >= this.#revision || revision >= this.compactRevision) return;
    const message = `revision ${revision} was compacted, the oldest held is ${this.#history.compactRevision}`;
    throw new StoreError('compacted', message, { requested: revision, current: this.#revision });
  }

  #treeAt(revision: number): EntryTree<T> {
    if (revision === this.#revision) return this.#tree;
    this.#assertHeld(revision);
    if (revision > this.#revision) {
      const message = `revision ${revision} is in the future, the newest is ${this.#revision}`;
      throw new StoreError('futureRevision', message, { requested: revision, current: this.#revision });
    }
    return this.#snapshots.at(revision, { revision: this.#revision, tree: this.#tree });
  }
}
