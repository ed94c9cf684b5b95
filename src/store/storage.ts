/**
 * The store speaks keys and revisions, never kinds. Keys are `/`-separated paths (`/secrets/default/a`), ordered by
 * code unit. Revisions are whole numbers from one counter of the whole store; the first write is never 0.
 * Values are frozen by the store when they are written and shared with every reader.
 */
export interface Storage<T extends object = object> {
  /** Revision of the newest write this store knows. */
  readonly revision: number;
  /** Oldest revision that can still be listed exactly or watched from; what is older was compacted. */
  readonly compactRevision: number;

  /** The newest entry of a key. Synchronous: all reads come from memory. */
  get(key: string): Entry<T> | undefined;

  /**
   * Entries whose keys begin with a prefix, in key order, from one consistent snapshot.
   * @throws StoreError `compacted` or `futureRevision` when `revision` is given and not held.
   */
  list(prefix: string, options?: ListOptions): Page<T>;

  /** How many keys begin with the prefix, newest state. */
  count(prefix: string): number;

  /**
   * The only way to write. Calls `tryUpdate` with the newest entry (undefined when absent) and commits what it answers
   * by compare-and-swap on the key's revision; when another write came between (possible only if `tryUpdate` waits),
   * it is called again with the fresh entry, so it must have no outside effect. Example:
   *
   *   await storage.guaranteedUpdate('/a', (current) => current ? put({ ...current.value, n: 1 }) : keep());
   *
   * A put that equals the stored value (by the store's `equals`) is not written: the answer carries the old entry.
   * What `tryUpdate` throws is passed on; nothing is written then. At most one write per call.
   * @throws StoreError `aborted` when `signal` fires while something is waited for, `closed` after close(), `storageFull`
   *   for a put that grows beyond what the store may hold (deletions always pass).
   */
  guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options?: UpdateOptions): Promise<UpdateResult<T>>;

  /**
   * Every event after `fromRevision` whose key matches, in revision order, each exactly once. A version of the future
   * simply waits.
   * @throws StoreError `compacted` when events after `fromRevision` are no longer all held.
   */
  watch(prefix: string, fromRevision: number, options?: WatchOptions): Watch<T>;

  /**
   * Resolves once this store's revision is at least `revision`; with none, once it is as fresh as the backend
   * (memory: at once).
   * @throws StoreError `futureRevision` after `timeoutMilliseconds` (default 3000), `aborted` by `signal`.
   */
  waitFor(
    revision?: number,
    options?: { readonly timeoutMilliseconds?: number; readonly signal?: AbortSignal },
  ): Promise<void>;

  /** Ends all watches (cleanly, no error) and refuses writes from then on. */
  close(): Promise<void>;
}

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  /** Revision of the entry's last write. */
  readonly revision: number;
  /** Revision of the write that made the key. */
  readonly createRevision: number;
}

export interface ListOptions {
  /** Exactly this revision; the newest when left out. */
  readonly revision?: number;
  /** At most so many entries; all when left out. */
  readonly limit?: number;
  /** Only keys after this one. */
  readonly after?: string;
}

export interface Page<T> {
  readonly entries: readonly Entry<T>[];
  /** Revision of the snapshot that was read. */
  readonly revision: number;
  /** How many more entries follow in the same snapshot; 0 on the last page. */
  readonly remaining: number;
}

/** What `tryUpdate` wants done with the key. */
export type Update<T> =
  | {
      readonly action: 'put';
      readonly value: T;
      /** Passes a full store, too: a step that deletion needs. */
      readonly beyondQuota?: boolean;
    }
  /** Removes the key; `value` is the last state that watchers receive, the stored one when left out. */
  | { readonly action: 'delete'; readonly value?: T }
  | { readonly action: 'keep' };

export type TryUpdate<T> = (current: Entry<T> | undefined) => Update<T> | Promise<Update<T>>;

export interface WaitOptions {
  /** Gives up waiting. It is looked at only when there is something to wait for, so that a getter may make it then. */
  readonly signal?: AbortSignal;
}

export interface UpdateOptions extends WaitOptions {
  /**
   * Prefixes of other keys that the answer of `tryUpdate` was made from. A store that other processes write to commits only where none
   * of them was written or removed after the revision that this store had when `tryUpdate` was called; else it catches up and
   * asks again. One that this process alone writes to has nothing to do: what may change while `tryUpdate` waits is looked at
   * by its callers. It is looked at after each answer, so that a getter may make it then.
   */
  readonly dependsOn?: readonly string[];
}

export interface UpdateResult<T> {
  /** The entry as it is now; for `deleted` the last one, its value stamped with the deletion's revision; undefined when a `keep` found nothing. */
  readonly entry: Entry<T> | undefined;
  readonly outcome: 'created' | 'updated' | 'deleted' | 'unchanged';
}

export interface StoreEvent<T> {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** The new value; for `delete` the last one, stamped with this event's revision. */
  readonly value: T;
  /** The value before; undefined when the key was made. */
  readonly previous: T | undefined;
}

export interface WatchOptions {
  /** Match this one key instead of the prefix. */
  readonly exact?: boolean;
  /**
   * Most events kept for a reader that does not take them; default 1000. Beyond that it reads from the history again, and
   * is closed as lagging only when the history drops what it has still to take.
   */
  readonly maxBuffered?: number;
  /** The same in bytes of versions that were replaced or removed; default 8 MiB. One event is kept whatever its size. */
  readonly maxBufferedBytes?: number;
}

/**
 * A stream of events. The same event object goes to every watch, so that what is derived from it (its encoding) can be
 * kept beside it once.
 *
 * States: `replaying` (events of the past wait to be taken) -> `live` (empty, waiting) <-> `lagging` (live events wait
 * in the buffer) -> `closed`. A reader that lets its buffer run full goes back to `replaying`.
 */
export interface Watch<T> extends AsyncIterable<StoreEvent<T>> {
  /** While it is `live` everything up to the store's `revision` was taken or does not match. */
  readonly state: 'replaying' | 'live' | 'lagging' | 'closed';
  /** Why it was closed by the store: `lagging` when the reader fell behind; undefined after close() of either side. */
  readonly error: Error | undefined;
  /** Up to `max` waiting events, at once; [] when none wait. Each call is bounded, so no reader holds the event loop. */
  take(max?: number): readonly StoreEvent<T>[];
  /** Called (synchronously after a commit, never within `take`) whenever events wait that did not before, and when closed. */
  onReadable: (() => void) | undefined;
  /** Stops it; taking is over and iterators end. */
  close(): void;
}

export type StoreErrorCode = 'compacted' | 'futureRevision' | 'lagging' | 'aborted' | 'closed' | 'storageFull';

/** What the store can answer but a value. `registry/` interprets it into the wire's form. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** The revision asked for and the store's own, where the code is about revisions. */
  readonly requested: number | undefined;
  readonly current: number | undefined;

  constructor(code: StoreErrorCode, message: string, revisions: { requested?: number; current?: number } = {}) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
    this.requested = revisions.requested;
    this.current = revisions.current;
  }
}
