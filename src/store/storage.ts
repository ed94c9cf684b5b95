/**
 * A store of values by key and revision, without knowledge of kinds. Keys are `/`-separated paths (`/secrets/default/a`), ordered by UTF-16
 * code unit. Revisions are whole numbers from one counter of the whole store; the revision of the first write is never 0. The store freezes
 * values when they are written and shares them with every reader.
 */
export interface Storage<T extends object = object> {
  /** Revision of the newest write this store knows. */
  readonly revision: number;
  /** Oldest revision that can still be listed exactly or watched from; older revisions are compacted. */
  readonly compactRevision: number;
  /** Whether other servers may write to the same data. Default: false. */
  readonly isShared?: boolean;
  /** Why reads may be outdated and writes fail at the moment; undefined or absent when nothing is wrong. */
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
   * Updates a key. It is the only way to write. It calls `tryUpdate` with the newest entry (undefined when absent) and commits the result
   * by compare-and-swap on the key's revision. When another write came first (possible only if `tryUpdate` is asynchronous), `tryUpdate` is
   * called again with the fresh entry, so it must have no outside effect. Example:
   *
   *   await storage.guaranteedUpdate('/a', (current) => current ? put({ ...current.value, n: 1 }) : keep());
   *
   * A put that equals the stored value (by the store's `equals`) is not written, and the result contains the stored entry. If `tryUpdate`
   * throws an error, nothing is written and the caller receives the error. Each call writes at most once.
   * @throws StoreError `aborted` when `signal` is aborted during a wait; `closed` after {@link close}; `storageFull` for a put that would
   * exceed the size of the store (deletions are always accepted), and for any write when the disk below the store is full; `unavailable`
   * when the layer below the store cannot be written; `unreadable` for a stored value that cannot be decrypted or decoded. After
   * `storageFull` and `unavailable` the write may or may not be durable, but no reader of this store has seen it by then.
   */
  guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options?: UpdateOptions): Promise<UpdateResult<T>>;

  /**
   * Opens a watch of every event after `fromRevision` whose key matches. Each event is passed exactly once, in revision order. With a
   * future revision, the watch begins with the events after that revision.
   * @throws StoreError `compacted` when some events after `fromRevision` are dropped.
   */
  watch(prefix: string, fromRevision: number, options?: WatchOptions<T>): Watch<T>;

  /**
   * Resolves once this store's revision is at least `revision`. Without an argument, it resolves once the store is as fresh as the backend.
   * Returns undefined if nothing has to be awaited; without an argument, a store in memory always returns undefined.
   * @throws StoreError `futureRevision` after `timeoutMilliseconds` (default 3000), `aborted` by `signal`.
   */
  waitFor(revision?: number, options?: RevisionWaitOptions): Promise<void> | undefined;

  /** Whether all data is lost when the process ends. Default false. */
  readonly isVolatile?: boolean;

  /** Ends, with an error, the watches that need every event, because later events do not continue what these watches have received. */
  endWatches?(error: Error): void;

  /** Ends all watches without an error and refuses further writes. */
  close(): Promise<void>;
}

/** The state of a store at one revision. Later writes do not change it. */
export interface StateSnapshot<T> {
  readonly revision: number;
  /** Returns the entries whose keys begin with a prefix, in key order. */
  list(prefix: string): readonly Entry<T>[];
}

/** A stored value with its key and revisions. */
export interface Entry<T> {
  /** The key, such as `/registry/configmaps/default/a`. */
  readonly key: string;
  /** The value. Reading it throws StoreError `unreadable` when the stored value cannot be decrypted or decoded. */
  readonly value: T;
  /** Revision of the entry's last write. */
  readonly revision: number;
  /** Revision of the write that created the key. */
  readonly createRevision: number;
  /**
   * The time of the write, in milliseconds since the epoch. It is set only for entries that an earlier process wrote. Whoever needs the
   * time of another write can watch the store and read the clock.
   */
  readonly writtenAt?: number;
}

/** The options of `list`. */
export interface ListOptions {
  /** The exact revision to list. Default: the newest. */
  readonly revision?: number;
  /** The maximum number of entries to return. Default: all. */
  readonly limit?: number;
  /** The key after which the list begins. Default: the list begins with the first key. */
  readonly after?: string;
}

/** A page of a list. */
export interface Page<T> {
  /** The entries, in the order of their keys. */
  readonly entries: readonly Entry<T>[];
  /** Revision of the snapshot that was read. */
  readonly revision: number;
  /** The number of further entries in the same snapshot; 0 on the last page. */
  readonly remaining: number;
}

/** The result of `tryUpdate`: write a value (`put`), remove the key (`delete`), or write nothing (`keep`). */
export type Update<T> =
  | {
      readonly action: 'put';
      readonly value: T;
      /**
       * Whether the put is allowed in a full store. It is needed for puts that are part of a deletion, such as setting the
       * `deletionTimestamp`.
       */
      readonly beyondQuota?: boolean;
    }
  /** Removes the key; `value` is the last state that watchers receive. Default: the stored value. */
  | { readonly action: 'delete'; readonly value?: T }
  | { readonly action: 'keep' };

/** Decides what to write, given the current entry. It may be called several times for one update. */
export type TryUpdate<T> = (current: Entry<T> | undefined) => Update<T> | Promise<Update<T>>;

/** The options of calls that may wait. */
export interface WaitOptions {
  /**
   * Ends the wait when it is aborted. The option is read only when the call has to wait, so a getter may create the signal lazily. Default:
   * none.
   */
  readonly signal?: AbortSignal;
}

/** The options of {@link Storage.waitFor}. */
export interface RevisionWaitOptions extends WaitOptions {
  /** The timeout in milliseconds. Default 3000. */
  readonly timeoutMilliseconds?: number;
}

/** The options of `guaranteedUpdate`. */
export interface UpdateOptions extends WaitOptions {
  /**
   * The prefixes of other keys on which the result of `tryUpdate` depends. A store with several writing processes commits only if no key
   * with these prefixes was written or removed after the revision that it had when `tryUpdate` was called. Otherwise it catches up and
   * calls `tryUpdate` again. A store that only this process writes to ignores the option, because its callers check for changes while
   * `tryUpdate` waits. The member is read after each call of `tryUpdate`, so a getter may compute it lazily.
   */
  readonly dependsOn?: readonly string[];
}

/** The result of `guaranteedUpdate`. */
export interface UpdateResult<T> {
  /**
   * The entry after the update. For `deleted` it is the last entry, whose value contains the revision of the deletion. It is undefined when
   * a `keep` found no entry.
   */
  readonly entry: Entry<T> | undefined;
  /** What the update did. */
  readonly outcome: 'created' | 'updated' | 'deleted' | 'unchanged';
}

/** One write, as watches receive it. */
export interface StoreEvent<T> {
  /** Whether the value was written or removed. */
  readonly type: 'put' | 'delete';
  /** The key. */
  readonly key: string;
  /** Revision of the write. */
  readonly revision: number;
  /** The new value. For `delete` it is the last value, with the revision of this event. */
  readonly value: T;
  /** The previous value; undefined when the key was created. */
  readonly previous: T | undefined;
}

/** The options of `watch`. */
export interface WatchOptions<T = object> {
  /** Whether only the key that equals the prefix matches. Default false. */
  readonly exact?: boolean;
  /**
   * Returns false for an event that the reader does not need. A storage may skip such events, so that a write does not wake the readers of
   * other objects; it may also ignore this option. The function must not throw.
   */
  concerns?(event: StoreEvent<T>): boolean;
  /**
   * Whether the watch continues after the store was cut off from its backend for so long that it had to skip to a newer state. The watch
   * then receives the differences as events: only the last change of each key. Default false: the watch is closed with StoreError
   * `compacted`.
   */
  readonly crossesGaps?: boolean;
  /**
   * The maximum number of events that are buffered for a reader that does not take them; default 1000. With more events, the watch reads
   * from the history again. It is closed with the error `lagging` only when the history drops events that the reader has not taken.
   */
  readonly maxBuffered?: number;
  /** The maximum size in bytes of the replaced or removed versions in the buffer; default 8 MiB. A single event of any size is buffered. */
  readonly maxBufferedBytes?: number;
}

/**
 * A stream of events. All watches share the same event objects, so that data derived from an event (its encoding) can be cached by
 * identity.
 *
 * States: `replaying` (past events can be taken) -> `live` (no event can be taken) <-> `lagging` (new events wait in the buffer) ->
 * `closed`. A watch whose buffer is full goes back to `replaying`.
 */
export interface Watch<T> extends AsyncIterable<StoreEvent<T>> {
  /** The state of the watch. While it is `live`, every event up to the store's `revision` was taken or does not match. */
  readonly state: 'replaying' | 'live' | 'lagging' | 'closed';
  /**
   * The error with which the store closed the watch: `lagging` when the reader fell behind, `compacted` when the store itself fell behind
   * its backend; undefined when the store closed it without an error, and after {@link close}.
   */
  readonly error: Error | undefined;
  /**
   * Returns up to `max` waiting events, or [] when no event waits. Each call returns a limited number of events, so that no reader blocks
   * the event loop.
   */
  take(max?: number): readonly StoreEvent<T>[];
  /**
   * Called when an event can be taken after there was none, and when the watch is closed. It is called synchronously after a commit, and
   * never within `take`.
   */
  onReadable: (() => void) | undefined;
  /** Closes the watch. Nothing more can be taken, and its iterators end. */
  close(): void;
}

/** The kind of a {@link StoreError}. */
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
  /** Why the operation failed. */
  readonly code: StoreErrorCode;
  /** The requested revision and the store's own, if the code is about revisions. */
  readonly requested: number | undefined;
  /** The store's own revision, if the code is about revisions. */
  readonly current: number | undefined;
  /** The key whose value cannot be decrypted or decoded, for the code `unreadable`. */
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
