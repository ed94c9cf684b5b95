/**
 * A queue whose items keep the number they were given: the first ever pushed is 0. Push, shift and access are O(1);
 * room grows by doubling and is reused.
 */
export class Ring<R> {
  #slots: (R | undefined)[] = new Array<R | undefined>(16);
  #start = 0;
  #end = 0;

  /** Number of the oldest item held. */
  get start(): number {
    return this.#start;
  }
  /** Number the next item will get. */
  get end(): number {
    return this.#end;
  }
  /** The item of a number; undefined when it is not held. */
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
