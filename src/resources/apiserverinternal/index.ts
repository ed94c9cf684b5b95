import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { storageVersion } from './storage-version.js';

export type { StorageVersion } from './apiserverinternal-v1alpha1.types.js';
export { storageVersion };

/** The kinds of the group apiserverinternal. */
export const apiserverInternalKinds: readonly ResourceDefinition[] = [storageVersion];
