import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { compareQuantities, parseQuantity } from '../../values/quantity.js';
import { type ClaimObject, classAnnotation, isOfClaim } from './claim.js';

const CLAIMS = { group: '', resource: 'persistentvolumeclaims' } as const;
const WHY =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/** Lets a bound claim grow only when its storage class allows the expansion of volumes. */
export const persistentVolumeClaimResize: AdmissionPluginFactory = ({ dialect, lister }) => {
  const classes = lister<ApiObject & { readonly allowVolumeExpansion?: boolean }>(
    `storage.${dialect.groupSuffix}`,
    'storageclasses',
  );
  const annotation = classAnnotation(dialect);
  const classOf = ({ metadata, spec }: ClaimObject) =>
    metadata.annotations?.[annotation] ?? spec.storageClassName ?? '';
  // A class that is set in the same update did not create the volume, so it does not count.
  const canGrow = (claim: ClaimObject, old: ClaimObject): boolean => {
    const name = classOf(claim);
    return name !== '' && name === classOf(old) && classes.get('', name)?.allowVolumeExpansion === true;
  };
  return {
    name: 'PersistentVolumeClaimResize',
    handles: isOfClaim('UPDATE'),
    validate({ object, oldObject, name }) {
      const [claim, old] = [object, oldObject] as readonly (ClaimObject | undefined)[]; // handles() lets only claims in
      if (!claim || !old) return;
      const [size, before] = [sizeOf(claim), sizeOf(old)];
      if (compareQuantities(size, before) <= 0) return;
      if (old.status.phase !== 'Bound')
        throw apiError.forbidden(CLAIMS, name, 'Only bound persistent volume claims can be expanded');
      if (!canGrow(claim, old)) throw apiError.forbidden(CLAIMS, name, WHY);
    },
  };
};

const sizeOf = ({ spec }: ClaimObject) => parseQuantity(spec.resources.requests?.['storage'] ?? '0');
