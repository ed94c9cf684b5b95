import { type Dialect, domainName } from '../../../meta/dialect.js';
import type { ObjectMeta } from '../../../meta/object-meta.js';

const ANY_CLASS_ANNOTATION = /^volume\.beta\.(?:kubernetes|orch)\.io\/storage-class$/;

/**
 * Returns the storage class of a volume or claim as a cell. The annotation of older versions takes precedence over `name`, the value of the
 * field.
 */
export function storageClassOf({ annotations = {} }: ObjectMeta, name = ''): string {
  const annotation = Object.keys(annotations).find((key) => ANY_CLASS_ANNOTATION.test(key));
  return annotation === undefined ? name : (annotations[annotation] ?? '');
}

/** Returns the older annotation that names a storage class. */
export const storageClassAnnotation = (dialect: Dialect): string =>
  `volume.beta.${domainName(dialect, 'storage-class')}`;
