import type { Distribution } from './metrics.js';

const NANOSECONDS = 1_000_000;
const MAX_KNOWN = 1000;

/**
 * A histogram of a ratio over time, as if the ratio were observed at the end of every nanosecond. A change of the ratio costs at most one
 * search through the bounds.
 */
export class TimeDistribution {
  readonly #bounds: readonly number[];
  readonly #buckets: number[];
  #since: number;
  #numerator = 0;
  #denominator = 1;
  #bucket: number;
  #count = 0;
  /** The bucket indexes that were computed for the current denominator of the ratio. The ratio's numerator is the index into this array. */
  #known: (number | undefined)[] = [];
  #sum = 0;

  /**
   * @param bounds the upper bounds of the buckets, ascending, without infinity
   * @param now the current time in milliseconds. All methods need readings of the same clock.
   */
  constructor(bounds: readonly number[], now: number) {
    this.#bounds = bounds;
    this.#buckets = bounds.map(() => 0);
    this.#since = now;
    this.#bucket = this.#bucketOf();
  }

  set(numerator: number, now: number): void {
    if (numerator === this.#numerator) return;
    this.#advance(now);
    this.#numerator = numerator;
    this.#bucket = this.#bucketOf();
  }

  setDenominator(denominator: number, now: number): void {
    if (denominator === this.#denominator) return;
    this.#advance(now);
    this.#denominator = denominator;
    this.#known = [];
    this.#bucket = this.#bucketOf();
  }

  read(now: number): Distribution {
    this.#advance(now);
    return { count: this.#count, sum: this.#sum, buckets: this.#buckets };
  }

  #advance(now: number): void {
    const passed = Math.round(Math.max(0, now - this.#since) * NANOSECONDS);
    this.#since = Math.max(this.#since, now);
    this.#count += passed;
    this.#sum += (passed * this.#numerator) / this.#denominator;
    if (this.#bucket >= 0) this.#buckets[this.#bucket] = (this.#buckets[this.#bucket] ?? 0) + passed;
  }

  /** Returns the index of the current ratio's bucket. The index is cached by numerator, because numerators are small and recur. */
  #bucketOf(): number {
    const numerator = this.#numerator;
    const known = this.#known[numerator];
    if (known !== undefined) return known;
    const ratio = numerator / this.#denominator;
    const bucket = this.#bounds.findIndex((bound) => ratio <= bound);
    if (Number.isInteger(numerator) && numerator >= 0 && numerator < MAX_KNOWN) this.#known[numerator] = bucket;
    return bucket;
  }
}
