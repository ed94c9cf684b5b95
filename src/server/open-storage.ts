import { systemClock } from '../meta/clock.js';
import { type Dialect, groupOf, k8s, orch } from '../meta/dialect.js';
import { parseGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import { withRevision } from '../registry/edit.js';
import { GuardedStorage } from '../registry/guarded-storage.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { serveResource } from '../registry/served/served-resource.js';
import { sameIgnoringOwnershipTimes } from '../registry/writes/equality.js';
import { continueInMemory, memory } from '../store/memory.js';
import type { MemorySnapshot } from '../store/memory-snapshot.js';
import { type Storage, StoreError } from '../store/storage.js';
import type { InitialState, StorageWiring } from '../store/storage-factory.js';
import { EVENT_LIFETIME } from './expiry.js';
import type { ResolvedOptions } from './parts.js';

/** The default of the option `storage`. */
const IN_MEMORY = memory();

/**
 * Opens the configured storage, by default in memory, and calls the option `storageFull` for each write that needs room.
 * @param initial the objects that the storage must contain after it was opened.
 * @param from the state of a forked or restored server. It is continued in memory, and the configured storage is not opened.
 * @throws Error when the storage contains objects that a server of the other dialect wrote.
 */
export async function openStorage(
  { options, served, dialect, metrics }: Pick<ResolvedOptions, 'options' | 'served' | 'dialect' | 'metrics'>,
  initial: InitialState<ApiObject> | undefined,
  from?: MemorySnapshot<ApiObject>,
): Promise<Storage<ApiObject>> {
  const { clock = systemClock, storage = IN_MEMORY, limits, eventLifetime = EVENT_LIFETIME, log } = options;
  const wiring: StorageWiring<ApiObject> = {
    clock,
    stamp: withRevision,
    equals: sameIgnoringOwnershipTimes,
    layout: async () => (await import('./storage-layout.js')).storageLayout(served, dialect, eventLifetime),
    resourceOf: async () => (await import('./stored-resources.js')).storedResources(served, dialect),
    ...(metrics ? { metrics: metrics.all } : {}),
    ...(log ? { log } : {}),
    ...(initial ? { initial } : {}),
  };
  const opened = from ? continueInMemory(from, wiring) : await storage(wiring);
  if (!from && options.storage) await refuseOtherDialect(opened, served, dialect);
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

/**
 * Closes a storage that a server of the other dialect has written, and throws. Most keys are equal in both dialects, but the API groups in
 * the objects are not: the server could not read them, and would add its own ones next to them.
 */
async function refuseOtherDialect(
  opened: Storage<ApiObject>,
  served: readonly ResourceDefinition[],
  dialect: Dialect,
): Promise<void> {
  const other = dialect.name === orch.name ? k8s : orch;
  for (const definition of served) {
    const { groupStem = '' } = definition;
    const otherGroup = groupOf(other, groupStem);
    // Groups such as `apps` have one name in both dialects.
    if (otherGroup === groupOf(dialect, groupStem)) continue;
    const { keyPrefix } = serveResource(definition, dialect);
    const stored = firstVersion(opened, keyPrefix);
    if (stored === undefined || parseGroupVersion(stored)?.group !== otherGroup) continue;
    await opened.close();
    throw new Error(
      `the storage contains objects of the dialect ${other.name}, such as ${definition.plural} in ${stored}: ` +
        `start with the dialect ${other.name}, or use another storage`,
    );
  }
}

/** Returns the apiVersion of the first object of a kind; undefined without objects, and if the object cannot be decrypted or decoded. */
function firstVersion(opened: Storage<ApiObject>, prefix: string): string | undefined {
  try {
    return opened.list(prefix, { limit: 1 }).entries[0]?.value.apiVersion;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'unreadable') return undefined;
    throw error;
  }
}
