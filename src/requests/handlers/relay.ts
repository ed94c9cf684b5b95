import { apiError } from '../../meta/api-error.js';
import type { Query } from '../../meta/query.js';
import type { Exchange } from '../exchange.js';
import { PARTS_BEFORE_PATH } from '../request-info.js';
import { emptyResult, type Result, textResult } from '../result.js';
import type { Route } from '../route.js';
import { readContext } from './write-context.js';

/** Handles a request to a connect subresource, such as `pods/log` or `services/proxy`, which another process serves. */
export async function handleRelay(exchange: Exchange, { store, namespace, name, subresource }: Route): Promise<Result> {
  const definition = store.resource.definition.subresources?.[subresource];
  if (!definition || !('relay' in definition)) throw apiError.noSuchResource();
  // A subresource with the object's own kind returns text (`/log`), so it is not a connection.
  if (definition.relay.kind !== store.resource.gvk.kind) refuseDryRun(exchange);
  const context = readContext(exchange);
  const query = definition.relay.takesPath === true ? withPath(exchange) : exchange.query;
  await store.admitConnection(context, { namespace, name, subresource }, definition.relay, query);
  const answer = await definition.relay.answer(
    {
      namespace,
      name,
      method: exchange.request.method,
      query: exchange.query,
      // As in upstream, this header alone decides, whether or not the request has the header Upgrade.
      asksUpgrade: exchange.request.headers.all('connection').some((value) => /upgrade/i.test(value)),
      parent: async (named) => await store.reader.get(namespace, named, '', context),
    },
    context,
  );
  if ('origin' in answer) {
    const { proxyToObject } = await import('../relay/object-proxy.js');
    return await proxyToObject(exchange, answer);
  }
  const { status, text } = answer;
  if (text === '') return emptyResult(status);
  return textResult(status, text, false);
}

/** @throws ApiError 400 for a connection that is requested as a dry run. */
function refuseDryRun({ query, environment }: Exchange): void {
  const countsEmpty = environment.host.dialect.rulings.emptyDryRun !== 'not-a-dry-run';
  if (query.all('dryRun').some((value) => value !== '' || countsEmpty))
    throw apiError.badRequest('dryRun is not supported');
}

const PATH = 'path';

/**
 * Replaces the query parameter `path` by the path that is forwarded, so that admission decides about that path and not about one that the
 * caller wrote into the query.
 */
function withPath({ query, info, path }: Exchange): Query {
  const rest = info.parts.slice(PARTS_BEFORE_PATH).join('/');
  let relayedPath = rest === '' || rest.startsWith('/') ? rest : `/${rest}`;
  if (path.endsWith('/') && !relayedPath.endsWith('/')) relayedPath += '/';
  return {
    first: (name) => (name === PATH ? relayedPath : query.first(name)),
    all: (name) => (name === PATH ? [relayedPath] : query.all(name)),
    has: (name) => name === PATH || query.has(name),
  };
}
