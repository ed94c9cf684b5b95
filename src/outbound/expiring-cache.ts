import { type Clock, isYoung, reading } from '../meta/clock.js';

interface Entry<T> {
  readonly value: T;
  /** A reading of the clock. */
  readonly since: number;
  /** Milliseconds. */
  readonly lifetime: number;
}

/**
 * Answers by question, each for its own time. Of too many those go that were not used for longest, half of them at a time: whoever
 * finds an answer has not to move it, which would cost more than to find it.
 */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #half: number;
  /** Used since the last time half of them went. */
  #recent = new Map<string, Entry<T>>();
  #older = new Map<string, Entry<T>>();

  /** @param size the largest number of answers that are kept. */
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

  /** @param lifetime milliseconds; 0 or less keeps nothing. */
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
