import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';

/** Finalizers that protect volumes and claims in use, as names in the label domain. */
export const PROTECTION = { persistentvolumes: 'pv-protection', persistentvolumeclaims: 'pvc-protection' } as const;

/** Adds a finalizer to every new volume and claim. The protection controllers remove it when the object is not in use. */
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
