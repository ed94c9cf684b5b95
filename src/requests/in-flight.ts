import { type Clock, reading } from '../meta/clock.js';
import type { Host } from '../meta/host.js';
import type { MetricFamily } from '../metrics/metrics.js';
import { currentInFlight, currentInQueue } from './measures/request-families.js';

const SECOND = 1000;

/** How many requests of a kind are served, or wait, at once. */
class Slots {
  readonly limit: number;
  taken = 0;
  readonly #clock: Clock;
  /** The most of the second that began at `since`, and of the one before. */
  #most = 0;
  #mostBefore = 0;
  #since: number;

  /** @param limit 0: any number. */
  constructor(limit: number, clock: Clock) {
    this.limit = limit;
    this.#clock = clock;
    this.#since = reading(clock);
  }
  get full(): boolean {
    return this.limit > 0 && this.taken >= this.limit;
  }
  /** The most that were taken at once in the last second, a little more or less. */
  get most(): number {
    this.#forget();
    return Math.max(this.#most, this.#mostBefore);
  }
  take(): this {
    this.#forget();
    this.taken++;
    if (this.taken > this.#most) this.#most = this.taken;
    return this;
  }
  release(): void {
    this.taken--;
  }

  #forget(): void {
    const now = reading(this.#clock);
    const passed = now - this.#since;
    if (passed < SECOND) return;
    this.#mostBefore = passed < 2 * SECOND ? this.#most : this.taken;
    this.#since = now;
    this.#most = this.taken;
  }
}

/** What reads and what writes are counted apart. */
class Kinds {
  readonly reading: Slots;
  readonly mutating: Slots;

  constructor(reading: number, mutating: number, clock: Clock) {
    this.reading = new Slots(reading, clock);
    this.mutating = new Slots(mutating, clock);
  }

  expose(metrics: Host['metrics'], family: MetricFamily): void {
    metrics.collect(family, () => [
      [['mutating'], this.mutating.most],
      [['readOnly'], this.reading.most],
    ]);
  }
}

/** How many requests one server serves at once. */
export class InFlight extends Kinds {
  /** Requests whose caller is not known yet; only those that wait for somebody else's word are counted. */
  readonly authenticating: Slots;
  /** Those that wait for a seat. */
  readonly queued: Kinds;

  /** @throws TypeError for a limit below 0. */
  constructor(reading: number, mutating: number, { clock, metrics }: Pick<Host, 'clock' | 'metrics'>) {
    if (!(reading >= 0) || !(mutating >= 0)) throw new TypeError('a limit of requests in flight must be at least 0');
    super(reading, mutating, clock);
    this.authenticating = new Slots(reading === 0 || mutating === 0 ? 0 : reading + mutating, clock);
    this.queued = new Kinds(0, 0, clock);
    this.expose(metrics, currentInFlight);
    this.queued.expose(metrics, currentInQueue);
  }
}
