import { type Clock, reading } from '../../meta/clock.js';
import type { Distribution, Metrics } from '../../metrics/metrics.js';
import { TimeDistribution } from '../../metrics/time-distribution.js';
import type { RequestKind } from '../request-info.js';
import { CURRENT_RATIOS, currentInFlight, currentInQueue, readVsWrite } from './request-families.js';

const SECOND = 1000;

/** The number of changes that are buffered. Updating the counters in batches is faster, because they are spread over memory. */
const CHANGES = 16;

/**
 * Counts concurrent requests of one kind. It finds the highest count within the last second, and measures how long the count, as a fraction
 * of the limit, had each value.
 */
class Peak {
  readonly #clock: Clock;
  #count = 0;
  /** Buffered changes: pairs of the time and the count from then on. */
  readonly #changes = new Float64Array(2 * CHANGES);
  #length = 0;
  /** The count of concurrent requests after the last processed change. */
  #counted = 0;
  #since: number;
  #peak = 0;
  #before = 0;
  readonly #times: TimeDistribution;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#times = new TimeDistribution(CURRENT_RATIOS, reading(clock));
    this.#since = reading(clock);
  }

  /** Sets the limit by which counts are divided from this moment on; a limit of 0 counts as 1. */
  compareWith(limit: number): void {
    this.#applyChanges();
    this.#times.setDenominator(limit || 1, reading(this.#clock));
  }

  /**
   * Changes the count of concurrent requests.
   * @param now a clock reading
   */
  add(change: 1 | -1, now: number): void {
    this.#count += change;
    this.#changes[this.#length++] = now;
    this.#changes[this.#length++] = this.#count;
    if (this.#length === this.#changes.length) this.#applyChanges();
  }

  /** Returns for how long the count was at each fraction of the limit. */
  distribution(): Distribution {
    this.#applyChanges();
    return this.#times.read(reading(this.#clock));
  }

  read(): number {
    this.#applyChanges();
    this.#turn(reading(this.#clock));
    return Math.max(this.#before, this.#peak);
  }

  #applyChanges(): void {
    for (let i = 0; i < this.#length; i += 2) {
      const now = this.#changes[i] ?? 0;
      const count = this.#changes[i + 1] ?? 0;
      this.#turn(now);
      this.#counted = count;
      this.#peak = Math.max(this.#peak, count);
      this.#times.set(count, now);
    }
    this.#length = 0;
  }

  #turn(now: number): void {
    const passed = now - this.#since;
    if (passed < SECOND) return;
    this.#before = passed < 2 * SECOND ? this.#peak : this.#counted;
    this.#peak = this.#counted;
    this.#since = now;
  }
}

/** Measures how many requests are served at once, and how many wait to be served. */
export class Traffic {
  readonly #clock: Clock;
  readonly #served: Readonly<Record<RequestKind, Peak>>;
  readonly #waiting: Readonly<Record<RequestKind, Peak>>;

  constructor(
    metrics: Metrics,
    clock: Clock,
    { mutating = 0, readOnly = 0 }: Partial<Record<RequestKind, number>> = {},
  ) {
    this.#clock = clock;
    this.#served = { mutating: new Peak(clock), readOnly: new Peak(clock) };
    this.#served.mutating.compareWith(mutating);
    this.#served.readOnly.compareWith(readOnly);
    this.#waiting = { mutating: new Peak(clock), readOnly: new Peak(clock) };
    metrics.collect(currentInFlight, () => numbersOf(this.#served));
    metrics.collect(currentInQueue, () => numbersOf(this.#waiting));
    metrics.collect(readVsWrite, () => [
      ...distributions('waiting', this.#waiting),
      ...distributions('executing', this.#served),
    ]);
  }

  /** Sets the limits of the requests of each kind: how many may wait, and how many may be served at once. */
  compareWith(waiting: number, served: number): void {
    for (const kind of ['mutating', 'readOnly'] as const) {
      this.#waiting[kind].compareWith(waiting);
      this.#served[kind].compareWith(served);
    }
  }

  /** Counts a request as served, from the clock reading `now` until {@link end}. */
  begin(kind: RequestKind, now: number): void {
    this.#served[kind].add(1, now);
  }

  end(kind: RequestKind, now = reading(this.#clock)): void {
    this.#served[kind].add(-1, now);
  }

  /** Counts a request as waiting until a promise settles. */
  async waits<T>(kind: RequestKind, until: Promise<T>): Promise<T> {
    this.#waiting[kind].add(1, reading(this.#clock));
    try {
      return await until;
    } finally {
      this.#waiting[kind].add(-1, reading(this.#clock));
    }
  }
}

const distributions = (phase: string, peaks: Readonly<Record<RequestKind, Peak>>) =>
  Object.entries(peaks).map(([kind, peak]) => [[phase, kind], peak.distribution()] as const);
const numbersOf = (peaks: Readonly<Record<RequestKind, Peak>>) =>
  Object.entries(peaks).map(([kind, peak]) => [[kind], peak.read()] as const);
