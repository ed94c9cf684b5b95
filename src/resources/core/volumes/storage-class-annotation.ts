import { type Dialect, domainName } from '../../../meta/dialect.js';
import type { ObjectMeta } from '../../../meta/object-meta.js';

/** The annotation that named a class before there was a field. */
export const classAnnotation = (dialect: Dialect): string => `volume.beta.${domainName(dialect, 'storage-class')}`;

const ANY_CLASS_ANNOTATION = /^volume\.beta\.[^/]+\/storage-class$/;

/** The class of a volume or claim as a cell: that of the annotation first. */
export function shownClass({ annotations = {} }: ObjectMeta, name = ''): string {
  const annotation = Object.keys(annotations).find((key) => ANY_CLASS_ANNOTATION.test(key));
  return annotation === undefined ? name : (annotations[annotation] ?? '');
}
