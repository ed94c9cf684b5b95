import { MemoryStore, type MemoryStoreOptions } from './memory-store.js';
import type { StorageWiring } from './storage-factory.js';

/** What a user may choose of a memory store; the server chooses the rest. */
export type MemoryOptions = Pick<
  MemoryStoreOptions<object>,
  'firstRevision' | 'history' | 'maxBytes' | 'snapshotInterval' | 'sizeOf'
>;

/**
 * Keeps everything in this process; a `StorageFactory`. Example:
 *
 *   new ApiServer({ storage: memory({ maxBytes: 512 * 1024 * 1024, history: { maxEvents: 10_000 } }) })
 */
export function memory(options: MemoryOptions = {}): <T extends object>(wiring: StorageWiring<T>) => MemoryStore<T> {
  return ({ initial, ...wiring }) =>
    new MemoryStore({
      ...options,
      ...wiring,
      ...(initial ? { entries: initial.entries, firstRevision: initial.revision } : {}),
    });
}
