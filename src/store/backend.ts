/**
 * The layer below a storage that keeps its data beyond the process: a folder, or another server. It knows nothing of objects, only keys,
 * revisions and values of one type `V`, such as text or bytes. The operations are those of Kubernetes' proposal for storage backends
 * (KEP-4743) that a storage needs when it reads from memory. The state at one revision and the watch from there are one operation
 * ({@link open}), because a gap between them would lose events; single keys and counts are read from memory.
 */
export interface Backend<V> {
  /**
   * Reads everything that is stored. From then on every committed write, also of other processes, is reported to the observer exactly once,
   * in the order of revisions. A write of this backend is reported with the very value that was passed to it, and before its promise
   * resolves.
   * @param initial the state to begin with if nothing was ever stored; otherwise it is ignored.
   * @throws Error that says what is wrong with the stored data and what to do.
   */
  open(observer: BackendObserver<V>, initial?: BackendInitialState<V>): Promise<BackendState<V>>;

  /**
   * Writes a value if the key's newest revision is `expectedRevision`, 0 meaning that the key is absent. Resolves when the write is
   * durable.
   * @param unchanged a condition on other keys; only a backend that is shared receives it
   * @throws StoreError `storageFull` or `unavailable` when the write could not be made durable, or when that is not known.
   */
  optimisticPut(key: string, value: V, expectedRevision: number, unchanged?: Unchanged): Promise<OptimisticResult>;

  /**
   * Removes a key under the same condition.
   * @param last the last value that watchers of this process receive. Default: the previous value.
   * @throws StoreError as {@link optimisticPut}.
   */
  optimisticDelete(key: string, expectedRevision: number, last?: V, unchanged?: Unchanged): Promise<OptimisticResult>;

  /**
   * Resolves with a revision that covers every write that any process committed before the call, once all writes up to it were reported.
   * @throws StoreError `unavailable` when that is not known in time.
   */
  progress(): Promise<number>;

  /**
   * Whether other processes may write to the same data. If not, every committed write was reported, so that neither {@link progress} nor
   * {@link Unchanged} is needed. Default false.
   */
  readonly isShared?: boolean;

  /** Why the newest state cannot be known, or nothing can be written, at the moment; undefined or absent when nothing is wrong. */
  readonly problem?: string | undefined;

  /**
   * Reads everything anew, and reports the state as replaced. Called when a write was refused and no reported write explains it, because
   * the layer below the backend may have lost an event.
   */
  refresh?(): Promise<void>;

  /** Allows the backend to drop the events up to a revision and the versions that they replaced; it may do so later. */
  compact(revision: number): void;

  /** Waits for the writes under way and closes the backend. */
  close(): Promise<void>;
}

/**
 * The result of an optimistic write. A write that was not committed changed nothing: the key had another revision, or the condition {@link
 * Unchanged} did not hold. The conflicting write was reported before.
 */
export type OptimisticResult = { readonly committed: true; readonly revision: number } | { readonly committed: false };

/** An additional condition of a write: no other key was written or removed meanwhile. */
export interface Unchanged {
  /** Prefixes of the keys that must not have been written after `revision`. */
  readonly prefixes: readonly string[];
  readonly revision: number;
  /** Keys with these prefixes that must not have been removed, with their revisions. */
  readonly present: readonly { readonly key: string; readonly revision: number }[];
}

/** The observer of a backend. Its methods do not throw. */
export interface BackendObserver<V> {
  /** Called for each committed write. */
  committed(record: BackendRecord<V>): void;
  /** Called when all writes up to a revision were reported, if no write has that revision itself. */
  progressed(revision: number): void;
  /**
   * Called instead of reporting writes that the backend has dropped before it could report them.
   * @param state the newest state, without events
   */
  replaced(state: BackendState<V>): void;
}

/** A committed write as the backend stores it. */
export interface BackendRecord<V> {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The value. For a deletion it is the last value, or undefined when that is the previous value. */
  readonly value: V | undefined;
  readonly revision: number;
  /** Revision of the write that created the key. */
  readonly createRevision: number;
  /** When it was written, in milliseconds since the epoch; undefined when the backend does not know. */
  readonly time?: number;
}

/** The stored data of a backend when it is opened. */
export interface BackendState<V> {
  /** The oldest revision whose state is known. */
  readonly compactRevision: number;
  /** The newest write of every key at that revision. */
  readonly entries: readonly BackendRecord<V>[];
  /** All writes after that revision, in order. */
  readonly events: readonly BackendRecord<V>[];
}

/** The state with which an empty backend begins. */
export interface BackendInitialState<V> {
  readonly revision: number;
  readonly entries: readonly (Pick<BackendRecord<V>, 'key' | 'revision' | 'createRevision'> & {
    readonly value: V;
    /** When it was written, in milliseconds since the epoch. Default: now. */
    readonly time?: number;
  })[];
}

/** Converts between objects and the values of a backend. */
export interface Codec<V> {
  encode(object: object): V;
  decode(value: V): object;
  /** Estimates the bytes that an object takes in memory. */
  sizeOf(value: V): number;
}

/** Values that are JSON text. */
export const jsonText: Codec<string> = {
  encode: (object) => JSON.stringify(object),
  decode: (text) => JSON.parse(text) as object,
  // In memory an object takes about twice the bytes of its JSON.
  sizeOf: (text) => 2 * text.length,
};
