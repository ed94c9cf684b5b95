import type { ApiObject } from '../../meta/object-meta.js';
import { type Storage, StoreError } from '../../store/storage.js';

type OfObjects = Storage<ApiObject>;

/** Another view of a storage: everything is the storage's own unless a view says otherwise. */
export class StorageView implements OfObjects {
  protected readonly storage: OfObjects;

  constructor(storage: OfObjects) {
    this.storage = storage;
  }
  get revision(): number {
    return this.storage.revision;
  }
  get compactRevision(): number {
    return this.storage.compactRevision;
  }
  get problem(): string | undefined {
    return this.storage.problem;
  }
  get(...args: Parameters<OfObjects['get']>): ReturnType<OfObjects['get']> {
    return this.storage.get(...args);
  }
  list(...args: Parameters<OfObjects['list']>): ReturnType<OfObjects['list']> {
    return this.storage.list(...args);
  }
  count(prefix: string): number {
    return this.storage.count(prefix);
  }
  guaranteedUpdate(...args: Parameters<OfObjects['guaranteedUpdate']>): ReturnType<OfObjects['guaranteedUpdate']> {
    return this.storage.guaranteedUpdate(...args);
  }
  watch(...args: Parameters<OfObjects['watch']>): ReturnType<OfObjects['watch']> {
    return this.storage.watch(...args);
  }
  waitFor(...args: Parameters<OfObjects['waitFor']>): Promise<void> {
    return this.storage.waitFor(...args);
  }
  close(): Promise<void> {
    return this.storage.close();
  }
}

/**
 * A storage whose backend does not answer: writes and reads of the newest state fail. Reads of version 0 and open watches go on, because
 * they come from memory.
 */
export class UnavailableStorage extends StorageView {
  readonly #fire: () => void;

  /** @param fire called for each failure. */
  constructor(storage: OfObjects, fire: () => void) {
    super(storage);
    this.#fire = fire;
  }
  override guaranteedUpdate(): ReturnType<OfObjects['guaranteedUpdate']> {
    return this.#fail();
  }
  override waitFor(): Promise<void> {
    return this.#fail();
  }

  #fail(): Promise<never> {
    this.#fire();
    return Promise.reject(new StoreError('unavailable', 'the storage fails because a test wants it to'));
  }
}
