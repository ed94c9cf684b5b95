import { ApiError, isExpired } from '../../meta/api-error.js';
import { reading, sleep } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomBelow } from '../../meta/random.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import type { Client } from '../client.js';
import { type CacheChange, cacheKey, Indexer, type IndexFunc } from './indexer.js';

export interface InformerOptions<T extends ApiObject> {
  /** The namespace whose objects are cached. Default: all. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Index functions by the names of their indices, see {@link Informer.byIndex}. */
  readonly indexers?: Readonly<Record<string, IndexFunc<T>>>;
  /**
   * Called with each failed list or watch, which is tried again, and with what handlers and index functions throw. Default: failed requests
   * are only in {@link Informer.lastError}, and errors of handlers and index functions are unhandled rejections.
   */
  readonly onError?: (error: unknown) => void;
  /** Closes the informer. */
  readonly signal?: AbortSignal;
}

/**
 * What happens to the objects of an informer. The cache has a change when its handler is called. Handlers are called one after the other, in
 * the order of the changes; promises that they return are not waited for.
 */
export interface ResourceEventHandler<T extends ApiObject> {
  /** @param isInInitialList whether the object was there before the informer, or before this handler. */
  onAdd?(object: T, isInInitialList: boolean): unknown;
  onUpdate?(oldObject: T, newObject: T): unknown;
  /** @param isFinalStateUnknown whether the deletion itself was missed, so that this is the last state that was seen. */
  onDelete?(object: T, isFinalStateUnknown: boolean): unknown;
}

/** Where an object of the cache is. */
interface CacheNamespace {
  /** Default: the namespace of the informer, if it has one. */
  readonly namespace?: string;
}

const OPTIONS = ['namespace', 'labelSelector', 'fieldSelector', 'indexers', 'onError', 'signal'];
const PAGE_SIZE = 500;
/** Milliseconds after which a page of a list is given up: an API server gives up then as well. */
const LIST_TIMEOUT = 60_000;
/** The least seconds of a watch, as in client-go; up to twice as many keep the watches of many clients from ending together. */
const WATCH_SECONDS = 300;
/** Milliseconds that a watch may go on after its end before its connection counts as dead. */
const WATCH_GRACE = 30_000;
/** Milliseconds after which a watch counts as healthy without an event. */
const HEALTHY = 1000;
/** Milliseconds of the second wait; the first is 0. Waits double up to the next constant, and have up to their length added by chance. */
const FIRST_WAIT = 800;
const LONGEST_WAIT = 30_000;

/**
 * A cache of the objects of a kind, kept up to date by a list and a watch, with handlers of its changes. It works in process and with servers
 * elsewhere, and goes on until it is closed: a watch that ends continues where it was, one whose version has expired begins with another
 * list, and failures are tried again after waits that grow by the client's clock. Cached objects are shared and frozen.
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
  /** Ends the request under way. */
  #stopRequest: (() => void) | undefined;
  #sync: PromiseWithResolvers | undefined;
  #hasSynced = false;
  #lastError: unknown;
  /** The newest version that was seen; undefined before the first list. */
  #version: string | undefined;
  #mustList = true;
  /** Whether the server does not have the newest version that was seen, because it was taken back to an earlier state. */
  #isVersionUnavailable = false;
  #failures = 0;

  /** @throws TypeError for an option that does not exist. */
  constructor(client: Client, kind: ResourceDefinition<T>, options: InformerOptions<T> = {}) {
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

  /** Whether the cache has had the whole of the first list, and the handlers were called for it. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** What the last failed list or watch failed with; undefined once a request has succeeded since. */
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
   * @returns removes the handler.
   */
  addEventHandler(handler: ResourceEventHandler<T>): () => void {
    const own = {
      onAdd: (object: T, isInInitialList: boolean) => handler.onAdd?.(object, isInInitialList),
      onUpdate: (oldObject: T, newObject: T) => handler.onUpdate?.(oldObject, newObject),
      onDelete: (object: T, isFinalStateUnknown: boolean) => handler.onDelete?.(object, isFinalStateUnknown),
    };
    const cached = this.#indexer.list();
    this.#handlers.add(own);
    for (const object of cached) this.#call(own, (each) => each.onAdd?.(object, true));
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

  /** Returns the cached objects of one namespace, or all, in no particular order. */
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

  /** Ends the watch. No handler is called from then on; the cache remains as it is. */
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
      const wasListing = this.#mustList;
      let failure: unknown;
      try {
        if (this.#mustList) await this.#list();
        if (!this.#isClosed) await this.#watch();
      } catch (error) {
        failure = error;
      }
      if (this.#isClosed) return;
      if (isExpired(failure) || isTooLarge(failure)) {
        this.#mustList = true;
        this.#isVersionUnavailable = isTooLarge(failure) || wasListing;
      } else if (failure !== undefined) {
        this.#lastError = failure;
        this.#report(failure);
      }
      await this.#pause(failure);
    }
  }

  async #list(): Promise<void> {
    // Another list must not be older than what handlers have seen, whichever server answers.
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
        // The version of the first page may expire before the last page is read; a list in one piece does not depend on it.
        if (next === undefined || !isExpired(error)) throw error;
        const list = await this.#request(LIST_TIMEOUT, (signal) =>
          this.#client.list(this.#kind, { ...this.#selection, ...atLeast, signal }),
        );
        return { items: list.items, version: list.metadata.resourceVersion ?? '' };
      }
    } while (!this.#isClosed);
    return { items, version: '' };
  }

  /** Follows the changes until the watch ends. @throws ApiError, or what else the connection fails with. */
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

  /** Runs a request that is aborted by {@link close}, and after some milliseconds in which its connection has died unnoticed. */
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

  /** Waits before the next request: not at all after a first failure, then longer each time, and as long as the server asks for. */
  async #pause(failure: unknown): Promise<void> {
    const failures = this.#failures++;
    const { clock, random } = this.#client;
    const grown = failures === 0 ? 0 : Math.min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT);
    const asked = failure instanceof ApiError ? (failure.status.details?.retryAfterSeconds ?? 0) * 1000 : 0;
    const wait = Math.max(grown * (1 + randomBelow(random, 1000) / 1000), isTooLarge(failure) ? 0 : asked);
    if (wait > 0) await sleep(clock, wait, this.#closing.signal);
  }

  /** Changes the cache, and calls the handlers that were there before the change. */
  #deliver(change: () => readonly CacheChange<T>[], isInitial: boolean): void {
    const handlers = [...this.#handlers];
    for (const each of change()) {
      for (const handler of handlers) {
        if (each.type === 'add') this.#call(handler, () => handler.onAdd?.(each.object, isInitial));
        else if (each.type === 'update') this.#call(handler, () => handler.onUpdate?.(each.old, each.object));
        else this.#call(handler, () => handler.onDelete?.(each.object, each.isFinalStateUnknown));
      }
    }
  }

  #call(handler: ResourceEventHandler<T>, call: (handler: ResourceEventHandler<T>) => unknown): void {
    if (!this.#handlers.has(handler)) return; // removed, by an earlier call as well
    try {
      Promise.resolve(call(handler)).catch((error: unknown) => this.#reportBug(error));
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

  /** Reports an error of the caller's own code, which must not be lost and must not end the watch. */
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

/** Returns whether a server refuses a version that it does not have. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status.details?.causes ?? []).some(({ reason }) => reason === 'ResourceVersionTooLarge');

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}
/** Makes a promise whose rejection is not reported as unhandled if it is not waited for. */
function withResolvers(): PromiseWithResolvers {
  let settle: Omit<PromiseWithResolvers, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  promise.catch(() => {});
  return { promise, resolve: () => settle?.resolve(), reject: (error) => settle?.reject(error) };
}
