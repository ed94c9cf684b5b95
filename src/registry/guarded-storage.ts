import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type {
  Entry,
  ListOptions,
  Page,
  StateSnapshot,
  Storage,
  TryUpdate,
  Update,
  UpdateOptions,
  UpdateResult,
  Watch,
  WatchOptions,
} from '../store/storage.js';

/** The message of the real server when its storage is full. */
const FULL = 'etcdserver: mvcc: database space exceeded';

/**
 * A storage that refuses writes while `full` returns true. Reads, deletions and changes of objects that are being deleted (to remove their
 * finalizers) still pass, because they make room.
 */
export class GuardedStorage implements Storage<ApiObject> {
  readonly #storage: Storage<ApiObject>;
  readonly #full: () => boolean;

  /** @param full called before every write, so it must be cheap. */
  constructor(storage: Storage<ApiObject>, full: () => boolean) {
    this.#storage = storage;
    this.#full = full;
  }

  get revision(): number {
    return this.#storage.revision;
  }
  get compactRevision(): number {
    return this.#storage.compactRevision;
  }
  get isShared(): boolean {
    return this.#storage.isShared ?? false;
  }
  get problem(): string | undefined {
    return this.#storage.problem;
  }
  get(key: string): Entry<ApiObject> | undefined {
    return this.#storage.get(key);
  }
  list(prefix: string, options?: ListOptions): Page<ApiObject> {
    return this.#storage.list(prefix, options);
  }
  count(prefix: string): number {
    return this.#storage.count(prefix);
  }
  snapshot(revision?: number): StateSnapshot<ApiObject> | undefined {
    return this.#storage.snapshot?.(revision);
  }
  watch(prefix: string, fromRevision: number, options?: WatchOptions): Watch<ApiObject> {
    return this.#storage.watch(prefix, fromRevision, options);
  }
  waitFor(...args: Parameters<Storage<ApiObject>['waitFor']>): Promise<void> {
    return this.#storage.waitFor(...args);
  }
  get isVolatile(): boolean {
    return this.#storage.isVolatile ?? false;
  }
  endWatches(error: Error): void {
    this.#storage.endWatches?.(error);
  }
  close(): Promise<void> {
    return this.#storage.close();
  }

  /** @throws ApiError 500 for a write that needs room while the storage is full. */
  guaranteedUpdate(
    key: string,
    tryUpdate: TryUpdate<ApiObject>,
    options?: UpdateOptions,
  ): Promise<UpdateResult<ApiObject>> {
    if (!this.#full()) return this.#storage.guaranteedUpdate(key, tryUpdate, options);
    const guarded: TryUpdate<ApiObject> = (current) => {
      const update = tryUpdate(current);
      return update instanceof Promise ? update.then((one) => checkRoom(one, current)) : checkRoom(update, current);
    };
    return this.#storage.guaranteedUpdate(key, guarded, options);
  }
}

function checkRoom(update: Update<ApiObject>, current: Entry<ApiObject> | undefined): Update<ApiObject> {
  const makesRoom = current !== undefined && update.action === 'put' && update.value.metadata.deletionTimestamp;
  if (update.action === 'put' && !makesRoom) throw apiError.unknown(FULL);
  return update;
}
