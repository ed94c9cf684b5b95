import type { Clock } from '../meta/clock.js';
import type { Entry, Storage } from './storage.js';

/** What a store begins with. */
export interface InitialState<T> {
  readonly entries: readonly Entry<T>[];
  /** Revision of the state; none of the entries has a greater one. */
  readonly revision: number;
}

/** What the server gives to the store it is made with. */
export interface StorageWiring<T extends object> {
  readonly clock: Clock;
  /** Writes the revision of a write into its value, just before it is committed. Must not change its argument. */
  readonly stamp: (value: T, revision: number) => T;
  /** Whether a put would change nothing (the stored value first). */
  readonly equals: (stored: T, next: T) => boolean;
  /**
   * A state that was saved. A store that keeps nothing of its own begins with it, revisions included; one that leaves it
   * aside gets the same objects as writes.
   */
  readonly initial?: InitialState<T>;
}

/** How a backend is handed to the server: configured, not yet opened. Durable ones answer when they have read their log. */
export type StorageFactory = <T extends object>(wiring: StorageWiring<T>) => Storage<T> | Promise<Storage<T>>;
