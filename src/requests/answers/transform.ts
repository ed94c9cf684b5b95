import type { GroupVersionKind } from '../../meta/group-version.js';
import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { WatchEvent } from '../../registry/resource-watch.js';
import type { ServedResource } from '../../registry/served-resource.js';
import {
  partialObjectMetadata,
  partialObjectMetadataList,
  wrongPartialForm,
} from '../../serialization/partial-object-metadata.js';
import {
  parseIncludeObject,
  type TableOptions,
  tableOfList,
  tableOfObject,
  tableWatch,
} from '../../serialization/table.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';

/** An answer in another form: Table or only its metadata (spec 9.11). @throws ApiError 400, 406. */
export function transformed(
  exchange: Exchange,
  result: Extract<Result, { type: 'object' | 'list' }>,
  transform: GroupVersionKind,
): object {
  const { resource } = result;
  const apiVersion = formatGroupVersion(transform);
  if (transform.kind === 'Table') {
    const options = tableOptions(exchange, resource, apiVersion);
    return result.type === 'list' ? tableOfList(result, options) : tableOfObject(result.object, options);
  }
  if (result.type === 'list') {
    if (transform.kind === 'PartialObjectMetadata')
      throw wrongPartialForm('PartialObjectMetadata', `*core.${resource.definition.listKind}`);
    return partialObjectMetadataList(result, apiVersion);
  }
  if (transform.kind === 'PartialObjectMetadataList')
    throw wrongPartialForm('PartialObjectMetadataList', `*core.${resource.gvk.kind}`);
  return partialObjectMetadata(result.object, apiVersion);
}

/** The same for the events of one watch. */
export function watchTransform(
  exchange: Exchange,
  resource: ServedResource,
  transform: GroupVersionKind,
): (event: Exclude<WatchEvent, { type: 'ERROR' }>) => object {
  const apiVersion = formatGroupVersion(transform);
  if (transform.kind === 'Table') {
    const table = tableWatch(tableOptions(exchange, resource, apiVersion));
    return ({ object }) => table(object, exchange.environment.clock.now());
  }
  return ({ object }) => partialObjectMetadata(object, apiVersion);
}

function tableOptions(
  { query, environment }: Exchange,
  resource: ServedResource,
  apiVersion: string,
): TableOptions<ApiObject> {
  return {
    apiVersion,
    includeObject: parseIncludeObject(query.first('includeObject')),
    now: environment.clock.now(),
    ...(resource.definition.columns ? { columns: resource.definition.columns } : {}),
  };
}
