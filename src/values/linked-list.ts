/** The entry of a value in a {@link LinkedList}. */
export interface LinkedListEntry<T> {
  readonly value: T;
  before: LinkedListEntry<T> | undefined;
  after: LinkedListEntry<T> | undefined;
}

/**
 * A linked list of values in order of addition, for values that are added and removed with every request. A Set or Map is not used, because
 * it reallocates its table after a few changes, and in V8 an old table references the next one. Once an old table is in the old generation,
 * objects of finished requests stay alive until it is collected. This was measured to make young-generation collections ten times as long.
 * Removed entries of this list reference nothing.
 */
export class LinkedList<T> implements Iterable<T> {
  #first: LinkedListEntry<T> | undefined;
  #last: LinkedListEntry<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a value at the end. Returns its entry, by which it is removed. */
  add(value: T): LinkedListEntry<T> {
    const before = this.#last;
    const entry: LinkedListEntry<T> = { value, before, after: undefined };
    if (before) before.after = entry;
    else this.#first = entry;
    this.#last = entry;
    this.#size++;
    return entry;
  }

  /** Removes an entry. It must not be called twice for an entry. */
  remove(entry: LinkedListEntry<T>): void {
    const { before, after } = entry;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    entry.before = undefined;
    entry.after = undefined;
    this.#size--;
  }

  /** Iterates over the values. The current entry must not be removed during its iteration. */
  *[Symbol.iterator](): Iterator<T> {
    for (let entry = this.#first; entry; entry = entry.after) yield entry.value;
  }
}
