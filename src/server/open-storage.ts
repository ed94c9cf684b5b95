import type { ApiServerOptions } from '../api-server-options.js';
import { systemClock } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import { withVersion } from '../registry/edit.js';
import { GuardedStorage } from '../registry/guarded-storage.js';
import { sameIgnoringOwnershipTimes } from '../registry/writes/equality.js';
import { memory } from '../store/memory.js';
import type { Storage } from '../store/storage.js';

/** Opens the storage that was chosen, default memory, and guards it where room may run out. */
export async function openStorage({
  clock = systemClock,
  storage = memory(),
  storageFull,
}: ApiServerOptions): Promise<Storage<ApiObject>> {
  const opened = await storage<ApiObject>({
    clock,
    stamp: (object, revision) => withVersion(object, String(revision)),
    equals: sameIgnoringOwnershipTimes,
  });
  return storageFull ? new GuardedStorage(opened, storageFull) : opened;
}
