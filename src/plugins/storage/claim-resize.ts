import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { apiError } from '../../meta/api-error.js';
import type { PersistentVolumeClaim } from '../../resources/core/core-v1.types.js';
import { storageClassAnnotation } from '../../resources/core/volumes/storage-class-annotation.js';
import type { StorageClass } from '../../resources/storage/storage-v1.types.js';
import { compareQuantities, parseQuantity } from '../../values/quantity.js';

const CLAIMS = { group: '', resource: 'persistentvolumeclaims' } as const;
const WHY =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/** Allows a bound claim to request more storage only if its storage class allows volume expansion. */
export const persistentVolumeClaimResize = ruledPlugin<PersistentVolumeClaim>({
  name: 'PersistentVolumeClaimResize',
  rules: [{ operations: ['UPDATE'], apiGroups: [''], resources: ['persistentvolumeclaims'] }],
  create({ dialect, lister }) {
    const classes = lister<StorageClass>(`storage.${dialect.groupSuffix}`, 'storageclasses');
    const annotation = storageClassAnnotation(dialect);
    const classOf = ({ metadata, spec }: PersistentVolumeClaim) =>
      metadata.annotations?.[annotation] ?? spec.storageClassName ?? '';
    // A class that is set in the same update did not provision the volume, so it does not count.
    const canGrow = (claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean => {
      const name = classOf(claim);
      return name !== '' && name === classOf(old) && classes.get('', name)?.allowVolumeExpansion === true;
    };
    return {
      validate({ object: claim, oldObject: old, name }) {
        if (!old || compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
        if (old.status.phase !== 'Bound')
          throw apiError.forbidden(CLAIMS, name, 'Only bound persistent volume claims can be expanded');
        if (!canGrow(claim, old)) throw apiError.forbidden(CLAIMS, name, WHY);
      },
    };
  },
});

const sizeOf = ({ spec }: PersistentVolumeClaim) => parseQuantity(spec.resources.requests?.['storage'] ?? '0');
