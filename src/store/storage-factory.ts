import type { Clock } from '../meta/clock.js';
import type { Storage } from './storage.js';

/** What the server gives to the store it is made with. */
export interface StorageWiring<T extends object> {
  readonly clock: Clock;
  /** Writes the revision of a write into its value, just before it is committed. Must not change its argument. */
  readonly stamp: (value: T, revision: number) => T;
  /** Whether a put would change nothing (the stored value first). */
  readonly equals: (stored: T, next: T) => boolean;
}

/** How a backend is handed to the server: configured, not yet opened. Durable ones answer when they have read their log. */
export type StorageFactory = <T extends object>(wiring: StorageWiring<T>) => Storage<T> | Promise<Storage<T>>;
