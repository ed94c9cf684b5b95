import type { ApiObject, ObjectMeta } from '../meta/object-meta.js';

/**
 * Returns the name of the default class. If several classes are marked as the default, the youngest of them is used; among equally young
 * ones, the first by name.
 */
export function defaultClassName(
  classes: readonly ApiObject[],
  isDefault: (metadata: ObjectMeta) => boolean,
): string | undefined {
  const [first] = classes.filter(({ metadata }) => isDefault(metadata)).sort(youngestFirst);
  return first?.metadata.name;
}

function youngestFirst({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  const [older, younger] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  if (older !== younger) return older < younger ? 1 : -1;
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}
