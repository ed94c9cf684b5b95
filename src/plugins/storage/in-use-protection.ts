import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { domainName } from '../../meta/dialect.js';
import type { PersistentVolume, PersistentVolumeClaim } from '../../resources/core/core-v1.types.js';

/** The finalizers that protect volumes and claims in use, without the label domain of the API dialect (`kubernetes.io/`). */
export const PROTECTION = { persistentvolumes: 'pv-protection', persistentvolumeclaims: 'pvc-protection' } as const;

/**
 * Adds a finalizer to every new volume and claim. The protection controllers remove it when the object is being deleted and no longer in
 * use.
 */
export const storageObjectInUseProtection = ruledPlugin<PersistentVolume | PersistentVolumeClaim>({
  name: 'StorageObjectInUseProtection',
  rules: [{ operations: ['CREATE'], apiGroups: [''], resources: Object.keys(PROTECTION) }],
  create: ({ dialect }) => ({
    admit({ object, resource }) {
      const { metadata } = object;
      // The plug-in's rules match only the keys of PROTECTION, so the cast is safe.
      const finalizer = domainName(dialect, PROTECTION[resource.resource as keyof typeof PROTECTION]);
      const { finalizers = [] } = metadata;
      return finalizers.includes(finalizer)
        ? undefined
        : { ...object, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
    },
  }),
});
