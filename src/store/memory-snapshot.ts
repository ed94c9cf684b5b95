import { type EntryTree, prefixRange } from './entry-tree.js';
import type { History, Snapshots } from './history.js';
import type { Entry, StateSnapshot } from './storage.js';

/** The size limits of a store. They also apply to a store that continues from its snapshot. */
export interface StateLimits<T> {
  readonly maxBytes?: number;
  readonly sizeOf?: (value: T, sharedWith?: T) => number;
}

/** The data of a {@link MemorySnapshot}. A store that continues from the snapshot clones the members, which costs O(1). */
export interface StateParts<T> {
  readonly tree: EntryTree<T>;
  readonly history: History<T>;
  readonly snapshots: Snapshots<T>;
  /** The monotonic time of the store in milliseconds, by which the age of events in `history` is measured. */
  readonly elapsed: number;
  readonly limits: StateLimits<T>;
}

/** The state of a store at one revision, with the history before it. It shares its data with the store and does not change any more. */
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
