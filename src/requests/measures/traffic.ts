import { type Clock, reading } from '../../meta/clock.js';
import type { Distribution, Metrics } from '../../metrics/metrics.js';
import { TimeDistribution } from '../../metrics/time-distribution.js';
import type { RequestKind } from '../request-info.js';
import { CURRENT_RATIOS, currentInFlight, currentInQueue, readVsWrite } from './request-families.js';

const SECOND = 1000;

/** The most there was at once in the last second. */
class Peak {
  readonly #clock: Clock;
  #since: number;
  #count = 0;
  #peak = 0;
  #before = 0;
  readonly #times: TimeDistribution;

  /** @param limit what there are is compared with; 0 and undefined for none */
  constructor(clock: Clock, limit?: number) {
    this.#clock = clock;
    this.#times = new TimeDistribution(CURRENT_RATIOS, reading(clock));
    if (limit) this.#times.setDenominator(limit, reading(clock));
    this.#since = reading(clock);
  }

  add(change: 1 | -1): void {
    this.#turn();
    this.#count += change;
    this.#peak = Math.max(this.#peak, this.#count);
    this.#times.set(this.#count, reading(this.#clock));
  }

  /** How long there were how many. */
  distribution(): Distribution {
    return this.#times.read(reading(this.#clock));
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

  constructor(metrics: Metrics, clock: Clock, { mutating, readOnly }: Partial<Record<RequestKind, number>> = {}) {
    this.#served = { mutating: new Peak(clock, mutating), readOnly: new Peak(clock, readOnly) };
    this.#waiting = { mutating: new Peak(clock), readOnly: new Peak(clock) };
    metrics.collect(currentInFlight, () => numbersOf(this.#served));
    metrics.collect(currentInQueue, () => numbersOf(this.#waiting));
    metrics.collect(readVsWrite, () => [
      ...distributions('waiting', this.#waiting),
      ...distributions('executing', this.#served),
    ]);
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

const distributions = (phase: string, peaks: Readonly<Record<RequestKind, Peak>>) =>
  Object.entries(peaks).map(([kind, peak]) => [[phase, kind], peak.distribution()] as const);
const numbersOf = (peaks: Readonly<Record<RequestKind, Peak>>) =>
  Object.entries(peaks).map(([kind, peak]) => [[kind], peak.read()] as const);
