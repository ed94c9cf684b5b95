import { apiError } from '../../meta/api-error.js';
import { nameIsPathSegment } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { quote } from '../../values/quote.js';
import { withMetadata } from '../edit.js';
import { objectKey, type ServedResource } from '../served/served-resource.js';

/**
 * Returns the object with the URL's namespace; objects of cluster-scoped kinds lose their namespace.
 * @throws ApiError 400 when the object has another namespace (spec 3.4).
 */
export function matchNamespace(resource: ServedResource, object: ApiObject, namespace: string): ApiObject {
  const bodyNamespace = object.metadata.namespace;
  if (!resource.namespaced)
    return bodyNamespace === undefined ? object : withMetadata(object, { namespace: undefined });
  if (bodyNamespace === namespace) return object;
  if (bodyNamespace !== undefined && bodyNamespace !== '')
    throw apiError.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  return withMetadata(object, { namespace });
}

/** @throws ApiError 400 when the object's name is not the name in the URL (spec 3.6). */
function matchName({ metadata }: ApiObject, name: string): void {
  const bodyName = metadata.name ?? '';
  if (bodyName === name) return;
  throw apiError.badRequest(
    bodyName === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${bodyName}) does not match the name on the URL (${name})`,
  );
}

/** Returns the storage key of the object that a path names. @throws ApiError 400 for a name that no object can have (spec 1.11). */
export function requestedKey(resource: ServedResource, namespace: string, name: string): string {
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0) throw apiError.badRequest(`Name parameter invalid: ${quote(name)}: ${problems.join(';')}`);
  return objectKey(resource, namespace, name);
}

/** Returns the object with the namespace of the request's path. @throws ApiError 400 when its namespace or name differs from the path's. */
export function placeObject(
  resource: ServedResource,
  object: ApiObject,
  at: { readonly namespace: string; readonly name: string },
): ApiObject {
  const placed = matchNamespace(resource, object, at.namespace);
  matchName(placed, at.name);
  return placed;
}
