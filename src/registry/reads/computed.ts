import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ComputedKind } from '../resource-definition.js';
import type { ServedResource } from '../served/served-resource.js';
import type { ObjectList } from './read.js';
import type { Selection } from './selection.js';

/** How a kind's objects are computed; undefined for kinds that are stored, or only answer. */
export function computedKind({ definition: { virtual } }: ServedResource): ComputedKind | undefined {
  return virtual && 'list' in virtual ? virtual : undefined;
}

/** @throws ApiError the kind's own, or 404, for a name that is not there. */
export async function getComputed(resource: ServedResource, kind: ComputedKind, name: string): Promise<ApiObject> {
  const object = kind.list().find(({ metadata }) => metadata.name === name);
  if (object) return object;
  throw kind.absent?.(name, resource) ?? apiError.notFound(resource.groupResource, name);
}

/** All that are selected, at once: such a list has no version, and so no pages. */
export async function listComputed(kind: ComputedKind, selection: Selection): Promise<ObjectList> {
  return { metadata: {}, items: kind.list().filter((object) => selection.matches(object)) };
}
