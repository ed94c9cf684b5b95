import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ObjectMeta } from '../../meta/object-meta.js';
import type { PersistentVolumeClaim } from '../../resources/core/core-v1.types.js';
import { storageClassAnnotation } from '../../resources/core/volumes/storage-class-annotation.js';
import { defaultClassName } from '../default-class.js';

/** Returns whether a storage class is marked as the default, by the current or the older beta annotation. */
function isDefault({ annotations = {} }: ObjectMeta, dialect: Dialect): boolean {
  const marks = ['storageclass.', 'storageclass.beta.'].map(
    (prefix) => prefix + domainName(dialect, 'is-default-class'),
  );
  return marks.some((mark) => annotations[mark] === 'true');
}

/**
 * Sets the default storage class of a new claim that names no class. If several classes are marked as the default, the youngest of them is
 * used; among equally young ones, the first by name.
 */
export const defaultStorageClass = ruledPlugin<PersistentVolumeClaim>({
  name: 'DefaultStorageClass',
  rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['persistentvolumeclaims'] }],
  create({ dialect, lister }) {
    const classes = lister(`storage.${dialect.groupSuffix}`, 'storageclasses');
    const annotation = storageClassAnnotation(dialect);
    return {
      admit({ object: claim }) {
        if (claim.spec.storageClassName !== undefined || claim.metadata.annotations?.[annotation] !== undefined)
          return undefined;
        const name = defaultClassName(classes.list(), (metadata) => isDefault(metadata, dialect));
        return name === undefined ? undefined : { ...claim, spec: { ...claim.spec, storageClassName: name } };
      },
    };
  },
});
