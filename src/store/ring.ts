/**
 * A queue with numbered items: the first item ever pushed is 0. Push, shift and access are O(1); the array grows by doubling and its slots
 * are reused.
 */
export class Ring<R> {
  #slots: (R | undefined)[] = new Array<R | undefined>(16);
  #start = 0;
  #end = 0;

  /** Number of the oldest item held. */
  get start(): number {
    return this.#start;
  }
  /** Number of the next item to be pushed. */
  get end(): number {
    return this.#end;
  }
  /** Returns the item with a number; undefined when it is not held. */
  at(number: number): R | undefined {
    return number >= this.#start && number < this.#end ? this.#slots[number & (this.#slots.length - 1)] : undefined;
  }
  push(item: R): void {
    if (this.#end - this.#start === this.#slots.length) this.#grow();
    this.#slots[this.#end & (this.#slots.length - 1)] = item;
    this.#end++;
  }
  /** Drops the oldest item. */
  shift(): void {
    if (this.#start === this.#end) return;
    this.#slots[this.#start & (this.#slots.length - 1)] = undefined;
    this.#start++;
  }
  #grow(): void {
    // The length stays a power of two, so that a number's slot is its low bits.
    const slots = new Array<R | undefined>(this.#slots.length * 2);
    for (let number = this.#start; number < this.#end; number++) slots[number & (slots.length - 1)] = this.at(number);
    this.#slots = slots;
  }
}
