import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { StorageVersion } from './apiserverinternal-v1alpha1.types.js';

/** internal.apiserver/v1alpha1 StorageVersion: the version in which servers store the objects of a kind. */
export const storageVersion = defineKind(
  {
    groupStem: 'internal.apiserver',
    version: 'v1alpha1',
    kind: 'StorageVersion',
    plural: 'storageversions',
    scope: 'Cluster',
    allowUnconditionalUpdate: false,
    subresources: { status: {} },
  },
  async () => (await import('./storage-version.js')).storageVersionRules,
);

/** The kinds of the group internal.apiserver. */
export const apiserverInternalKinds: readonly ResourceDefinition[] = [storageVersion];
