import type { Clock } from '../meta/clock.js';
import type { QueueMeter } from './queue-metrics.js';

const FIRST_RETRY = 5;
const LAST_RETRY = 60_000;

/** Keys that wait for work, without duplicates. A failed key returns after a delay that grows with each failure, on the injected clock. */
export class WorkQueue {
  /** Called when a key was added that was not waiting before. */
  onWork: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #meter: QueueMeter | undefined;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, () => void>();

  constructor(clock: Clock, meter?: QueueMeter) {
    this.#clock = clock;
    this.#meter = meter;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(key: string): void {
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    this.#meter?.added(key);
    this.onWork?.();
  }

  /** Adds a key after a delay, which replaces an earlier delay of the same key. */
  addAfter(key: string, milliseconds: number): void {
    this.#timers.get(key)?.();
    const cancel = this.#clock.setTimer(() => {
      this.#timers.delete(key);
      this.add(key);
    }, milliseconds);
    this.#timers.set(key, cancel);
  }

  /** Removes and returns the next key. */
  take(): string | undefined {
    const [key] = this.#waiting;
    if (key === undefined) return undefined;
    this.#waiting.delete(key);
    this.#meter?.taken(key);
    return key;
  }

  /** Records a failure: the key returns, after a longer delay each time. */
  retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#meter?.done();
    this.#meter?.retried();
    this.addAfter(key, Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY));
  }

  /** Records a success, which resets the delay of the key. */
  forget(key: string): void {
    this.#failures.delete(key);
    this.#meter?.done();
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#waiting.clear();
    this.onWork = undefined;
  }
}
