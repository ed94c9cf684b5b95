import { MAX_NOTES } from './metrics.js';

/** Who takes what was counted for him. */
export interface Counting {
  take(value: number): void;
}

/**
 * Keeps what is counted until there is much of it. A request moves some twenty series that lie all over the memory: writing in a row what is to
 * be done, and doing it for many requests at once, costs a fraction of it.
 */
export class Journal {
  readonly #who: Counting[] = [];
  readonly #values = new Float64Array(MAX_NOTES);
  #length = 0;
  #settling = false;

  add(who: Counting, value: number): void {
    if (this.#settling) {
      who.take(value);
      return;
    }
    const at = this.#length++;
    this.#who[at] = who;
    this.#values[at] = value;
    if (this.#length === MAX_NOTES) this.settle();
  }

  /** Does all that waits. */
  settle(): void {
    if (this.#settling) return;
    this.#settling = true;
    for (let i = 0; i < this.#length; i++) this.#who[i]?.take(this.#values[i] ?? 0);
    this.#length = 0;
    this.#settling = false;
  }
}
