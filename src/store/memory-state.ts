import type { Clock } from '../meta/clock.js';
import { EntryTree } from './entry-tree.js';
import { estimateSize } from './estimate-size.js';
import { deepFreeze } from './freeze.js';
import { History, type HistoryBounds } from './history.js';
import { prefixRange } from './keys.js';
import { MemoryWatch, type WatchSource } from './memory-watch.js';
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
  /** Events between two kept snapshots; default 1000. Fewer make older revisions faster to list and cost memory. */
  readonly snapshotInterval?: number;
  /**
   * About how many bytes a version holds that it does not share with another one of the same key. Called once per
   * write, for the version that was replaced. The default walks what is not shared.
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

/**
 * The memory side of any store: all reads, the history and the watches. It knows committed writes only. Who commits
 * them (this process alone, a log on disk, a server elsewhere) is outside, and tells each with {@link apply}.
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
  #revision: number;
  #isClosed = false;

  constructor(options: MemoryStateOptions<T>) {
    const { firstRevision = 1 } = options;
    if (!Number.isSafeInteger(firstRevision) || firstRevision < 1) {
      throw new TypeError('firstRevision must be a whole number from 1 on');
    }
    this.#clock = options.clock;
    this.#sizeOf = options.sizeOf ?? estimateSize;
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
    }
  }

  get revision(): number {
    return this.#revision;
  }
  /** Age is looked at here too: a store that nobody writes to forgets as well. */
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
    const record = { event, before, time: this.#clock.now(), bytes: this.#bytesOf(event) };

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
    this.#watchers.close();
    this.#waiters.close();
  }

  /** A version is charged when it is replaced, so each counts once; a deletion's last version lives only in its event. */
  #bytesOf({ type, value, previous }: StoreEvent<T>): number {
    const replaced = previous === undefined ? 0 : this.#sizeOf(previous, value);
    return EVENT_BYTES + replaced + (type === 'delete' ? this.#sizeOf(value) : 0);
  }

  #compact(): void {
    if (!this.#history.trim(this.#clock.now())) return;
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
