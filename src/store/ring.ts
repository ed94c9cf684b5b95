/**
 * A queue whose items have sequence numbers: the first item ever pushed has number 0. Push, shift and access are O(1); the array grows by
 * doubling and its slots are reused.
 */
export class Ring<R> {
  #slots: (R | undefined)[] = new Array<R | undefined>(16);
  #start = 0;
  #end = 0;
  /** Whether a clone uses the same slots, so that they must be copied before a change. */
  #isShared = false;

  /** The sequence number of the oldest item in the queue. */
  get start(): number {
    return this.#start;
  }
  /** The sequence number of the next item to be pushed. */
  get end(): number {
    return this.#end;
  }
  /** The number of items in the queue. */
  get length(): number {
    return this.#end - this.#start;
  }
  /** The oldest item; undefined if the queue is empty. */
  get oldest(): R | undefined {
    return this.at(this.#start);
  }
  /** Returns the item with the given sequence number; undefined if the item has been removed or has not been pushed yet. */
  at(number: number): R | undefined {
    return number >= this.#start && number < this.#end ? this.#slots[number & (this.#slots.length - 1)] : undefined;
  }
  /**
   * Returns a clone of this queue, in O(1). The array of items is shared until one of the two queues changes.
   * @param end the sequence number of the first item that the clone does not contain. Default: it contains all items.
   */
  clone(end = this.#end): Ring<R> {
    const clone = new Ring<R>();
    this.#isShared = true;
    clone.#isShared = true;
    clone.#slots = this.#slots;
    clone.#start = this.#start;
    clone.#end = end;
    return clone;
  }
  push(item: R): void {
    if (this.#end - this.#start === this.#slots.length) this.#grow();
    else if (this.#isShared) this.#own();
    this.#slots[this.#end & (this.#slots.length - 1)] = item;
    this.#end++;
  }
  /** Drops the oldest item. */
  shift(): void {
    if (this.#start === this.#end) return;
    if (this.#isShared) this.#own();
    this.#slots[this.#start & (this.#slots.length - 1)] = undefined;
    this.#start++;
  }
  #own(): void {
    this.#slots = this.#slots.slice();
    this.#isShared = false;
  }
  #grow(): void {
    // The length stays a power of two, so that the low bits of an item's number are its slot.
    const slots = new Array<R | undefined>(this.#slots.length * 2);
    for (let number = this.#start; number < this.#end; number++) slots[number & (slots.length - 1)] = this.at(number);
    this.#slots = slots;
    this.#isShared = false;
  }
}
