/** Where a value is in a {@link Roster}. */
export interface RosterEntry<T> {
  readonly value: T;
  before: RosterEntry<T> | undefined;
  after: RosterEntry<T> | undefined;
}

/**
 * Values that come and go with every request, in the order in which they came. A Set or a Map is made anew after a few of them, and V8
 * lets its former tables hold on to the next ones: once one of those is in the old space, what requests made lives on until that is
 * collected, which made collections of the young space ten times as long. Entries that left hold on to nothing.
 */
export class Roster<T> implements Iterable<T> {
  #first: RosterEntry<T> | undefined;
  #last: RosterEntry<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a value at the end. Returns what it is removed by. */
  add(value: T): RosterEntry<T> {
    const before = this.#last;
    const entry: RosterEntry<T> = { value, before, after: undefined };
    if (before) before.after = entry;
    else this.#first = entry;
    this.#last = entry;
    this.#size++;
    return entry;
  }

  /** Removes what was added, once. */
  remove(entry: RosterEntry<T>): void {
    const { before, after } = entry;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    entry.before = undefined;
    entry.after = undefined;
    this.#size--;
  }

  /** What is removed meanwhile must not be the one that is looked at. */
  *[Symbol.iterator](): Iterator<T> {
    for (let entry = this.#first; entry; entry = entry.after) yield entry.value;
  }
}
