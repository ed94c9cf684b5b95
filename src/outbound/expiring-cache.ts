import { type Clock, isYoung, reading } from '../meta/clock.js';

interface Entry<T> {
  readonly value: T;
  /** The clock reading at which the value was stored. */
  readonly since: number;
  /** The lifetime in milliseconds. */
  readonly lifetime: number;
}

/**
 * A cache whose entries expire, each after its own lifetime. When the cache is full, the least recently used half is dropped at once.
 * Reading an entry of the recently used half does not move it, because moving would cost more than reading.
 */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #half: number;
  /** Entries that were set or read since the last time a half was dropped. */
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
