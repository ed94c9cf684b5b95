/**
 * The layer below a storage that keeps its data beyond the process, in a folder or on another server. It knows no objects, only keys,
 * revisions and values of one type `V`, such as strings or bytes. Of the operations of the Kubernetes-etcd interface (KEP-4743), it has
 * those that a storage needs if it reads from memory. {@link open} returns the state at one revision and also starts the watch from there,
 * because a gap between the two would lose events. Single keys and counts are read from memory.
 */
export interface Backend<V> {
  /**
   * Reads all stored data. From then on every committed write, also of other processes, is reported to the observer exactly once, in the
   * order of revisions. A write of this backend is reported before its promise resolves, with the value itself (not a copy) that was passed
   * to it.
   * @param initial the state to begin with if nothing was ever stored; otherwise it is ignored.
   * @throws Error that says what is wrong with the stored data and what to do.
   */
  open(observer: BackendObserver<V>, initial?: BackendInitialState<V>): Promise<BackendState<V>>;

  /**
   * Writes a value if the newest revision of the key is `expectedRevision`; 0 means that the key is absent. Resolves when the write is
   * durable. A key has at most one write of this process under way.
   * @param unchanged a condition on other keys; only a shared backend receives it
   * @throws StoreError `storageFull` or `unavailable` when the write could not be made durable, or when its outcome is unknown.
   */
  optimisticPut(key: string, value: V, expectedRevision: number, unchanged?: Unchanged): Promise<OptimisticResult>;

  /**
   * Removes a key if its newest revision is `expectedRevision`.
   * @param last the value that the deletion event carries to watchers of this process. Default: the previous value.
   * @throws StoreError as {@link optimisticPut}.
   */
  optimisticDelete(key: string, expectedRevision: number, last?: V, unchanged?: Unchanged): Promise<OptimisticResult>;

  /**
   * Resolves with a revision that covers every write that any process committed before the call, once all writes up to that revision were
   * reported.
   * @throws StoreError `unavailable` when the revision is not known in time.
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
   * Reads all stored data anew, and reports the state as replaced. It is called when a write was refused and no reported write explains the
   * refusal, because the layer below the backend may have lost an event.
   */
  refresh?(): Promise<void>;

  /** Allows the backend to drop the events up to a revision and the versions that they replaced; it may do so later. */
  compact(revision: number): void;

  /** Waits for the writes under way and closes the backend. */
  close(): Promise<void>;
}

/**
 * The result of an optimistic write. A write that was not committed changed nothing: the key had another revision, or the condition (an
 * {@link Unchanged}) did not hold. The conflicting write has already been reported.
 */
export type OptimisticResult = { readonly committed: true; readonly revision: number } | { readonly committed: false };

/** An additional condition of a write: no other write has changed or removed certain keys since a revision. */
export interface Unchanged {
  /** Prefixes of the keys that must not have been written after `revision`. */
  readonly prefixes: readonly string[];
  /** The revision after which the keys must not have been written. */
  readonly revision: number;
  /** Existing keys that begin with one of the `prefixes`, and their revisions. None of these keys may have been removed. */
  readonly present: readonly { readonly key: string; readonly revision: number }[];
}

/** The observer of a backend. Its methods do not throw. */
export interface BackendObserver<V> {
  /** Called for each committed write. */
  committed(record: BackendRecord<V>): void;
  /** Called when all writes up to a revision were reported, if no write has that revision itself. */
  progressed(revision: number): void;
  /**
   * Called instead of {@link committed} when the backend has lost writes before it could report them.
   * @param state the newest state, without events
   */
  replaced(state: BackendState<V>): void;
}

/** A committed write as the backend stores it. */
export interface BackendRecord<V> {
  /** Whether the value was written or removed. */
  readonly type: 'put' | 'delete';
  /** The key. */
  readonly key: string;
  /** The value. For a deletion it is the last value that watchers receive; undefined means the previous value. */
  readonly value: V | undefined;
  /** Revision of the write. */
  readonly revision: number;
  /** Revision of the write that created the key. */
  readonly createRevision: number;
  /** The time of the write, in milliseconds since the epoch; undefined when the backend does not know it. */
  readonly time?: number;
}

/** The stored data of a backend when it is opened. */
export interface BackendState<V> {
  /** The oldest revision whose state is known. */
  readonly compactRevision: number;
  /** The newest write of every key at `compactRevision`. */
  readonly entries: readonly BackendRecord<V>[];
  /** All writes after `compactRevision`, in order. */
  readonly events: readonly BackendRecord<V>[];
}

/** The state with which an empty backend begins. */
export interface BackendInitialState<V> {
  /** Revision of the state; none of the entries has a greater one. */
  readonly revision: number;
  /** The newest write of every key. */
  readonly entries: readonly (Pick<BackendRecord<V>, 'key' | 'revision' | 'createRevision'> & {
    readonly value: V;
    /** The time of the write, in milliseconds since the epoch. Default: now. */
    readonly time?: number;
  })[];
}

/** Converts between objects and the values of a backend. */
export interface Codec<V> {
  /** Returns the value that the backend stores for an object. */
  encode(object: object): V;
  /** Returns the object of a stored value. @throws Error for a value that cannot be read. */
  decode(value: V): object;
  /** Estimates the bytes that an object takes in memory. */
  sizeOf(value: V): number;
}

/** Stores objects as JSON strings. */
export const jsonText: Codec<string> = {
  encode: (object) => JSON.stringify(object),
  decode: (text) => JSON.parse(text) as object,
  // In memory an object takes about twice the bytes of its JSON.
  sizeOf: (text) => 2 * text.length,
};
