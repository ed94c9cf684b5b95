import { apiError, isApiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { parseBoolean } from '../../meta/query.js';
import { createSelection } from '../../registry/reads/selection.js';
import { type ServedPart, servedPart } from '../../registry/served/served-part.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { readListOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';

/** Handles the GET of one object, or of a subresource of it. */
export function handleGet(exchange: Exchange, route: Route): Result | Promise<Result> {
  const { query, deadline } = exchange;
  const { store, namespace, name, subresource } = route;
  if (parseBoolean(query.first('export')))
    throw apiError.badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const part = subresource === '' ? undefined : servedPart(store.resource, subresource);
  const groupStem = part?.part.failedReadGroupStem;
  if (part && groupStem !== undefined) return readOrReportAbsence(exchange, route, part, groupStem);
  const object = store.reader.get(namespace, name, query.first('resourceVersion') ?? '', deadline);
  if (object instanceof Promise) return object.then((found) => resultOf(found, store.resource, part));
  return resultOf(object, store.resource, part);
}

function resultOf(object: ApiObject, resource: ServedResource, part: ServedPart | undefined): Result {
  if (part) return { type: 'object', status: 200, object: part.viewForRead(object), resource: part.resource };
  return { type: 'object', status: 200, object, resource };
}

/** Reads a part of an object. As in upstream, any failure is reported as the absence of the part. @throws ApiError 404 */
async function readOrReportAbsence(
  { query, deadline }: Exchange,
  { store, namespace, name, subresource }: Route,
  part: ServedPart,
  groupStem: string,
): Promise<Result> {
  try {
    const object = await store.reader.get(namespace, name, query.first('resourceVersion') ?? '', deadline);
    return resultOf(object, store.resource, part);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { gvr, dialect } = store.resource;
    throw apiError.notFound({ group: groupOf(dialect, groupStem), resource: `${gvr.resource}/${subresource}` }, name);
  }
}

/** Handles the GET of a collection (spec 4.2, 4.5). */
export async function handleList(
  { query, environment, deadline }: Exchange,
  { store, namespace }: Route,
): Promise<Result> {
  const options = readListOptions(query, environment.host);
  const { limit, continueToken, resourceVersion, resourceVersionMatch } = options;
  const selection = createSelection(store.resource, options.selectors);
  const parameters = { namespace, selection, limit, continueToken, resourceVersion, resourceVersionMatch };
  const { metadata, items } = await store.reader.list(parameters, deadline);
  return { type: 'list', resource: store.resource, metadata, items };
}
