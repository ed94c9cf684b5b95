/** The number of parts into which the window is divided. Values that have left the window are dropped part by part. */
const PARTS = 5;
/** The relative error of a quantile. */
const ACCURACY = 0.01;
const LOG_GAMMA = Math.log((1 + ACCURACY) / (1 - ACCURACY));
/** Values up to this one are counted as 0. It is a nanosecond if the values are seconds. */
const LEAST = 1e-9;

/** Estimates quantiles of recent values, each within one percent, by counting values in logarithmic buckets instead of storing them. */
export class SlidingQuantiles {
  readonly #partLength: number;
  #parts: { readonly begin: number; readonly counts: Map<number, number> }[] = [];

  /** @param window milliseconds. */
  constructor(window: number) {
    this.#partLength = window / PARTS;
  }

  observe(value: number, now: number): void {
    let part = this.#parts.at(-1);
    if (part === undefined || now - part.begin >= this.#partLength) {
      part = { begin: now, counts: new Map() };
      this.#forget(now);
      this.#parts.push(part);
    }
    const power = value > LEAST ? Math.ceil(Math.log(value) / LOG_GAMMA) : Number.NEGATIVE_INFINITY;
    part.counts.set(power, (part.counts.get(power) ?? 0) + 1);
  }

  /** Returns the quantiles in the requested order; NaN without observations. */
  read(quantiles: readonly number[], now: number): number[] {
    this.#forget(now);
    const counts = new Map<number, number>();
    let total = 0;
    for (const part of this.#parts)
      for (const [power, count] of part.counts) {
        counts.set(power, (counts.get(power) ?? 0) + count);
        total += count;
      }
    const powers = [...counts.keys()].sort((a, b) => a - b);
    return quantiles.map((quantile) => {
      let seen = 0;
      const power = powers.find((each) => (seen += counts.get(each) ?? 0) >= quantile * total);
      if (power === undefined) return Number.NaN;
      return power === Number.NEGATIVE_INFINITY ? 0 : Math.exp(power * LOG_GAMMA) * (1 - ACCURACY);
    });
  }

  #forget(now: number): void {
    this.#parts = this.#parts.filter(({ begin }) => now - begin < this.#partLength * PARTS);
  }
}
