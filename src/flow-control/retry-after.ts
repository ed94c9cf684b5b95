/** The longest time that callers are asked to wait, in seconds. */
const LONGEST = 32;

/**
 * How long refused callers of a level are asked to wait: doubled while many are refused, and reduced by a second at a time when few are.
 * The numbers are low, because levels queue and refuse only as a last resort.
 */
export class RetryAfter {
  /** The wait in whole seconds, at least 1. */
  seconds = 1;
  /** The refusals in the last seconds, oldest first. */
  readonly #history: { readonly second: number; readonly count: number }[] = [];
  #second = 0;
  #count = 0;
  #doubledAt = 0;

  /** Counts a refusal. @param now milliseconds since the epoch */
  refused(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#count++;
      return;
    }
    this.#history.push({ second: this.#second, count: this.#count });
    const kept = this.#history.findIndex((each) => this.#second - each.second <= LONGEST);
    this.#history.splice(0, kept);
    this.#second = second;
    this.#count = 1;
    this.#adjust(second);
  }

  #adjust(second: number): void {
    const { seconds } = this;
    let refused = 0;
    for (const { second: at, count } of this.#history) if (at < second && second - at <= seconds) refused += count;
    if (second - this.#doubledAt >= seconds && refused >= 3 * seconds) {
      this.seconds = Math.min(seconds * 2, LONGEST);
      this.#doubledAt = second;
    } else if (refused < seconds && seconds > 1) this.seconds--;
  }
}
