import type { Distribution } from '../metrics/metrics.js';
import { TimeDistribution } from '../metrics/time-distribution.js';
import * as families from './families.js';

/** What a priority level does at a moment. */
export interface Usage {
  readonly waiting: number;
  readonly executing: { readonly size: number };
  readonly seatsInUse: number;
  readonly seatsWaiting: number;
}

/** How long a priority level was used how much. */
export class LevelUsage {
  readonly #waiting: TimeDistribution;
  readonly #executing: TimeDistribution;
  readonly #seats: TimeDistribution;
  readonly #demand: TimeDistribution;

  /** @param now milliseconds, as all times here: a reading of the clock */
  constructor(now: number) {
    this.#waiting = new TimeDistribution(families.REQUEST_RATIOS, now);
    this.#executing = new TimeDistribution(families.REQUEST_RATIOS, now);
    this.#seats = new TimeDistribution(families.SEAT_RATIOS, now);
    this.#demand = new TimeDistribution(families.DEMAND_RATIOS, now);
  }

  /** What everything is compared with. @param seats more than 0 @param room how many may wait */
  compareWith(seats: number, room: number, now: number): void {
    this.#waiting.setDenominator(Math.max(1, room), now);
    for (const each of [this.#executing, this.#seats, this.#demand]) each.setDenominator(seats, now);
  }

  note({ waiting, executing, seatsInUse, seatsWaiting }: Usage, now: number): void {
    this.#waiting.set(waiting, now);
    this.#executing.set(executing.size, now);
    this.#seats.set(seatsInUse, now);
    this.#demand.set(seatsInUse + seatsWaiting, now);
  }

  read(what: 'waiting' | 'executing' | 'seats' | 'demand', now: number): Distribution {
    switch (what) {
      case 'waiting':
        return this.#waiting.read(now);
      case 'executing':
        return this.#executing.read(now);
      case 'seats':
        return this.#seats.read(now);
      case 'demand':
        return this.#demand.read(now);
    }
  }
}
