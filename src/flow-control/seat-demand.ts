/**
 * The weight of the previous `smoothed` value in the moving average of the demand. The demand of the last period has the remaining weight.
 */
const SMOOTHING = 0.977;

/**
 * The demand of a level: the number of seats that it could use. It is measured in the period since the last adjustment of limits, and
 * smoothed over earlier periods.
 */
export class SeatDemand {
  /** The highest demand in the last period. */
  highWatermark = 0;
  average = 0;
  deviation = 0;
  /**
   * The demand of the last period, which is its average plus its standard deviation; or the weighted mean of this demand and the previous
   * value of `smoothed`, if the mean is higher.
   */
  smoothed = 0;
  #seats = 0;
  #since: number;
  #max = 0;
  #seconds = 0;
  #integral = 0;
  #squares = 0;

  /** @param now a clock reading in milliseconds, like all times in this class */
  constructor(now: number) {
    this.#since = now;
  }

  /** Sets the number of seats that could be used from this moment on. */
  set(seats: number, now: number): void {
    this.#advance(now);
    this.#seats = seats;
    if (seats > this.#max) this.#max = seats;
  }

  /** Ends the current measuring period, computes its demand, and begins the next period. */
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

  /** Decays the smoothed demand as if `count` periods without requests had passed. */
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
