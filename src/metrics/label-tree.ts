import type { LabelValues } from './metrics.js';

/** A node on the path from label values to an entry. */
class Branch<T> {
  readonly branches = new Map<string, Branch<T>>();
  entry: T | undefined;
}

/** A map with lists of label values as keys, which are looked up value by value, without joining them into one string. */
export class LabelTree<T> {
  readonly #root = new Branch<T>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(labels: LabelValues): T | undefined {
    let branch: Branch<T> | undefined = this.#root;
    for (let i = 0; i < labels.length && branch; i++) branch = branch.branches.get(labels[i] ?? '');
    return branch?.entry;
  }

  /** @param labels as many as all other keys in the tree have */
  add(labels: LabelValues, entry: T): void {
    let branch = this.#root;
    for (const value of labels) {
      let next = branch.branches.get(value);
      if (next === undefined) branch.branches.set(value, (next = new Branch()));
      branch = next;
    }
    if (branch.entry === undefined) this.#size++;
    branch.entry = entry;
  }
}
