import { StoreError } from './storage.js';

/** The estimated bytes of an entry without its value: the entry and its slot in the tree. */
const ENTRY_BYTES = 128;

/**
 * A limit on the total bytes of the newest versions of all keys. Older versions, which only the history holds, have a separate limit:
 * {@link HistoryBounds}.
 */
export class Quota<T> {
  readonly #maxBytes: number;
  readonly #sizeOf: (value: T, sharedWith?: T) => number;
  #bytes = 0;

  /** @throws TypeError for a limit that is not a positive number */
  constructor(maxBytes: number, sizeOf: (value: T, sharedWith?: T) => number) {
    if (!(maxBytes > 0)) throw new TypeError('maxBytes must be a number greater than 0');
    this.#maxBytes = maxBytes;
    this.#sizeOf = sizeOf;
  }

  /**
   * Refuses a put that would exceed the limit. A put that does not increase the size is always accepted, so that a full store can be
   * emptied.
   * @throws StoreError `storageFull`
   */
  assertRoom(key: string, next: T, current: T | undefined): void {
    const growth = this.#growth(key, next, current);
    if (growth <= 0 || this.#bytes + growth <= this.#maxBytes) return;
    throw new StoreError('storageFull', `the store holds ${this.#bytes} of at most ${this.#maxBytes} bytes`);
  }

  /** Counts a change of the state. `current` is undefined if the key was absent before the change, `next` if it is absent afterwards. */
  changed(key: string, next: T | undefined, current: T | undefined): void {
    this.#bytes += this.#growth(key, next, current);
  }

  /** Returns the growth in bytes. Only the parts that the two versions do not share are walked. */
  #growth(key: string, next: T | undefined, current: T | undefined): number {
    const own = ENTRY_BYTES + 2 * key.length;
    const added = next === undefined ? 0 : own + this.#sizeOf(next, current);
    const removed = current === undefined ? 0 : own + this.#sizeOf(current, next);
    return added - removed;
  }
}
