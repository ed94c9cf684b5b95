import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Entry, Storage, TryUpdate, Update, UpdateOptions, UpdateResult } from '../store/storage.js';
import { StorageView } from '../store/storage-view.js';

/** Upstream's error message when etcd is out of space. */
const FULL = 'etcdserver: mvcc: database space exceeded';

/**
 * A storage that refuses writes while `full` returns true. Deletions are still possible, because they make room. So are changes of objects
 * that are being deleted, because their finalizers have to be removed.
 */
export class GuardedStorage extends StorageView<ApiObject> {
  readonly #full: () => boolean;

  /** @param full called for every write that needs room, so it must be cheap. If it returns true, the write is refused. */
  constructor(storage: Storage<ApiObject>, full: () => boolean) {
    super(storage);
    this.#full = full;
  }

  /** @throws ApiError 500 for a write that needs room while the storage is full. */
  override guaranteedUpdate(
    key: string,
    tryUpdate: TryUpdate<ApiObject>,
    options?: UpdateOptions,
  ): Promise<UpdateResult<ApiObject>> {
    const guarded: TryUpdate<ApiObject> = (current) => {
      const update = tryUpdate(current);
      return update instanceof Promise
        ? update.then((one) => this.#checkRoom(one, current))
        : this.#checkRoom(update, current);
    };
    return this.storage.guaranteedUpdate(key, guarded, options);
  }

  #checkRoom(update: Update<ApiObject>, current: Entry<ApiObject> | undefined): Update<ApiObject> {
    const makesRoom = current !== undefined && update.action === 'put' && update.value.metadata.deletionTimestamp;
    if (update.action === 'put' && !makesRoom && this.#full()) throw apiError.unknown(FULL);
    return update;
  }
}
