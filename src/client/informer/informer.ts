import { ApiError, isExpired } from '../../meta/api-error.js';
import { reading, sleep } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomBelow } from '../../meta/random.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import type { Client } from '../client.js';
import { type CacheChange, cacheKey, Indexer, type IndexFunc } from './indexer.js';

/** The options of an {@link Informer}. */
export interface InformerOptions<T extends ApiObject> {
  /** The namespace whose objects are cached. Default: all. */
  readonly namespace?: string;
  /** Selects objects by labels. Default: all objects. */
  readonly labelSelector?: string;
  /** Selects objects by fields. Default: all objects. */
  readonly fieldSelector?: string;
  /** Index functions by the names of their indices, see {@link Informer.byIndex}. Default: no indices. */
  readonly indexers?: Readonly<Record<string, IndexFunc<T>>>;
  /**
   * Called with the error of each failed list or watch before the request is retried, and with the errors of handlers and index functions.
   * Default: a failed request is visible only in {@link Informer.lastError}; an error of a handler or index function is an unhandled
   * rejection.
   */
  readonly onError?: (error: unknown) => void;
  /** Closes the informer. Default: only `close()` does. */
  readonly signal?: AbortSignal;
}

/**
 * Handles the changes of an informer's cache. A handler is called when the cache already contains the change. Handlers are called one after
 * the other, in the order of the changes; promises that they return are not awaited.
 */
export interface ResourceEventHandler<T extends ApiObject> {
  /**
   * Called for each object that the cache did not contain.
   * @param isInInitialList whether the object existed before the informer was started or this handler was added.
   */
  onAdd?(object: T, isInInitialList: boolean): unknown;
  /** Called when a cached object has changed. */
  onUpdate?(oldObject: T, newObject: T): unknown;
  /**
   * Called when a cached object was deleted.
   * @param isFinalStateUnknown whether the informer missed the deletion, so that `object` is the last state that it saw.
   */
  onDelete?(object: T, isFinalStateUnknown: boolean): unknown;
}

/** The namespace of a cached object that is looked up by its name. */
interface CacheNamespace {
  /** The namespace of the object. Default: the namespace of the informer, if it has one. */
  readonly namespace?: string;
}

const OPTIONS = ['namespace', 'labelSelector', 'fieldSelector', 'indexers', 'onError', 'signal'];
const PAGE_SIZE = 500;
/** The time limit for one page of a list, in milliseconds. It equals the server's own request timeout. */
const LIST_TIMEOUT = 60_000;
/**
 * The minimum `timeoutSeconds` of a watch, as in client-go. Up to as many seconds again are added at random, so that the watches of many
 * clients do not end together.
 */
const WATCH_SECONDS = 300;
/** Milliseconds for which a watch may stay open after its timeout. Then its connection counts as dead. */
const WATCH_GRACE = 30_000;
/** If a watch has been open for this many milliseconds, it counts as healthy even without events, and the count of failures is reset. */
const HEALTHY = 1000;
/**
 * Milliseconds of the wait after a second failure in a row; there is no wait after the first. Each further failure doubles the wait, up to
 * `LONGEST_WAIT`, and a random time of up to the same length is added.
 */
const FIRST_WAIT = 800;
const LONGEST_WAIT = 30_000;

/**
 * A cache of the objects of a kind, kept up to date by a list and a watch, with handlers for its changes. It works in process and with
 * remote servers, and runs until it is closed: a watch that ends is continued from the last resourceVersion, an expired resourceVersion
 * causes another list, and failures are retried after growing waits on the client's clock. Cached objects are shared and frozen.
 */
export class Informer<T extends ApiObject> implements Disposable {
  readonly #client: Client;
  readonly #kind: ResourceDefinition<T>;
  readonly #selection: Pick<InformerOptions<T>, 'namespace' | 'labelSelector' | 'fieldSelector'>;
  readonly #signal: AbortSignal | undefined;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #indexer: Indexer<T>;
  readonly #handlers = new Set<ResourceEventHandler<T>>();
  readonly #closing = new AbortController();
  readonly #onAbort = () => this.close();
  /** Aborts the request in progress. */
  #stopRequest: (() => void) | undefined;
  #sync: PromiseWithResolvers | undefined;
  #hasSynced = false;
  #lastError: unknown;
  /** The newest resourceVersion that was seen; undefined before the first list. */
  #version: string | undefined;
  #mustList = true;
  /** Whether the server may lack the newest resourceVersion that was seen, for example because it was restored to an earlier state. */
  #isVersionUnavailable = false;
  #failures = 0;

  /** @throws TypeError for a value that is not a kind, and for an option that does not exist. */
  constructor(client: Client, kind: ResourceDefinition<T>, options: InformerOptions<T> = {}) {
    if (typeof kind?.plural !== 'string')
      throw new TypeError('an informer: give a kind, such as configMap or what defineResource returns');
    refuseUnknownMembers('an informer', options, OPTIONS);
    const { indexers = {}, onError, signal, ...selection } = options;
    this.#client = client;
    this.#kind = kind;
    this.#selection = selection;
    this.#onError = onError;
    this.#signal = signal;
    this.#indexer = new Indexer(indexers, (error) => this.#reportBug(error));
  }

  /** Begins to list and watch. Later calls do nothing. */
  start(): this {
    if (this.#sync || this.#closing.signal.aborted) return this;
    this.#sync = withResolvers();
    if (this.#signal?.aborted) this.close();
    else this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#run();
    return this;
  }

  /** Whether the cache contains the first list and the handlers were called for all objects of the list. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The error of the last failed list or watch; undefined once a later request has succeeded. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /**
   * Waits until the informer has synced, however often its list fails.
   * @throws TypeError before {@link start}; Error if the informer is closed, or the signal fires, with the last failure as its cause.
   */
  async synced({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#hasSynced) return;
    if (!this.#sync) throw new TypeError('start the informer before waiting for it');
    const aborted = withResolvers();
    const fail = () => aborted.reject(this.#notSynced('before the signal'));
    if (signal?.aborted) fail();
    else signal?.addEventListener('abort', fail, { once: true });
    await Promise.race([this.#sync.promise, aborted.promise]).finally(() => signal?.removeEventListener('abort', fail));
  }

  /**
   * Adds a handler. It is called at once for the objects that are cached.
   * @returns a function that removes the handler.
   */
  addEventHandler(handler: ResourceEventHandler<T>): () => void {
    const own = {
      onAdd: (object: T, isInInitialList: boolean) => handler.onAdd?.(object, isInInitialList),
      onUpdate: (oldObject: T, newObject: T) => handler.onUpdate?.(oldObject, newObject),
      onDelete: (object: T, isFinalStateUnknown: boolean) => handler.onDelete?.(object, isFinalStateUnknown),
    };
    const cached = this.#indexer.list();
    this.#handlers.add(own);
    for (const object of cached) this.#call(own, () => own.onAdd(object, true));
    return () => void this.#handlers.delete(own);
  }

  /** Returns a cached object. */
  get(name: string, { namespace = this.#selection.namespace }: CacheNamespace = {}): T | undefined {
    return this.#indexer.get(cacheKey({ name, ...(namespace === undefined ? {} : { namespace }) }));
  }

  /** Returns a cached object by its key, `namespace/name`, or the name alone for a cluster-scoped kind. */
  getByKey(key: string): T | undefined {
    return this.#indexer.get(key);
  }

  /** Returns the cached objects of one namespace, or of all namespaces, in no particular order. */
  list({ namespace }: { readonly namespace?: string } = {}): T[] {
    return this.#indexer.list(namespace);
  }

  /**
   * Returns the cached objects that an index has under a value, in no particular order.
   * @throws TypeError for an index that was not given in `indexers`.
   */
  byIndex(index: string, value: string): T[] {
    return this.#indexer.byIndex(index, value);
  }

  /** Ends the watch. No handler is called afterwards; the cache stays as it is. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#stopRequest?.();
    this.#handlers.clear();
    if (!this.#hasSynced) this.#sync?.reject(this.#notSynced('before the informer was closed'));
  }
  [Symbol.dispose](): void {
    this.close();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      let failure: unknown;
      try {
        if (this.#mustList) await this.#list();
        if (!this.#isClosed) await this.#watch();
      } catch (error) {
        failure = error;
      }
      if (this.#isClosed) return;
      if (isExpired(failure) || isTooLarge(failure)) {
        // If the error came from the list and not from the watch, the next list must not request the same resourceVersion again.
        this.#isVersionUnavailable = isTooLarge(failure) || this.#mustList;
        this.#mustList = true;
      } else if (failure !== undefined) {
        this.#lastError = failure;
        this.#report(failure);
      }
      await this.#pause(failure);
    }
  }

  async #list(): Promise<void> {
    // Another API server, which may lag behind, may serve a repeated list. With this resourceVersion it cannot return a state that is older
    // than the state that the handlers have seen.
    const atLeast =
      this.#version === undefined || this.#isVersionUnavailable
        ? {}
        : ({ resourceVersion: this.#version, resourceVersionMatch: 'NotOlderThan' } as const);
    const { items, version } = await this.#pages(atLeast);
    if (this.#isClosed) return;
    this.#lastError = undefined;
    this.#version = version;
    this.#mustList = false;
    this.#isVersionUnavailable = false;
    const isInitial = !this.#hasSynced;
    this.#deliver(() => this.#indexer.replace(items), isInitial);
    if (!isInitial || this.#isClosed) return;
    this.#hasSynced = true;
    this.#sync?.resolve();
  }

  async #pages(atLeast: object): Promise<{ readonly items: readonly T[]; readonly version: string }> {
    const items: T[] = [];
    let next: string | undefined;
    do {
      try {
        const page = next === undefined ? { ...atLeast, limit: PAGE_SIZE } : { continue: next, limit: PAGE_SIZE };
        const list = await this.#request(LIST_TIMEOUT, (signal) =>
          this.#client.list(this.#kind, { ...this.#selection, ...page, signal }),
        );
        items.push(...list.items);
        next = list.metadata.continue || undefined;
        if (next === undefined) return { items, version: list.metadata.resourceVersion ?? '' };
      } catch (error) {
        // The continue token has expired before the last page was read. A list in one piece needs no token.
        if (next === undefined || !isExpired(error)) throw error;
        const list = await this.#request(LIST_TIMEOUT, (signal) =>
          this.#client.list(this.#kind, { ...this.#selection, ...atLeast, signal }),
        );
        return { items: list.items, version: list.metadata.resourceVersion ?? '' };
      }
    } while (!this.#isClosed);
    return { items, version: '' };
  }

  /** Follows the changes until the watch ends. @throws ApiError, or the error of the connection. */
  async #watch(): Promise<void> {
    const { clock, random } = this.#client;
    const timeoutSeconds = WATCH_SECONDS + randomBelow(random, WATCH_SECONDS);
    const began = reading(clock);
    try {
      await this.#request(timeoutSeconds * 1000 + WATCH_GRACE, async (signal) => {
        const watch = await this.#client
          .watch(this.#kind, {
            ...this.#selection,
            resourceVersion: this.#version ?? '',
            allowWatchBookmarks: true,
            timeoutSeconds,
            signal,
          })
          .opened();
        this.#lastError = undefined;
        for await (const event of watch) {
          if (signal.aborted) return;
          this.#failures = 0;
          this.#version = event.object.metadata.resourceVersion ?? this.#version;
          if (event.type === 'DELETED') this.#deliver(() => this.#indexer.remove(event.object), false);
          else if (event.type !== 'BOOKMARK') this.#deliver(() => this.#indexer.set(event.object), false);
        }
      });
    } finally {
      if (reading(clock) - began >= HEALTHY) this.#failures = 0;
    }
  }

  /** Runs a request that is aborted by {@link close}, and after `timeout` milliseconds, because a connection may die without an error. */
  async #request<R>(timeout: number, send: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const stop = new AbortController();
    this.#stopRequest = () => stop.abort();
    const cancel = this.#client.clock.setTimer(() => stop.abort(), timeout);
    try {
      return await send(stop.signal);
    } finally {
      cancel();
      this.#stopRequest = undefined;
    }
  }

  /**
   * Waits before the next request. After the first failure there is no wait; each further failure makes the wait longer. The wait is at
   * least the Retry-After of the error, unless the error means that the server has not reached the resourceVersion.
   */
  async #pause(failure: unknown): Promise<void> {
    const failures = this.#failures++;
    const { clock, random } = this.#client;
    const grown = failures === 0 ? 0 : Math.min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT);
    const retryAfter = failure instanceof ApiError ? (failure.status.details?.retryAfterSeconds ?? 0) * 1000 : 0;
    const wait = Math.max(grown * (1 + randomBelow(random, 1000) / 1000), isTooLarge(failure) ? 0 : retryAfter);
    if (wait > 0) await sleep(clock, wait, this.#closing.signal);
  }

  /** Changes the cache and calls the handlers that were registered before the change. */
  #deliver(change: () => readonly CacheChange<T>[], isInitial: boolean): void {
    const handlers = [...this.#handlers];
    for (const changed of change()) {
      for (const handler of handlers) {
        if (changed.type === 'add') this.#call(handler, () => handler.onAdd?.(changed.object, isInitial));
        else if (changed.type === 'update') this.#call(handler, () => handler.onUpdate?.(changed.old, changed.object));
        else this.#call(handler, () => handler.onDelete?.(changed.object, changed.isFinalStateUnknown));
      }
    }
  }

  #call(handler: ResourceEventHandler<T>, call: () => unknown): void {
    if (!this.#handlers.has(handler)) return; // An earlier call may have removed this handler.
    try {
      Promise.resolve(call()).catch((error: unknown) => this.#reportBug(error));
    } catch (error) {
      this.#reportBug(error);
    }
  }

  #report(error: unknown): void {
    try {
      this.#onError?.(error);
    } catch (thrown) {
      Promise.reject(thrown);
    }
  }

  /** Reports an error of a handler or index function. It must not be lost, and it must not end the watch. */
  #reportBug(error: unknown): void {
    if (this.#onError) this.#report(error);
    else Promise.reject(error);
  }

  #notSynced(when: string): Error {
    const { lastError } = this;
    const why =
      lastError === undefined ? '' : `: ${lastError instanceof Error ? lastError.message : String(lastError)}`;
    return new Error(`${this.#kind.plural} had not synced ${when}${why}`, { cause: lastError });
  }
}

/** Returns whether an error means that the server has not reached the requested resourceVersion. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status.details?.causes ?? []).some(({ reason }) => reason === 'ResourceVersionTooLarge');

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}
/** Makes a promise whose rejection is not reported as unhandled, even if no caller waits for the promise. */
function withResolvers(): PromiseWithResolvers {
  let settle: Omit<PromiseWithResolvers, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  promise.catch(() => {});
  return { promise, resolve: () => settle?.resolve(), reject: (error) => settle?.reject(error) };
}
