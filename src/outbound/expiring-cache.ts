import { type Clock, isYoung, reading } from '../meta/clock.js';

interface Entry<T> {
  readonly value: T;
  /** A reading of the clock. */
  readonly since: number;
  /** Milliseconds. */
  readonly lifetime: number;
}

/** Answers by question, each for its own time; of too many the least used go first. */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #size: number;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(clock: Clock, size: number) {
    this.#clock = clock;
    this.#size = size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    if (!isYoung(this.#clock, entry.since, entry.lifetime)) return undefined;
    this.#entries.set(key, entry); // used last
    return entry.value;
  }

  /** @param lifetime milliseconds; 0 or less keeps nothing. */
  set(key: string, value: T, lifetime: number): void {
    this.#entries.delete(key);
    if (lifetime <= 0) return;
    this.#entries.set(key, { value, since: reading(this.#clock), lifetime });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#size) break;
      this.#entries.delete(oldest);
    }
  }
}
