import type { Distribution } from '../metrics/metrics.js';
import { TimeDistribution } from '../metrics/time-distribution.js';
import * as families from './families.js';

/** The usage of a priority level at one moment. */
export interface Usage {
  readonly waiting: number;
  readonly executing: { readonly size: number };
  readonly seatsInUse: number;
  readonly seatsWaiting: number;
}

/**
 * The number of usage changes that are buffered. They are applied together, because the histograms are spread over memory and can be
 * updated faster in batches.
 */
const NOTES = 16;
/** The number of values of a buffered change: its time and four measurements. */
const NUMBERS = 5;

/** Measures how long the usage of a priority level was in each bucket of its histograms. */
export class LevelUsage {
  readonly #notes = new Float64Array(NOTES * NUMBERS);
  #length = 0;
  readonly #waiting: TimeDistribution;
  readonly #executing: TimeDistribution;
  readonly #seats: TimeDistribution;
  readonly #demand: TimeDistribution;

  /** @param now a clock reading in milliseconds, like all times in this class */
  constructor(now: number) {
    this.#waiting = new TimeDistribution(families.REQUEST_RATIOS, now);
    this.#executing = new TimeDistribution(families.REQUEST_RATIOS, now);
    this.#seats = new TimeDistribution(families.SEAT_RATIOS, now);
    this.#demand = new TimeDistribution(families.DEMAND_RATIOS, now);
  }

  /**
   * Sets the limits that are the denominators of the usage ratios.
   * @param seats more than 0
   * @param room the number of requests that may wait
   */
  compareWith(seats: number, room: number, now: number): void {
    this.#applyNotes();
    this.#waiting.setDenominator(Math.max(1, room), now);
    for (const ratio of [this.#executing, this.#seats, this.#demand]) ratio.setDenominator(seats, now);
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
    if (this.#length === notes.length) this.#applyNotes();
  }

  read(what: 'waiting' | 'executing' | 'seats' | 'demand', now: number): Distribution {
    this.#applyNotes();
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

  #applyNotes(): void {
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
