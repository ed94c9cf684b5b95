import { systemClock } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import { withVersion } from '../registry/edit.js';
import { GuardedStorage } from '../registry/guarded-storage.js';
import { sameIgnoringOwnershipTimes } from '../registry/writes/equality.js';
import { continueInMemory, memory } from '../store/memory.js';
import type { MemorySnapshot } from '../store/memory-snapshot.js';
import type { Storage } from '../store/storage.js';
import type { InitialState, StorageWiring } from '../store/storage-factory.js';
import { EVENT_LIFETIME } from './expiry.js';
import type { ResolvedOptions } from './parts.js';

/**
 * Opens the configured storage, by default in memory, and calls the option `storageFull` for each write that needs room.
 * @param initial the objects that the storage must contain after it was opened.
 * @param from the state of a forked or restored server. It is continued in memory, and the configured storage is not opened.
 */
export async function openStorage(
  { options, served, dialect, metrics }: Pick<ResolvedOptions, 'options' | 'served' | 'dialect' | 'metrics'>,
  initial: InitialState<ApiObject> | undefined,
  from?: MemorySnapshot<ApiObject>,
): Promise<Storage<ApiObject>> {
  const { clock = systemClock, storage = memory(), limits, eventLifetime = EVENT_LIFETIME, log } = options;
  const wiring: StorageWiring<ApiObject> = {
    clock,
    stamp: (object, revision) => withVersion(object, String(revision)),
    equals: sameIgnoringOwnershipTimes,
    layout: async () => (await import('./storage-layout.js')).storageLayout(served, dialect, eventLifetime),
    resourceOf: async () => (await import('./stored-resources.js')).storedResources(served, dialect),
    ...(metrics ? { metrics: metrics.all } : {}),
    ...(log ? { log } : {}),
    ...(initial ? { initial } : {}),
  };
  const opened = from ? continueInMemory(from, wiring) : await storage(wiring);
  const missing = initial?.entries.filter(({ key, revision }) => opened.get(key)?.revision !== revision) ?? [];
  if (missing.length > 0) {
    const { restoreEntries } = await import('./restore.js');
    await restoreEntries(opened, missing).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
  }
  return limits?.storageFull ? new GuardedStorage(opened, limits.storageFull) : opened;
}
