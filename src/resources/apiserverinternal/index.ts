import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { storageVersion } from './storage-version.js';

export { type StorageVersion, storageVersion } from './storage-version.js';

/** The kinds of the group internal.apiserver. */
export const apiserverInternalKinds: readonly ResourceDefinition[] = [storageVersion];
