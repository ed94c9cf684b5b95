import type { EntryTree } from './entry-tree.js';
import type { History } from './history.js';
import { prefixRange } from './keys.js';
import type { Snapshots } from './snapshots.js';
import type { Entry, StateSnapshot } from './storage.js';

/** The bounds of a state that continue to hold in what continues from it. */
export interface StateLimits<T> {
  readonly maxBytes?: number;
  readonly sizeOf?: (value: T, sharedWith?: T) => number;
}

/** What a state is made of. Whoever continues from it clones the parts, which costs O(1). */
export interface StateParts<T> {
  readonly tree: EntryTree<T>;
  readonly history: History<T>;
  readonly snapshots: Snapshots<T>;
  /** The milliseconds that had passed in the store, by which the age of its history is measured. */
  readonly elapsed: number;
  readonly limits: StateLimits<T>;
}

/** The state of a store at one revision with the history before it. It shares everything with the store and does not change any more. */
export class MemorySnapshot<T> implements StateSnapshot<T> {
  readonly revision: number;
  readonly parts: StateParts<T>;

  constructor(revision: number, parts: StateParts<T>) {
    this.revision = revision;
    this.parts = parts;
  }

  list(prefix: string): readonly Entry<T>[] {
    return this.parts.tree.collect(prefixRange(prefix));
  }
}
