import { apiError } from '../meta/api-error.js';
import type { Deprecation } from '../registry/resource-definition.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import { checkRoute, negotiateRoute } from './answers/negotiate-route.js';
import { otherPath } from './documents/other-paths.js';
import { annotate, type Exchange } from './exchange.js';
import { handleCreate, handleCreateSubresource } from './handlers/create.js';
import { handleDelete, handleDeleteCollection } from './handlers/delete.js';
import { handleGet, handleList } from './handlers/get.js';
import { handlePatch } from './handlers/patch.js';
import { handleRelay } from './handlers/relay.js';
import { handleUpdate } from './handlers/update.js';
import { handleWatch } from './handlers/watch.js';
import { proxyToService } from './relay/aggregated-api.js';
import { verbOfMethod } from './request-info.js';
import { notFound, type Result } from './result.js';
import { type Route, resolveRoute } from './route.js';

const HANDLERS: Readonly<Record<Route['action'], (exchange: Exchange, route: Route) => Result | Promise<Result>>> = {
  get: handleGet,
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  createSubresource: handleCreateSubresource,
  relay: handleRelay,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
};

/** The time limit of a write of one object, in milliseconds (spec 1.9). The DELETE of a collection has the limit of reads. */
const WRITE_TIMEOUT = 34_000;
const BRIEF: ReadonlySet<Route['action']> = new Set<Route['action']>([
  'create',
  'createSubresource',
  'update',
  'patch',
  'delete',
]);

/**
 * Finds the handler of a request and runs it, or forwards the request if another server serves its group version (spec 24.4).
 * @throws ApiError 404, 405, 406, 415.
 */
export function dispatch(exchange: Exchange): Result | Promise<Result> {
  const { info, registry, environment } = exchange;
  const service = environment.apiServices.at(exchange.path);
  if (service) return proxyToService(exchange, service);
  const route = info.resourceRequest ? resolveRoute(exchange) : undefined;
  if (!route) {
    if (!info.resourceRequest || !registry.groups.has(info.group)) return dispatchOther(exchange);
    // Upstream's router serves neither the API groups of custom resources, nor paths with an empty group or an empty first segment. The
    // response is then the plain-text 404 of unknown paths.
    if (!registry.isBuiltIn(info.group) || /^\/(?:apis\/)?\//.test(exchange.path)) return notFound();
    throw apiError.noSuchResource();
  }
  if (route === 'methodNotAllowed') throw apiError.methodNotAllowed();
  const { resource } = route.store;
  const { deprecation } = resource.definition;
  if (deprecation) warnOfDeprecation(exchange, resource, deprecation);
  if ('refused' in route) throw route.refused;
  // The route's action follows from the authorized verb. If they differ nevertheless, the unauthorized action must not run.
  const { action } = route;
  const verb =
    action === 'relay' ? verbOfMethod(exchange.request.method) : action === 'createSubresource' ? 'create' : action;
  if (verb !== info.verb) throw new TypeError(`authorized ${info.verb}, not ${action}`);
  // For a connect subresource, such as `pods/exec`, the backend negotiates the media types.
  if (route.action !== 'relay') checkRoute(exchange, route);
  // Requests that `checkRoute` refuses are not counted in the metrics: in upstream, the router refuses them before they are counted.
  exchange.measured = environment.meter?.routes.of(resource, info, route);
  // The handler of patches negotiates by itself, after it has checked the media type of the patch.
  if (route.action !== 'relay' && route.action !== 'patch') negotiateRoute(exchange, route);
  if (BRIEF.has(route.action)) exchange.deadline.shorten(WRITE_TIMEOUT);
  const view = exchange.interference?.storage;
  return HANDLERS[route.action](exchange, view ? { ...route, store: route.store.through(view) } : route);
}

async function dispatchOther(exchange: Exchange): Promise<Result> {
  // This request may itself read the metrics, so the results of its steps are recorded first.
  exchange.environment.meter?.noteSteps(exchange);
  return (await otherPath(exchange)) ?? notFound();
}

/** Warns of a deprecated API version (spec 8.11). */
function warnOfDeprecation(
  exchange: Exchange,
  { apiVersion, gvk, gvr }: ServedResource,
  deprecation: Deprecation,
): void {
  const { warnings, environment } = exchange;
  const { bareDomain } = environment.host.dialect;
  annotate(exchange, `${bareDomain}/deprecated`, 'true');
  if ('warning' in deprecation) {
    warnings.add(deprecation.warning);
    return;
  }
  const { since, removed, replacement } = deprecation;
  if (removed !== undefined) annotate(exchange, `${bareDomain}/removed-release`, removed);
  warnings.add(
    `${apiVersion} ${gvk.kind} is deprecated in v${since}+${removed === undefined ? '' : `, unavailable in v${removed}+`}` +
      `${replacement === undefined ? '' : `; use ${gvr.group}/${replacement} ${gvk.kind}`}`,
  );
}
