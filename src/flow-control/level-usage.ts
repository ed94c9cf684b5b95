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

/** Notes that wait: what they move lies all over the memory, and is moved for some at once. */
const NOTES = 16;
/** Numbers of a note. */
const NUMBERS = 5;

/** How long a priority level was used how much. */
export class LevelUsage {
  readonly #notes = new Float64Array(NOTES * NUMBERS);
  #length = 0;
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
    this.#settle();
    this.#waiting.setDenominator(Math.max(1, room), now);
    for (const each of [this.#executing, this.#seats, this.#demand]) each.setDenominator(seats, now);
  }

  note({ waiting, executing, seatsInUse, seatsWaiting }: Usage, now: number): void {
    const notes = this.#notes;
    const at = this.#length;
    notes[at] = now;
    notes[at + 1] = waiting;
    notes[at + 2] = executing.size;
    notes[at + 3] = seatsInUse;
    notes[at + 4] = seatsInUse + seatsWaiting;
    this.#length = at + NUMBERS;
    if (this.#length === notes.length) this.#settle();
  }

  read(what: 'waiting' | 'executing' | 'seats' | 'demand', now: number): Distribution {
    this.#settle();
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

  #settle(): void {
    const notes = this.#notes;
    for (let i = 0; i < this.#length; i += NUMBERS) {
      const now = notes[i] ?? 0;
      this.#waiting.set(notes[i + 1] ?? 0, now);
      this.#executing.set(notes[i + 2] ?? 0, now);
      this.#seats.set(notes[i + 3] ?? 0, now);
      this.#demand.set(notes[i + 4] ?? 0, now);
    }
    this.#length = 0;
  }
}
