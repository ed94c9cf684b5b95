import { type EntryTree, prefixRange } from './entry-tree.js';
import type { History } from './history.js';
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

/** The whole state at one revision. */
interface Snapshot<T> {
  readonly revision: number;
  readonly tree: EntryTree<T>;
}

/** The number of past states that are cached for the next pages of the same list. */
const MAX_VIEWS = 16;

/**
 * Past states of a store. Every `interval` events, one state is kept (a clone costs O(1)). The state at any other revision is computed from
 * the next kept state, or from the newest state, by undoing at most `interval` events.
 */
export class Snapshots<T> {
  readonly #history: History<T>;
  readonly #interval: number;
  /** The kept states in order of revision. */
  #kept: Snapshot<T>[] = [];
  /** The cached states by revision, least recently used first. */
  readonly #views = new Map<number, EntryTree<T>>();
  #eventsSinceKept = 0;

  constructor(history: History<T>, interval: number) {
    this.#history = history;
    this.#interval = interval;
  }

  /** Returns the past states up to a revision, for a clone of the history. */
  clone(history: History<T>, revision: number): Snapshots<T> {
    const clone = new Snapshots(history, this.#interval);
    clone.#kept = this.#kept.filter((kept) => kept.revision <= revision);
    clone.#eventsSinceKept = this.#eventsSinceKept;
    return clone;
  }

  /** Records the state after an event. Must be called for every event. */
  afterEvent(newest: Snapshot<T>): void {
    this.#eventsSinceKept++;
    // Several writes can have the same revision. If the last kept state has the revision of this event, it lacks this write and is dropped.
    if (this.#kept.at(-1)?.revision === newest.revision) this.#kept.pop();
    if (this.#eventsSinceKept < this.#interval) return;
    this.#eventsSinceKept = 0;
    this.#kept.push({ revision: newest.revision, tree: newest.tree.clone() });
  }

  /** Drops the states older than `compactRevision`, because lists at compacted revisions are refused. */
  compact(compactRevision: number): void {
    const oldest = this.#kept[0];
    if (oldest !== undefined && oldest.revision < compactRevision) {
      this.#kept = this.#kept.filter(({ revision }) => revision >= compactRevision);
    }
    for (const revision of this.#views.keys()) if (revision < compactRevision) this.#views.delete(revision);
  }

  /** Returns the state at a revision that the history covers. Callers must not change it. */
  at(revision: number, newest: Snapshot<T>): EntryTree<T> {
    if (revision === newest.revision) return newest.tree;
    const next = this.#kept.find((kept) => kept.revision >= revision) ?? newest;
    if (next.revision === revision) return next.tree;
    const view = this.#views.get(revision) ?? this.#undo(next, revision);
    this.#views.delete(revision);
    this.#views.set(revision, view);
    const [leastUsed] = this.#views.keys();
    if (leastUsed !== undefined && this.#views.size > MAX_VIEWS) this.#views.delete(leastUsed);
    return view;
  }

  #undo(from: Snapshot<T>, revision: number): EntryTree<T> {
    const tree = from.tree.clone();
    const stop = this.#history.firstAfter(revision);
    for (let number = this.#history.firstAfter(from.revision) - 1; number >= stop; number--) {
      const record = this.#history.records.at(number);
      if (record?.before !== undefined) tree.set(record.before);
      else if (record !== undefined) tree.delete(record.event.key);
    }
    return tree;
  }
}
