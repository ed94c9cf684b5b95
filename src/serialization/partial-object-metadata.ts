import { type ApiError, apiError } from '../meta/api-error.js';
import type { ApiObject, ListMeta, ObjectMeta } from '../meta/object-meta.js';
import { structSchema } from '../schema/authoring.js';
import { withMember } from '../schema/json-objects.js';
import { objectMeta } from '../schema/object-meta-schema.js';
import { inWireOrder } from '../schema/wire-order.js';

export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

export interface PartialObjectMetadataList {
  readonly kind: 'PartialObjectMetadataList';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly items: readonly PartialObjectMetadata[];
}

const metadataObjects = new WeakMap<ApiObject, Map<string, PartialObjectMetadata>>();

/**
 * Returns an object's metadata alone (spec 9.12). The result is created once per object version, so that its encoding is shared, too.
 * @param apiVersion the requested version of the meta group, `meta.example/v1`
 */
export function partialObjectMetadata(object: ApiObject, apiVersion: string): PartialObjectMetadata {
  let versions = metadataObjects.get(object);
  if (versions === undefined) metadataObjects.set(object, (versions = new Map()));
  let partial = versions.get(apiVersion);
  if (partial === undefined) {
    // The metadata of custom resources is sorted by name, but in a PartialObjectMetadata it has the order of the struct, which always has a
    // creationTimestamp. Only bookmarks of custom resources have none.
    const dated =
      object.metadata.creationTimestamp === undefined
        ? withMember(object.metadata, 'creationTimestamp', null)
        : object.metadata;
    const metadata = inWireOrder(structSchema(objectMeta), dated);
    partial = Object.freeze({ kind: 'PartialObjectMetadata', apiVersion, metadata } as const);
    versions.set(apiVersion, partial);
  }
  return partial;
}

/** Returns the metadata of a list's items; each item has its own `kind` and `apiVersion`. */
export function partialObjectMetadataList(
  list: { readonly metadata: ListMeta; readonly items: readonly ApiObject[] },
  apiVersion: string,
): PartialObjectMetadataList {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion,
    metadata: list.metadata,
    items: list.items.map((item) => partialObjectMetadata(item, apiVersion)),
  };
}

/**
 * Returns the 406 for a list that is requested as PartialObjectMetadata, or an object requested as PartialObjectMetadataList.
 * @param typeName the type of the response as messages print it: `*core.SecretList`
 */
export function wrongPartialForm(
  requested: PartialObjectMetadata['kind'] | PartialObjectMetadataList['kind'],
  typeName: string,
): ApiError {
  const is = requested === 'PartialObjectMetadata' ? 'is a list' : 'is not a list';
  return apiError.notAcceptable(`you requested ${requested}, but the requested object ${is} (${typeName})`);
}
