import { apiError } from '../../meta/api-error.js';
import type { GroupVersionKind } from '../../meta/group-version.js';
import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { WatchEvent } from '../../registry/reads/resource-watch.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { heldType, UNSTRUCTURED } from '../../registry/type-problems.js';
import { structSchema } from '../../schema/authoring.js';
import { metaSchema } from '../../schema/meta-kinds.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import type { ObjectSchema } from '../../schema/schema.js';
import type { Described, ListDocument } from '../../serialization/format.js';
import {
  partialObjectMetadata,
  partialObjectMetadataList,
  wrongPartialForm,
} from '../../serialization/partial-object-metadata.js';
import {
  type LazyTable,
  parseIncludeObject,
  type TableOptions,
  tableOfList,
  tableOfObject,
  tableWatch,
} from '../../serialization/table.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';

/** The schema of a Status, for formats that need one. */
export const statusKind: Described = {
  get schema() {
    return metaSchema('Status');
  },
};

/** The schema of PartialObjectMetadata. */
const partialKind: Described = {
  get schema() {
    return (partialSchema ??= structSchema(topLevel(PARTIAL, 'The metadata of an object alone.', () => ({}))));
  },
};
const PARTIAL = 'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata';
let partialSchema: ObjectSchema | undefined;

/** A response that was converted to another kind. A Table has no schema, because only text formats can write it. */
export interface TransformedDocument {
  readonly document: object;
  readonly described: Described | undefined;
}

/**
 * Converts the result of a request to a Table or to PartialObjectMetadata.
 * @throws ApiError 400, 406.
 */
export function transformResult(
  exchange: Exchange,
  result: Extract<Result, { type: 'object' | 'list' }>,
  transform: GroupVersionKind,
): TransformedDocument | ListDocument | LazyTable {
  const { resource } = result;
  const apiVersion = formatGroupVersion(transform);
  if (transform.kind === 'Table') {
    const options = tableOptions(exchange, resource, apiVersion);
    if (result.type === 'list') {
      const { compareRows } = resource.definition;
      return tableOfList(compareRows ? { ...result, items: result.items.toSorted(compareRows) } : result, options);
    }
    return { document: tableOfObject(result.object, options), described: undefined };
  }
  if (result.type === 'list') {
    if (transform.kind === 'PartialObjectMetadata')
      throw wrongPartialForm('PartialObjectMetadata', heldType(resource, 'list'));
    const { items, ...head } = partialObjectMetadataList(result, apiVersion);
    // Upstream replaces the absent items of an empty list before it converts the list, so the converted list has none.
    return { head, items, itemsCarryKind: true, nullIfEmpty: true, described: partialKind };
  }
  if (transform.kind === 'PartialObjectMetadataList') {
    const type = heldType(resource, result.object);
    // Upstream's Go type of custom resources can hold a list as well, so the error is about the missing items and not about the type.
    throw type === UNSTRUCTURED
      ? apiError.clientFault(resource.dialect, 'content is not a list')
      : wrongPartialForm('PartialObjectMetadataList', type);
  }
  return { document: partialObjectMetadata(result.object, apiVersion), described: partialKind };
}

type ObjectEvent = Exclude<WatchEvent, { type: 'ERROR' }>;

/**
 * Returns a function that converts the objects in the events of a watch to Tables or to PartialObjectMetadata.
 * @throws ApiError 400
 */
export function watchTransform(
  exchange: Exchange,
  resource: ServedResource,
  transform: GroupVersionKind,
): { readonly toDocument: (event: ObjectEvent) => object; readonly described: Described | undefined } {
  const apiVersion = formatGroupVersion(transform);
  if (transform.kind === 'Table') {
    const table = tableWatch(tableOptions(exchange, resource, apiVersion));
    return { toDocument: ({ object }) => table(object, exchange.environment.host.clock.now()), described: undefined };
  }
  return { toDocument: ({ object }) => partialObjectMetadata(object, apiVersion), described: partialKind };
}

function tableOptions(
  { query, environment }: Exchange,
  resource: ServedResource,
  apiVersion: string,
): TableOptions<ApiObject> {
  const { columns, rowConditions } = resource.definition;
  return {
    apiVersion,
    includeObject: parseIncludeObject(query.first('includeObject')),
    now: environment.host.clock.now(),
    ...(columns && { columns }),
    rowConditions,
  };
}
