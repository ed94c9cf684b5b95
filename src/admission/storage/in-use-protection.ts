import { domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { AdmissionPluginFactory } from '../admission-plugin.js';

/** Names in the label domain of the finalizers that hold volumes and claims while they are used. */
export const PROTECTION = { persistentvolumes: 'pv-protection', persistentvolumeclaims: 'pvc-protection' } as const;

/** Every new volume and claim is held until it is unused; the protection controllers let go. */
export const storageObjectInUseProtection: AdmissionPluginFactory = ({ dialect }) => ({
  name: 'StorageObjectInUseProtection',
  handles: ({ operation, resource, subresource }) =>
    operation === 'CREATE' && subresource === '' && resource.group === '' && resource.resource in PROTECTION,
  admit({ object, resource }) {
    const { metadata } = object as ApiObject; // there is one in a CREATE
    const finalizer = domainName(dialect, PROTECTION[resource.resource as keyof typeof PROTECTION]);
    const { finalizers = [] } = metadata;
    if (finalizers.includes(finalizer)) return undefined;
    return { ...(object as ApiObject), metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
  },
});
