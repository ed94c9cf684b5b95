import { apiError, isApiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { parseBoolean } from '../../meta/query.js';
import { createSelection } from '../../registry/reads/selection.js';
import { type ServedPart, servedPart } from '../../registry/served/served-part.js';
import { readListOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';

/** Handles the GET of one object, or of a subresource of it. */
export function handleGet(exchange: Exchange, route: Route): Result | Promise<Result> {
  if (parseBoolean(exchange.query.first('export')))
    throw apiError.badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  if (route.subresource === '') return readObject(exchange, route, undefined);
  const part = servedPart(route.store.resource, route.subresource);
  return part?.part.failedReadGroupStem === undefined
    ? readObject(exchange, route, part)
    : readOrReportAbsence(exchange, route, part, part.part.failedReadGroupStem);
}

function readObject({ query, deadline }: Exchange, route: Route, part: ServedPart | undefined) {
  const { store, namespace, name } = route;
  const object = store.get(namespace, name, query.first('resourceVersion') ?? '', deadline);
  return object instanceof Promise
    ? object.then((found) => resultOf(found, route, part))
    : resultOf(object, route, part);
}

function resultOf(object: ApiObject, { store }: Route, part: ServedPart | undefined): Result {
  if (part) return { type: 'object', status: 200, object: part.viewForRead(object), resource: part.resource };
  return { type: 'object', status: 200, object, resource: store.resource };
}

/** Reads a part of an object. As in upstream, any failure is reported as the absence of the part. @throws ApiError 404 */
async function readOrReportAbsence(
  exchange: Exchange,
  route: Route,
  part: ServedPart,
  groupStem: string,
): Promise<Result> {
  try {
    return await readObject(exchange, route, part);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { gvr, dialect } = route.store.resource;
    const resource = `${gvr.resource}/${route.subresource}`;
    throw apiError.notFound({ group: groupOf(dialect, groupStem), resource }, route.name);
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
  const { metadata, items } = await store.list(parameters, deadline);
  return { type: 'list', resource: store.resource, metadata, items };
}
