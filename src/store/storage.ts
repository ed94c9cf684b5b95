/**
 * A store of values by key and revision, without knowledge of kinds. Keys are `/`-separated paths (`/secrets/default/a`), ordered by code
 * unit. Revisions are whole numbers from one counter of the whole store; the revision of the first write is never 0. Values are frozen by
 * the store when they are written and shared with every reader.
 */
export interface Storage<T extends object = object> {
  /** Revision of the newest write this store knows. */
  readonly revision: number;
  /** Oldest revision that can still be listed exactly or watched from; older revisions are compacted. */
  readonly compactRevision: number;
  /** Whether other servers may write to what this store keeps. Default: false. */
  readonly isShared?: boolean;
  /** Why reads may be old and writes fail at the moment; undefined or absent when nothing is wrong. */
  readonly problem?: string | undefined;

  /** Returns the newest entry of a key. It is synchronous because all reads come from memory. */
  get(key: string): Entry<T> | undefined;

  /**
   * Returns the entries whose keys begin with a prefix, in key order, from one consistent snapshot.
   * @throws StoreError `compacted` or `futureRevision` when `revision` is given and not held.
   */
  list(prefix: string, options?: ListOptions): Page<T>;

  /** Counts the keys of the newest state that begin with the prefix. */
  count(prefix: string): number;

  /**
   * Returns the state at a revision (default: the newest) with the history before it. It costs O(1), and later writes do not change it. A
   * storage that lacks this method, or returns undefined, cannot be forked.
   * @throws StoreError as {@link list} does.
   */
  snapshot?(revision?: number): StateSnapshot<T> | undefined;

  /**
   * The only way to write. Calls `tryUpdate` with the newest entry (undefined when absent) and commits its answer by compare-and-swap on
   * the key's revision; when another write came first (possible only if `tryUpdate` is asynchronous), it is called again with the fresh
   * entry, so it must have no outside effect. Example:
   *
   *   await storage.guaranteedUpdate('/a', (current) => current ? put({ ...current.value, n: 1 }) : keep());
   *
   * A put that equals the stored value (by the store's `equals`) is not written: the answer carries the old entry. If `tryUpdate` throws,
   * nothing is written and the error is passed on. Each call writes at most once.
   * @throws StoreError `aborted` when `signal` is aborted during a wait, `closed` after close(), `storageFull` for a put that would exceed
   * the size of the store (deletions always pass) and for any write when the disk below the store is full, `unavailable` when the layer
   * below the store cannot be written, `unreadable` for a stored value that cannot be read. After `storageFull` and `unavailable` it is
   * unknown to the caller whether the write was made durable, but no reader of this store has seen it before.
   */
  guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options?: UpdateOptions): Promise<UpdateResult<T>>;

  /**
   * Opens a watch of every event after `fromRevision` whose key matches, in revision order, each exactly once. With a future revision the
   * watch waits for it.
   * @throws StoreError `compacted` when some events after `fromRevision` are dropped.
   */
  watch(prefix: string, fromRevision: number, options?: WatchOptions<T>): Watch<T>;

  /**
   * Resolves once this store's revision is at least `revision`; without an argument, once it is as fresh as the backend. Returns undefined
   * if that is so already, as it always is for memory without an argument.
   * @throws StoreError `futureRevision` after `timeoutMilliseconds` (default 3000), `aborted` by `signal`.
   */
  waitFor(revision?: number, options?: RevisionWaitOptions): Promise<void> | undefined;

  /** Whether all data is lost when the process ends. Default false. */
  readonly isVolatile?: boolean;

  /** Ends the watches that need every event with an error, because later events do not continue what these watches have received. */
  endWatches?(error: Error): void;

  /** Ends all watches (cleanly, no error) and refuses writes from then on. */
  close(): Promise<void>;
}

/** A state of a store, which later writes do not change. */
export interface StateSnapshot<T> {
  readonly revision: number;
  /** Returns the entries whose keys begin with a prefix, in key order. */
  list(prefix: string): readonly Entry<T>[];
}

export interface Entry<T> {
  readonly key: string;
  /** The value. Reading it throws StoreError `unreadable` when what is stored cannot be decrypted or decoded. */
  readonly value: T;
  /** Revision of the entry's last write. */
  readonly revision: number;
  /** Revision of the write that created the key. */
  readonly createRevision: number;
  /**
   * The time of the write, in milliseconds since the epoch. It is set only for entries that an earlier process wrote; for all others the
   * write could be watched.
   */
  readonly writtenAt?: number;
}

export interface ListOptions {
  /** The exact revision to list. Default: the newest. */
  readonly revision?: number;
  /** The maximum number of entries to return. Default: all. */
  readonly limit?: number;
  /** The key after which the list begins. */
  readonly after?: string;
}

export interface Page<T> {
  readonly entries: readonly Entry<T>[];
  /** Revision of the snapshot that was read. */
  readonly revision: number;
  /** How many more entries follow in the same snapshot; 0 on the last page. */
  readonly remaining: number;
}

/** The change of the key that `tryUpdate` asks for. */
export type Update<T> =
  | {
      readonly action: 'put';
      readonly value: T;
      /** Whether the put is allowed in a full store, because a deletion needs it. */
      readonly beyondQuota?: boolean;
    }
  /** Removes the key; `value` is the last state that watchers receive. Default: the stored value. */
  | { readonly action: 'delete'; readonly value?: T }
  | { readonly action: 'keep' };

export type TryUpdate<T> = (current: Entry<T> | undefined) => Update<T> | Promise<Update<T>>;

export interface WaitOptions {
  /** Ends the wait when it is aborted. The option is read only when the call has to wait, so a getter may create the signal lazily. */
  readonly signal?: AbortSignal;
}

/** The options of {@link Storage.waitFor}. */
export interface RevisionWaitOptions extends WaitOptions {
  /** The timeout in milliseconds. Default 3000. */
  readonly timeoutMilliseconds?: number;
}

export interface UpdateOptions extends WaitOptions {
  /**
   * Prefixes of other keys that the answer of `tryUpdate` depends on. A store that other processes write to commits only if no such key was
   * written or removed after the revision that this store had when `tryUpdate` was called; otherwise it catches up and calls `tryUpdate`
   * again. A store that only this process writes to ignores it: the callers check for changes while `tryUpdate` waits. It is read after
   * each answer, so a getter may compute it lazily.
   */
  readonly dependsOn?: readonly string[];
}

export interface UpdateResult<T> {
  /**
   * The entry after the update. For `deleted` it is the last one, whose value is stamped with the revision of the deletion. It is undefined
   * when a `keep` found no entry.
   */
  readonly entry: Entry<T> | undefined;
  readonly outcome: 'created' | 'updated' | 'deleted' | 'unchanged';
}

export interface StoreEvent<T> {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** The new value; for `delete` the last one, stamped with this event's revision. */
  readonly value: T;
  /** The previous value; undefined when the key was created. */
  readonly previous: T | undefined;
}

export interface WatchOptions<T = object> {
  /** Whether to match only the key that equals the prefix. */
  readonly exact?: boolean;
  /**
   * Returns false for an event that the reader does not need. A storage may leave such events out, so that a write does not wake the readers
   * of other objects; it may also ignore this option. The function must not throw.
   */
  concerns?(event: StoreEvent<T>): boolean;
  /**
   * Whether the watch continues after the store was cut off from its backend for so long that it had to skip to a newer state. It then
   * receives the differences as events, which are only the last change of each key. Default false: such a watch is closed with StoreError
   * `compacted`.
   */
  readonly crossesGaps?: boolean;
  /**
   * Most events kept for a reader that does not take them; default 1000. Beyond that the watch reads from the history again. It is closed
   * as lagging only when the history drops events that the reader has not taken.
   */
  readonly maxBuffered?: number;
  /** Most bytes of replaced or removed versions in that buffer; default 8 MiB. A single event of any size is kept. */
  readonly maxBufferedBytes?: number;
}

/**
 * A stream of events. All watches share the same event objects, so that derived data (the encoding) can be cached by identity.
 *
 * States: `replaying` (events of the past wait to be taken) -> `live` (empty, waiting) <-> `lagging` (live events wait in the buffer) ->
 * `closed`. A watch whose buffer is full goes back to `replaying`.
 */
export interface Watch<T> extends AsyncIterable<StoreEvent<T>> {
  /** While `live`, every event up to the store's `revision` was taken or does not match. */
  readonly state: 'replaying' | 'live' | 'lagging' | 'closed';
  /**
   * Why the store closed the watch: `lagging` when the reader fell behind, `compacted` when the store itself did; undefined after close() by
   * either side.
   */
  readonly error: Error | undefined;
  /** Takes up to `max` waiting events without waiting; [] when no event waits. Each call is bounded, so no reader blocks the event loop. */
  take(max?: number): readonly StoreEvent<T>[];
  /** Called when the first event waits again, and when the watch is closed: synchronously after a commit, never within `take`. */
  onReadable: (() => void) | undefined;
  /** Stops the watch: nothing more can be taken and iterators end. */
  close(): void;
}

export type StoreErrorCode =
  | 'compacted'
  | 'futureRevision'
  | 'lagging'
  | 'aborted'
  | 'closed'
  | 'storageFull'
  | 'unavailable'
  | 'unreadable';

/** An error of the store. `registry/` converts it to the error of the API. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** The requested revision and the store's own, if the code is about revisions. */
  readonly requested: number | undefined;
  readonly current: number | undefined;
  /** The key whose value cannot be read, for the code `unreadable`. */
  readonly key: string | undefined;

  constructor(
    code: StoreErrorCode,
    message: string,
    details: { requested?: number; current?: number; key?: string; cause?: unknown } = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'StoreError';
    this.code = code;
    this.requested = details.requested;
    this.current = details.current;
    this.key = details.key;
  }
}
