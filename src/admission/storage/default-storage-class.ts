import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';
import type { AdmissionPluginFactory } from '../admission-plugin.js';
import { type ClaimObject, classAnnotation, isOfClaim } from './claim.js';

/** Whether claims that name no class get this one; the older annotation is read, too. */
function isDefault({ annotations = {} }: ObjectMeta, dialect: Dialect): boolean {
  const marks = ['storageclass.', 'storageclass.beta.'].map(
    (prefix) => prefix + domainName(dialect, 'is-default-class'),
  );
  return marks.some((mark) => annotations[mark] === 'true');
}

/** A new claim without a class gets the default one; of several the youngest, and of those the first by name. */
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
      const [first] = classes
        .list()
        .filter(({ metadata }) => isDefault(metadata, dialect))
        .sort(youngestFirst);
      if (!first) return undefined;
      return { ...claim, spec: { ...claim.spec, storageClassName: first.metadata.name } } as ApiObject;
    },
  };
};

function youngestFirst({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  const [older, younger] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  if (older !== younger) return older < younger ? 1 : -1;
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}
