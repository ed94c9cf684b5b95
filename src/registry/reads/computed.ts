import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ComputedKind } from '../resource-definition.js';
import type { ServedResource } from '../served/served-resource.js';
import type { ObjectList } from './read.js';
import type { Selection } from './selection.js';

/** Returns the functions that compute a kind's objects; undefined for kinds that are stored, or that can only be created. */
export function computedKind({ definition: { virtual } }: ServedResource): ComputedKind | undefined {
  return virtual && 'list' in virtual ? virtual : undefined;
}

/** Returns the object with the given name. @throws ApiError when no object has this name: the kind's own error, or 404. */
export function getComputed(resource: ServedResource, kind: ComputedKind, name: string): ApiObject {
  const object = kind.list().find(({ metadata }) => metadata.name === name);
  if (object) return object;
  throw kind.absent?.(name, resource) ?? apiError.notFound(resource.groupResource, name);
}

/** Lists all selected objects. The list has no resourceVersion and therefore no pages. */
export async function listComputed(kind: ComputedKind, selection: Selection): Promise<ObjectList> {
  return { metadata: {}, items: kind.list().filter((object) => selection.matches(object)) };
}
