import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { parseBoolean } from '../../meta/query.js';
import { createSelection } from '../../registry/reads/selection.js';
import { servedPart } from '../../registry/served/served-part.js';
import { readListOptions } from '../bodies/options.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';

/** Handles the GET of one object, or of a subresource of it. */
export function handleGet({ query, deadline }: Exchange, route: Route): Result | Promise<Result> {
  const { store, namespace, name } = route;
  if (parseBoolean(query.first('export')))
    throw apiError.badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const object = store.get(namespace, name, query.first('resourceVersion') ?? '', deadline);
  return object instanceof Promise ? object.then((found) => resultOf(found, route)) : resultOf(object, route);
}

function resultOf(object: ApiObject, { store, subresource }: Route): Result {
  const part = servedPart(store.resource, subresource);
  if (part) return { type: 'object', status: 200, object: part.viewForRead(object), resource: part.resource };
  return { type: 'object', status: 200, object, resource: store.resource };
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
