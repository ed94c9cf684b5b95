import { type Clock, reading } from '../../meta/clock.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { RequestKind } from '../request-info.js';
import { currentInFlight, currentInQueue } from './request-families.js';

const SECOND = 1000;

/** The most there was at once in the last second. */
class Peak {
  readonly #clock: Clock;
  #since: number;
  #count = 0;
  #peak = 0;
  #before = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = reading(clock);
  }

  add(change: 1 | -1): void {
    this.#turn();
    this.#count += change;
    this.#peak = Math.max(this.#peak, this.#count);
  }

  read(): number {
    this.#turn();
    return Math.max(this.#before, this.#peak);
  }

  #turn(): void {
    const now = reading(this.#clock);
    const passed = now - this.#since;
    if (passed < SECOND) return;
    this.#before = passed < 2 * SECOND ? this.#peak : this.#count;
    this.#peak = this.#count;
    this.#since = now;
  }
}

/** How many requests are served, and how many wait for that. */
export class Traffic {
  readonly #served: Readonly<Record<RequestKind, Peak>>;
  readonly #waiting: Readonly<Record<RequestKind, Peak>>;

  constructor(metrics: Metrics, clock: Clock) {
    const peaks = () => ({ mutating: new Peak(clock), readOnly: new Peak(clock) });
    this.#served = peaks();
    this.#waiting = peaks();
    metrics.collect(currentInFlight, () => numbersOf(this.#served));
    metrics.collect(currentInQueue, () => numbersOf(this.#waiting));
  }

  /** A request is served, until it gives its place back. */
  served(kind: RequestKind, place: { release(): void }): { release(): void } {
    this.#served[kind].add(1);
    return {
      release: () => {
        this.#served[kind].add(-1);
        place.release();
      },
    };
  }

  /** A request waits. */
  async waits<T>(kind: RequestKind, until: Promise<T>): Promise<T> {
    this.#waiting[kind].add(1);
    try {
      return await until;
    } finally {
      this.#waiting[kind].add(-1);
    }
  }
}

const numbersOf = (peaks: Readonly<Record<RequestKind, Peak>>) =>
  Object.entries(peaks).map(([kind, peak]) => [[kind], peak.read()] as const);
