import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';
import { defaultClassName } from '../default-class.js';
import { type ClaimObject, classAnnotation, isOfClaim } from './claim.js';

/** Returns whether a class is the default, by its annotation or the older beta one. */
function isDefault({ annotations = {} }: ObjectMeta, dialect: Dialect): boolean {
  const marks = ['storageclass.', 'storageclass.beta.'].map(
    (prefix) => prefix + domainName(dialect, 'is-default-class'),
  );
  return marks.some((mark) => annotations[mark] === 'true');
}

/** Gives a new claim without a class the default one: of several the youngest, and of equally young ones the first by name. */
export const defaultStorageClass: AdmissionPluginFactory = ({ dialect, lister }) => {
  const classes = lister<ApiObject>(`storage.${dialect.groupSuffix}`, 'storageclasses');
  const annotation = classAnnotation(dialect);
  return {
    name: 'DefaultStorageClass',
    handles: isOfClaim('CREATE'),
    admit({ object }) {
      const claim = object as ClaimObject; // handles() lets only claims in
      if (claim.spec.storageClassName !== undefined || claim.metadata.annotations?.[annotation] !== undefined)
        return undefined;
      const name = defaultClassName(classes.list(), (metadata) => isDefault(metadata, dialect));
      if (name === undefined) return undefined;
      return { ...claim, spec: { ...claim.spec, storageClassName: name } } as ApiObject;
    },
  };
};
