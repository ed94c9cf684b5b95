/** Entries that wait. A few kilobytes stay near the processor; what they are for does not. */
const ENTRIES = 256;

/** Who takes what was counted for him. */
export interface Counting {
  take(value: number, more: number): void;
}

/**
 * Keeps what is counted until there is much of it. A request moves some twenty series that lie all over the memory: writing in a row what is to
 * be done, and doing it for many requests at once, costs a fraction of it.
 */
export class Journal {
  readonly #who: Counting[] = [];
  /** Two of each entry. */
  readonly #values = new Float64Array(2 * ENTRIES);
  #length = 0;
  #settling = false;

  add(who: Counting, value: number, more = 0): void {
    if (this.#settling) {
      who.take(value, more);
      return;
    }
    const at = this.#length++;
    this.#who[at] = who;
    this.#values[2 * at] = value;
    this.#values[2 * at + 1] = more;
    if (this.#length === ENTRIES) this.settle();
  }

  /** Does all that waits. */
  settle(): void {
    if (this.#settling) return;
    this.#settling = true;
    for (let i = 0; i < this.#length; i++) this.#who[i]?.take(this.#values[2 * i] ?? 0, this.#values[2 * i + 1] ?? 0);
    this.#length = 0;
    this.#settling = false;
  }
}
