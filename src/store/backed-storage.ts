import type { Backend, BackendRecord, Codec } from './backend.js';
import { decideWrite, outcomeOf, type PlannedWrite } from './decide-write.js';
import { deepFreeze } from './freeze.js';
import { untilCancelled } from './guaranteed-update.js';
import type { HistoryBounds } from './history.js';
import { MemoryState } from './memory-state.js';
import {
  type Entry,
  type ListOptions,
  type Page,
  type Storage,
  StoreError,
  type TryUpdate,
  type UpdateOptions,
  type UpdateResult,
  type Watch,
  type WatchOptions,
} from './storage.js';
import type { StorageWiring } from './storage-factory.js';

/** What a storage above a backend is made of. */
export interface BackedStorageOptions<T extends object> extends StorageWiring<T> {
  readonly history?: HistoryBounds;
}

/** A write that the backend has not answered yet. */
interface OwnWrite<T, V> {
  readonly value: T;
  /** The encoded value, by which the write is recognized among those that the backend reports. */
  readonly encoded: V | undefined;
  /** The entry, once the backend has reported the write. */
  entry: Entry<T> | undefined;
  /** The calls that wait for the end of this write. */
  readonly waiting: (() => void)[];
}

/**
 * A storage that keeps its values in a {@link Backend} and reads from memory. Readers and watches see a write once the backend has
 * reported it as committed, never earlier: whoever saw a version that a crash takes back could see the same version with other contents later.
 */
export class BackedStorage<T extends object = object, V = unknown> implements Storage<T> {
  readonly #backend: Backend<V>;
  readonly #codec: Codec<V>;
  readonly #state: MemoryState<T>;
  readonly #stamp: (value: T, revision: number) => T;
  readonly #equals: (stored: T, next: T) => boolean;
  /** The writes under way by key. A key has at most one, so that each is validated against a version that is durable. */
  readonly #own = new Map<string, OwnWrite<T, V>>();
  #closing: Promise<void> | undefined;

  /**
   * Opens a backend and resolves when everything is read.
   * @param codec how the backend keeps the objects
   * @throws as {@link Backend.open}
   */
  static async open<T extends object, V>(
    backend: Backend<V>,
    codec: Codec<V>,
    options: BackedStorageOptions<T>,
  ): Promise<BackedStorage<T, V>> {
    const { initial, clock, history } = options;
    let storage: BackedStorage<T, V> | undefined;
    const early: BackendRecord<V>[] = [];
    const stored = await backend.open(
      { committed: (record) => (storage === undefined ? early.push(record) : storage.#committed(record)) },
      initial && {
        revision: initial.revision,
        entries: initial.entries.map((entry) => ({ ...entry, value: codec.encode(entry.value) })),
      },
    );
    const state = new MemoryState<T>({
      clock,
      firstRevision: stored.compactRevision,
      onCompacted: (revision) => backend.compact(revision),
      ...(history ? { history } : {}),
    });
    storage = new BackedStorage(backend, codec, state, options);
    const { stamp } = options;
    const read = ({ value, revision }: BackendRecord<V>, before: Entry<T> | undefined): T =>
      deepFreeze(stamp(value === undefined ? (before as Entry<T>).value : (codec.decode(value) as T), revision));
    state.restore(stored, read, (value) => codec.sizeOf(value), clock.now());
    for (const record of early) storage.#committed(record);
    return storage;
  }

  private constructor(
    backend: Backend<V>,
    codec: Codec<V>,
    state: MemoryState<T>,
    { stamp, equals }: StorageWiring<T>,
  ) {
    this.#backend = backend;
    this.#codec = codec;
    this.#state = state;
    this.#stamp = stamp;
    this.#equals = equals;
  }

  get revision(): number {
    return this.#state.revision;
  }
  get compactRevision(): number {
    return this.#state.compactRevision;
  }
  get(key: string): Entry<T> | undefined {
    return this.#state.get(key);
  }
  list(prefix: string, options?: ListOptions): Page<T> {
    return this.#state.list(prefix, options);
  }
  count(prefix: string): number {
    return this.#state.count(prefix);
  }
  watch(prefix: string, fromRevision: number, options?: WatchOptions): Watch<T> {
    return this.#state.watch(prefix, fromRevision, options);
  }
  async waitFor(
    revision?: number,
    options?: { readonly timeoutMilliseconds?: number; readonly signal?: AbortSignal },
  ): Promise<void> {
    await this.#state.waitFor(revision ?? (await this.#backend.progress()), options);
  }

  async guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options: UpdateOptions = {}): Promise<UpdateResult<T>> {
    for (;;) {
      this.#assertOpen();
      const before = this.#own.get(key);
      if (before !== undefined) {
        await ended(before, options.signal);
        continue;
      }
      const { revision } = this.#state;
      const current = this.#state.get(key);
      const answer = tryUpdate(current);
      const isLate = 'then' in answer;
      const update = isLate ? await untilCancelled(answer, options.signal) : answer;
      this.#assertOpen();
      if (isLate && (this.#state.get(key) !== current || this.#own.has(key))) continue;
      const { dependsOn = [] } = options;
      if (dependsOn.length > 0) {
        const other = this.#underWay(dependsOn);
        if (other !== undefined) await ended(other, options.signal);
        if (other !== undefined || this.#wroteSince(revision, dependsOn)) continue;
      }
      const decided = decideWrite(current, update, this.#equals);
      if (decided.outcome !== 'write') return decided;
      const entry = await this.#commit(key, current, decided);
      if (entry !== undefined) return { entry, outcome: outcomeOf(decided.type, current) };
      // Another process wrote the key: this one has to hear of it first.
      await this.waitFor(undefined, options);
    }
  }

  /** Waits for the writes that the backend has accepted, which commits them, then closes it. */
  close(): Promise<void> {
    this.#closing ??= this.#backend.close().finally(() => this.#state.close());
    return this.#closing;
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StoreError('closed', 'the store was closed');
  }

  /** Returns a write under way of a key with one of the prefixes. */
  #underWay(prefixes: readonly string[]): OwnWrite<T, V> | undefined {
    for (const [key, write] of this.#own) if (prefixes.some((prefix) => key.startsWith(prefix))) return write;
    return undefined;
  }

  /** Returns whether a key with one of the prefixes was committed after a revision. */
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

  /** Resolves with the entry that was written; undefined when the key had another revision. */
  async #commit(
    key: string,
    current: Entry<T> | undefined,
    { type, value }: PlannedWrite<T>,
  ): Promise<Entry<T> | undefined> {
    const expectedRevision = current?.revision ?? 0;
    const encoded = type === 'delete' && value === current?.value ? undefined : this.#codec.encode(value);
    const own: OwnWrite<T, V> = { value, encoded, entry: undefined, waiting: [] };
    this.#own.set(key, own);
    try {
      const result =
        type === 'put' && encoded !== undefined
          ? await this.#backend.optimisticPut(key, encoded, expectedRevision)
          : await this.#backend.optimisticDelete(key, expectedRevision, encoded);
      if (!result.committed) return undefined;
      if (own.entry === undefined) throw new TypeError(`the backend did not report the write of ${key}`);
      return own.entry;
    } finally {
      this.#own.delete(key);
      for (const wake of own.waiting) wake();
    }
  }

  /** Makes a write that the backend committed part of the state. The value of an own write is the one that was given, not a copy. */
  #committed(record: BackendRecord<V>): void {
    const { type, key, revision } = record;
    const own = this.#own.get(key);
    const isOwn = own !== undefined && own.entry === undefined && own.encoded === record.value;
    const value = isOwn ? own.value : this.#valueOf(record);
    const entry = this.#state.apply({ type, key, value: this.#stamp(value, revision), revision });
    if (isOwn) own.entry = entry;
  }

  #valueOf({ key, value }: BackendRecord<V>): T {
    if (value !== undefined) return this.#codec.decode(value) as T; // the backend returns what was encoded
    const entry = this.#state.get(key);
    if (entry === undefined) throw new TypeError(`there is no ${key} to delete`);
    return entry.value;
  }
}

/** Resolves when a write is answered. @throws StoreError `aborted` when the signal fires earlier. */
function ended(
  { waiting }: Pick<OwnWrite<unknown, unknown>, 'waiting'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return untilCancelled(new Promise<void>((resolve) => waiting.push(resolve)), signal);
}
