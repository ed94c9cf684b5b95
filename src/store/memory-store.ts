import { type Clock, systemClock } from '../meta/clock.js';
import { decideWrite, updateUntilCommitted } from './guaranteed-update.js';
import { MemoryState, type MemoryStateOptions } from './memory-state.js';
import { type Entry, StoreError, type TryUpdate, type Update, type UpdateResult, type WaitOptions } from './storage.js';
import { ReadingStorage } from './storage-view.js';

/** The options of a {@link MemoryStore}. */
export interface MemoryStoreOptions<T extends object> extends Omit<MemoryStateOptions<T>, 'clock'> {
  /** The clock. Default: that of the machine. */
  readonly clock?: Clock;
  /**
   * Returns a value that contains the revision of its write. It is called just before the commit and must not change its argument. Default:
   * the value itself.
   */
  readonly stamp?: (value: T, revision: number) => T;
  /** Returns whether a put would change nothing. Its first argument is the stored value. Default: identity. */
  readonly equals?: (stored: T, next: T) => boolean;
}

/** A store that keeps its state in the memory of this process only. */
export class MemoryStore<T extends object = object> extends ReadingStorage<T> {
  readonly #state: MemoryState<T>;
  readonly #stamp: (value: T, revision: number) => T;
  readonly #equals: (stored: T, next: T) => boolean;

  constructor(options: MemoryStoreOptions<T> = {}) {
    const state = new MemoryState<T>({ ...options, clock: options.clock ?? systemClock });
    super(state);
    this.#state = state;
    this.#stamp = options.stamp ?? ((value) => value);
    this.#equals = options.equals ?? ((stored, next) => stored === next);
  }

  async guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options: WaitOptions = {}): Promise<UpdateResult<T>> {
    if (this.#state.isClosed) throw closed();
    const commit = (current: Entry<T> | undefined, update: Update<T>): UpdateResult<T> => {
      if (this.#state.isClosed) throw closed();
      const decided = decideWrite(current, update, this.#equals);
      if (decided.outcome === 'unchanged') return decided;
      const { type, value, outcome, beyondQuota } = decided;
      if (!beyondQuota) this.#state.assertRoom(key, value);
      const revision = this.#state.revision + 1;
      const entry = this.#state.apply({ type, key, value: this.#stamp(value, revision), revision });
      return { entry, outcome };
    };
    return updateUntilCommitted(this.#state, key, tryUpdate, commit, options);
  }

  override get isVolatile(): boolean {
    return true;
  }
  async close(): Promise<void> {
    this.#state.close();
  }
}

const closed = () => new StoreError('closed', 'the store was closed');
