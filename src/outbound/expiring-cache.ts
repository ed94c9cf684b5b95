import { type Clock, isYoung, reading } from '../meta/clock.js';

interface Entry<T> {
  readonly value: T;
  /** The clock reading at which the value was stored. */
  readonly since: number;
  /** The lifetime in milliseconds. */
  readonly lifetime: number;
}

/**
 * A cache whose entries expire, each after its own lifetime. An entry that is set or read belongs to the recent generation. When the recent
 * generation reaches half of the maximum size, it becomes the older one, and the entries of the previous older generation are dropped.
 * Reading a recent entry does not move it, because moving would cost more than reading.
 */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #half: number;
  /** The entries that were set or read since the older generation was last dropped. */
  #recent = new Map<string, Entry<T>>();
  #older = new Map<string, Entry<T>>();

  /** @param size the maximum number of entries in the cache. */
  constructor(clock: Clock, size: number) {
    this.#clock = clock;
    this.#half = Math.max(1, size >> 1);
  }

  get(key: string): T | undefined {
    const entry = this.#recent.get(key) ?? this.#takeOlder(key);
    if (!entry) return undefined;
    if (isYoung(this.#clock, entry.since, entry.lifetime)) return entry.value;
    this.#recent.delete(key);
    return undefined;
  }

  /** @param lifetime milliseconds; with 0 or less, the value is not cached. */
  set(key: string, value: T, lifetime: number): void {
    this.#older.delete(key);
    if (lifetime <= 0) this.#recent.delete(key);
    else this.#put(key, { value, since: reading(this.#clock), lifetime });
  }

  #takeOlder(key: string): Entry<T> | undefined {
    const entry = this.#older.get(key);
    if (entry) {
      this.#older.delete(key);
      this.#put(key, entry);
    }
    return entry;
  }

  #put(key: string, entry: Entry<T>): void {
    this.#recent.set(key, entry);
    if (this.#recent.size < this.#half) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }
}
