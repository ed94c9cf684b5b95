import type { Backend, BackendRecord, BackendState, Codec, OptimisticResult, Unchanged } from './backend.js';
import { deepFreeze } from './freeze.js';
import { decideWrite, type PlannedWrite, untilCancelled, updateUntilCommitted } from './guaranteed-update.js';
import type { HistoryBounds } from './history.js';
import { MemoryState } from './memory-state.js';
import { type OwnWrite, OwnWrites, waitForEnd } from './own-writes.js';
import {
  type Entry,
  type RevisionWaitOptions,
  StoreError,
  type TryUpdate,
  type Update,
  type UpdateOptions,
  type UpdateResult,
} from './storage.js';
import type { StorageWiring } from './storage-factory.js';
import { ReadingStorage } from './storage-view.js';
import { StoredValues } from './stored-values.js';
import type { Transformer } from './transformer.js';

/** The options of a storage that keeps its data in a backend. */
export interface BackedStorageOptions<T extends object, V = unknown> extends StorageWiring<T> {
  /** The limits of the history. Default: 5 minutes, 100,000 events, 256 MiB. */
  readonly history?: HistoryBounds;
  /** Transforms the encoded values on their way to the backend and back, for example by encrypting them. Default: no transformation. */
  readonly transformer?: Transformer<V>;
}

const NO_PREFIXES: readonly string[] = [];
/**
 * The encoded value of a deletion that does not change the last value. Nothing is encoded, because the backend still has the stored value.
 */
const NOT_ENCODED = { encoded: undefined, source: undefined } as const;
/** The maximum number of keys in {@link Unchanged.present}. It is limited because an etcd transaction may have at most 128 conditions. */
const MAX_PRESENT = 100;
/**
 * The number of commits that the backend may refuse before a write fails. Only commits that no reported change of the key explains are
 * counted.
 */
const MAX_UNEXPLAINED = 5;
/** The number of refused commits, counted as for {@link MAX_UNEXPLAINED}, after which the backend reads all data anew. */
const REFRESH_AT = 2;

/**
 * A storage that keeps its values in a {@link Backend} and reads from memory. Readers and watches see a write only after the backend has
 * reported it as committed. Otherwise a crash could undo a write that clients have seen, and a different write could get the same version.
 */
export class BackedStorage<T extends object = object, V = unknown> extends ReadingStorage<T> {
  readonly #backend: Backend<V>;
  readonly #values: StoredValues<T, V>;
  readonly #state: MemoryState<T>;
  readonly #equals: (stored: T, next: T) => boolean;
  readonly #own = new OwnWrites<T, V>();
  #closing: Promise<void> | undefined;

  /**
   * Opens a backend and resolves when all stored data is read.
   * @param codec converts between objects and the values of the backend
   * @throws as {@link Backend.open}
   */
  static async open<T extends object, V>(
    backend: Backend<V>,
    codec: Codec<V>,
    options: BackedStorageOptions<T, V>,
  ): Promise<BackedStorage<T, V>> {
    const { initial, clock, history, transformer, stamp, log = () => {} } = options;
    const values = new StoredValues<T, V>({ codec, transformer, stamp, log });
    let storage: BackedStorage<T, V> | undefined;
    const early: ((storage: BackedStorage<T, V>) => void)[] = [];
    const report = (tell: (storage: BackedStorage<T, V>) => void) =>
      storage === undefined ? void early.push(tell) : tell(storage);
    const stored = await backend.open(
      {
        committed: (record) => report((opened) => opened.#committed(record)),
        progressed: (revision) => report((opened) => opened.#state.advance(revision)),
        replaced: (newest) => report((opened) => opened.#replaced(newest)),
      },
      initial && {
        revision: initial.revision,
        entries: initial.entries.map((entry) => ({ ...entry, value: values.encode(entry.value, entry.key).encoded })),
      },
    );
    const state = new MemoryState<T>({
      clock,
      firstRevision: stored.compactRevision,
      onCompacted: (revision) => backend.compact(revision),
      ...(history ? { history } : {}),
    });
    storage = new BackedStorage(backend, values, state, options.equals);
    state.restore(stored, storage.#read, (value) => codec.sizeOf(value), clock.now());
    for (const tell of early) tell(storage);
    return storage;
  }

  private constructor(
    backend: Backend<V>,
    values: StoredValues<T, V>,
    state: MemoryState<T>,
    equals: (stored: T, next: T) => boolean,
  ) {
    super(state);
    this.#backend = backend;
    this.#values = values;
    this.#state = state;
    this.#equals = equals;
  }

  readonly #isStale = (entry: Entry<T>): boolean => this.#values.isStale(entry);

  readonly #read = (record: BackendRecord<V>, before: Entry<T> | undefined): T => this.#values.read(record, before);

  override get isShared(): boolean {
    return this.#backend.isShared ?? false;
  }
  override get problem(): string | undefined {
    return this.#backend.problem;
  }
  override waitFor(revision?: number, options: RevisionWaitOptions = {}): Promise<void> | undefined {
    return this.#backend.isShared ? this.#waitForOthers(revision, options) : super.waitFor(revision, options);
  }

  async #waitForOthers(revision: number | undefined, options: RevisionWaitOptions): Promise<void> {
    if (revision === undefined) {
      const { signal } = options;
      await this.#state.waitFor(await untilCancelled(this.#backend.progress(), signal), options);
      return;
    }
    // A client may have received this revision from another server. If this storage has not yet received the write with the revision, the
    // backend has to catch up.
    if (revision > this.#state.revision) this.#backend.progress().catch(() => {});
    await this.#state.waitFor(revision, options);
  }

  guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options: UpdateOptions = {}): Promise<UpdateResult<T>> {
    let unexplained = 0;
    const commit = async (current: Entry<T> | undefined, update: Update<T>, revision: number) => {
      this.#assertOpen();
      if (this.#own.get(key) !== undefined) return undefined;
      const { dependsOn = NO_PREFIXES } = options;
      if (dependsOn.length > 0) {
        const other = this.#own.find(dependsOn);
        if (other !== undefined) await waitForEnd(other, options.signal);
        if (other !== undefined || this.#wroteSince(revision, dependsOn)) return undefined;
      }
      const decided = decideWrite(current, update, this.#equals, this.#isStale);
      if (decided.outcome === 'unchanged')
        return (await this.#isNewest(key, current, revision, options)) ? decided : undefined;
      const own = this.#begin(key, current, decided);
      let result: OptimisticResult;
      try {
        result = await this.#send(own, current, this.#unchanged(revision, dependsOn));
      } finally {
        this.#own.end(own);
      }
      if (result.committed) {
        const entry = own.entry ?? this.#skippedEntry(key, current, decided.value, result.revision);
        return { entry, outcome: decided.outcome };
      }
      // Another process wrote first, and the backend has reported its write.
      if (this.#state.get(key) !== current || this.#wroteSince(revision, dependsOn)) return undefined;
      if (++unexplained === REFRESH_AT) await this.#backend.refresh?.();
      if (unexplained < MAX_UNEXPLAINED) return undefined;
      throw new StoreError(
        'unavailable',
        `${key} cannot be written: the stored value differs from the one that the watch reported`,
      );
    };
    return updateUntilCommitted<T, UpdateResult<T>>(this.#state, key, tryUpdate, commit, options, {
      inTheWay: () => {
        this.#assertOpen();
        const before = this.#own.get(key);
        return before && waitForEnd(before, options.signal);
      },
      // An outdated state may have caused the error, so the error is final only if `tryUpdate` was called with the newest state.
      isFinal: async (error, current, revision) =>
        (error instanceof StoreError && error.code !== 'unreadable') ||
        (await this.#isNewest(key, current, revision, options)),
    });
  }

  /** Waits until the backend has committed the writes that it has accepted, then closes it. */
  close(): Promise<void> {
    this.#closing ??= this.#backend.close().finally(() => this.#state.close());
    return this.#closing;
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StoreError('closed', 'the store was closed');
  }

  /**
   * Resolves with whether a result of `tryUpdate` that wrote nothing was based on the newest state. Writes do not need this check, because
   * the backend compares revisions.
   */
  async #isNewest(
    key: string,
    current: Entry<T> | undefined,
    revision: number,
    options: UpdateOptions,
  ): Promise<boolean> {
    if (this.#backend.isShared) await untilCancelled(this.#backend.progress(), options.signal);
    const { dependsOn = NO_PREFIXES } = options;
    return this.#state.get(key) === current && !this.#wroteSince(revision, dependsOn);
  }

  /**
   * Returns the condition that the keys with these prefixes have not changed since a revision; undefined when no other process can change
   * them.
   */
  #unchanged(revision: number, prefixes: readonly string[]): Unchanged | undefined {
    if (!this.#backend.isShared || prefixes.length === 0) return undefined;
    const present = prefixes.flatMap((prefix) => this.#state.list(prefix, { limit: MAX_PRESENT + 1 }).entries);
    return { prefixes, revision, present: present.length > MAX_PRESENT ? [] : present };
  }

  /** Returns whether a key with one of the prefixes was written after a revision. */
  #wroteSince(revision: number, prefixes: readonly string[]): boolean {
    if (revision === this.#state.revision) return false;
    if (revision < this.#state.compactRevision) return true;
    return prefixes.some((prefix) => {
      const watch = this.#state.watch(prefix, revision);
      const isBehind = watch.state === 'replaying';
      watch.close();
      return isBehind;
    });
  }

  /** Encodes a write and registers it as under way. */
  #begin(key: string, current: Entry<T> | undefined, { type, value }: PlannedWrite<T>): OwnWrite<T, V> {
    const isKnown = type === 'delete' && value === current?.value;
    const { encoded, source } = isKnown ? NOT_ENCODED : this.#values.encode(value, key);
    const own: OwnWrite<T, V> = { type, key, value, encoded, source, entry: undefined, waiting: [] };
    this.#own.begin(own);
    return own;
  }

  #send(
    { type, key, encoded }: OwnWrite<T, V>,
    current: Entry<T> | undefined,
    unchanged: Unchanged | undefined,
  ): Promise<OptimisticResult> {
    const expectedRevision = current?.revision ?? 0;
    return type === 'put' && encoded !== undefined
      ? this.#backend.optimisticPut(key, encoded, expectedRevision, unchanged)
      : this.#backend.optimisticDelete(key, expectedRevision, encoded, unchanged);
  }

  /** Applies a committed write to the state in memory. If the storage made the write itself, it has the value and does not decode it. */
  #committed(record: BackendRecord<V>): void {
    const { type, key, revision } = record;
    const own = this.#own.get(key);
    const isOwn = own !== undefined && own.entry === undefined && own.encoded === record.value;
    if (!isOwn) {
      this.#apply(record);
      return;
    }
    const value = this.#values.stamp(own.value, revision, own.source);
    own.entry = this.#state.apply({ type, key, value, revision, mayShareRevision: true });
  }

  /** Returns the value of a record; undefined for a record that cannot be read. */
  #valueOf(record: BackendRecord<V>): T | undefined {
    try {
      if (record.value !== undefined) return this.#values.read(record, undefined);
      const last = this.#state.lastValueOf(record.key);
      return last && this.#values.stamp(last, record.revision, undefined);
    } catch {
      return undefined;
    }
  }

  /**
   * Applies a write of another process to the state in memory. A value that cannot be read does not prevent later writes from being
   * applied.
   */
  #apply(record: BackendRecord<V>): void {
    const { type, key, revision } = record;
    const value = this.#valueOf(record);
    if (value === undefined) this.#state.applyUnread(record, this.#read);
    else this.#state.apply({ type, key, value, revision, mayShareRevision: true });
  }

  /** Skips to a state that the backend has read anew. A key that was removed and created again is reported as a deletion and a creation. */
  #replaced({ compactRevision, entries }: BackendState<V>): void {
    const changes: BackendRecord<V>[] = [];
    const remove = ({ key, createRevision }: Entry<T>, revision: number) =>
      changes.push({ type: 'delete', key, value: undefined, revision, createRevision });
    const kept = new Set<string>();
    for (const record of [...entries].sort((one, other) => one.revision - other.revision)) {
      const { key, revision } = record;
      const before = this.#state.get(key);
      kept.add(key);
      if (before?.revision === revision) continue;
      if (before !== undefined && before.createRevision !== record.createRevision) remove(before, revision);
      changes.push(record);
    }
    for (const entry of this.#state.list('').entries) if (!kept.has(entry.key)) remove(entry, compactRevision);
    this.#state.skip(compactRevision, () => {
      for (const change of changes) this.#apply(change);
    });
  }

  /** Returns the entry of a committed write that was not reported, because the backend has meanwhile read a newer state. */
  #skippedEntry(key: string, current: Entry<T> | undefined, value: T, revision: number): Entry<T> {
    const entry = this.#state.get(key);
    if (entry?.revision === revision) return entry;
    const createRevision = current?.createRevision ?? revision;
    const stamped = deepFreeze(this.#values.stamp(value, revision, undefined));
    return Object.freeze({ key, value: stamped, revision, createRevision });
  }
}
