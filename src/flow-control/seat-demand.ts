/** How much of its past a level's demand keeps from one period to the next. */
const SMOOTHING = 0.977;

/** How many seats a level could use, over the time since the last adjustment of limits, and smoothed over those before. */
export class SeatDemand {
  /** The most that was wanted at once in the last period. */
  highWatermark = 0;
  average = 0;
  deviation = 0;
  /** Average and deviation of the last period, or what is left of greater ones before it. */
  smoothed = 0;
  #seats = 0;
  #since: number;
  #max = 0;
  #seconds = 0;
  #integral = 0;
  #squares = 0;

  /** @param now milliseconds, as all times here: a reading of the clock */
  constructor(now: number) {
    this.#since = now;
  }

  /** From now on so many seats could be used. */
  set(seats: number, now: number): void {
    this.#advance(now);
    this.#seats = seats;
    if (seats > this.#max) this.#max = seats;
  }

  /** Ends the period and begins another. */
  endPeriod(now: number): void {
    this.#advance(now);
    this.highWatermark = this.#max;
    if (this.#seconds > 0) {
      this.average = this.#integral / this.#seconds;
      this.deviation = Math.sqrt(Math.max(0, this.#squares / this.#seconds - this.average * this.average));
      const envelope = this.average + this.deviation;
      this.smoothed = Math.max(envelope, SMOOTHING * this.smoothed + (1 - SMOOTHING) * envelope);
    }
    this.#max = this.#seats;
    this.#seconds = 0;
    this.#integral = 0;
    this.#squares = 0;
  }

  /** As if so many periods had ended in which nothing was wanted. */
  skipPeriods(count: number): void {
    this.smoothed *= SMOOTHING ** count;
  }

  #advance(now: number): void {
    const seconds = Math.max(0, now - this.#since) / 1000;
    this.#since = now;
    this.#seconds += seconds;
    this.#integral += seconds * this.#seats;
    this.#squares += seconds * this.#seats * this.#seats;
  }
}
