import type { Host } from '../meta/host.js';
import type { MetricFamily } from '../metrics/metrics.js';
import { currentInFlight, currentInQueue } from './measures/request-families.js';

/** How many requests of a kind are served, or wait, at once. */
class Slots {
  readonly limit: number;
  taken = 0;
  #most = 0;

  /** @param limit 0: any number. */
  constructor(limit: number) {
    this.limit = limit;
  }
  get full(): boolean {
    return this.limit > 0 && this.taken >= this.limit;
  }
  /** The most that were taken at once since the last call. */
  takeMost(): number {
    const most = this.#most;
    this.#most = this.taken;
    return most;
  }
  take(): this {
    this.taken++;
    if (this.taken > this.#most) this.#most = this.taken;
    return this;
  }
  release(): void {
    this.taken--;
  }
}

/** What reads and what writes are counted apart; shown is the most at once since it was shown last. */
class Kinds {
  readonly reading: Slots;
  readonly mutating: Slots;

  constructor(reading: number, mutating: number) {
    this.reading = new Slots(reading);
    this.mutating = new Slots(mutating);
  }

  expose(metrics: Host['metrics'], family: MetricFamily): void {
    metrics.collect(family, () => [
      [['mutating'], this.mutating.takeMost()],
      [['readOnly'], this.reading.takeMost()],
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
  constructor(reading: number, mutating: number, { metrics }: Pick<Host, 'metrics'>) {
    if (!(reading >= 0) || !(mutating >= 0)) throw new TypeError('a limit of requests in flight must be at least 0');
    super(reading, mutating);
    this.authenticating = new Slots(reading === 0 || mutating === 0 ? 0 : reading + mutating);
    this.queued = new Kinds(0, 0);
    this.expose(metrics, currentInFlight);
    this.queued.expose(metrics, currentInQueue);
  }
}
