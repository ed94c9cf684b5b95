import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { refuseUnknownBounds } from './history.js';
import type { MemorySnapshot } from './memory-snapshot.js';
import { MemoryStore, type MemoryStoreOptions } from './memory-store.js';
import type { StorageWiring } from './storage-factory.js';

/** The options of a memory store that embedders may set; the server sets the rest. */
export type MemoryOptions = Pick<
  MemoryStoreOptions<object>,
  'firstRevision' | 'history' | 'maxBytes' | 'snapshotInterval' | 'sizeOf'
>;

/**
 * Returns a `StorageFactory` that keeps everything in the memory of this process. Example:
 *
 *   new ApiServer({ storage: memory({ maxBytes: 512 * 1024 * 1024, history: { maxEvents: 10_000 } }) })
 *
 * @throws TypeError for an option that does not exist.
 */
export function memory(options: MemoryOptions = {}): <T extends object>(wiring: StorageWiring<T>) => MemoryStore<T> {
  refuseUnknownMembers('memory()', options, ['firstRevision', 'history', 'maxBytes', 'snapshotInterval', 'sizeOf']);
  refuseUnknownBounds('memory()', options.history);
  return ({ initial, ...wiring }) =>
    new MemoryStore({
      ...options,
      ...wiring,
      ...(initial ? { entries: initial.entries, firstRevision: initial.revision } : {}),
    });
}

/** Opens a store in memory that continues from a snapshot of another store, with the same limits. */
export function continueInMemory<T extends object>(from: MemorySnapshot<T>, wiring: StorageWiring<T>): MemoryStore<T> {
  const store = new MemoryStore({ ...wiring, from });
  // Reading the revision drops the events that are already too old, and sets a timer for those that become too old later.
  void store.compactRevision;
  return store;
}
