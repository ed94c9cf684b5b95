import type {
  Entry,
  ListOptions,
  Page,
  RevisionWaitOptions,
  StateSnapshot,
  Storage,
  TryUpdate,
  UpdateOptions,
  UpdateResult,
  Watch,
  WatchOptions,
} from './storage.js';

/** The members of a storage without its writes. A state in memory has them, too. */
export type StorageReads<T extends object> = Omit<Storage<T>, 'guaranteedUpdate' | 'close'>;

/** A storage that reads from another storage or from a state in memory. Subclasses implement writes, and override the reads that differ. */
export abstract class ReadingStorage<T extends object> implements Storage<T> {
  readonly #reads: StorageReads<T>;

  constructor(reads: StorageReads<T>) {
    this.#reads = reads;
  }

  get revision(): number {
    return this.#reads.revision;
  }
  get compactRevision(): number {
    return this.#reads.compactRevision;
  }
  get isShared(): boolean {
    return this.#reads.isShared ?? false;
  }
  get isVolatile(): boolean {
    return this.#reads.isVolatile ?? false;
  }
  get problem(): string | undefined {
    return this.#reads.problem;
  }
  get(key: string): Entry<T> | undefined {
    return this.#reads.get(key);
  }
  list(prefix: string, options?: ListOptions): Page<T> {
    return this.#reads.list(prefix, options);
  }
  count(prefix: string): number {
    return this.#reads.count(prefix);
  }
  snapshot(revision?: number): StateSnapshot<T> | undefined {
    return this.#reads.snapshot?.(revision);
  }
  watch(prefix: string, fromRevision: number, options?: WatchOptions<T>): Watch<T> {
    return this.#reads.watch(prefix, fromRevision, options);
  }
  waitFor(revision?: number, options?: RevisionWaitOptions): Promise<void> | undefined {
    return this.#reads.waitFor(revision, options);
  }
  endWatches(error: Error): void {
    this.#reads.endWatches?.(error);
  }
  abstract guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options?: UpdateOptions): Promise<UpdateResult<T>>;
  abstract close(): Promise<void>;
}

/** A view of a storage. It forwards all calls to the storage, and subclasses override the members that differ. */
export class StorageView<T extends object> extends ReadingStorage<T> {
  protected readonly storage: Storage<T>;

  constructor(storage: Storage<T>) {
    super(storage);
    this.storage = storage;
  }
  guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options?: UpdateOptions): Promise<UpdateResult<T>> {
    return this.storage.guaranteedUpdate(key, tryUpdate, options);
  }
  close(): Promise<void> {
    return this.storage.close();
  }
}
