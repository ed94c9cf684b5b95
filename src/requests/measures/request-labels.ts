import { parseBoolean, type Query } from '../../meta/query.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import { PATCH_MEDIA_TYPES } from '../../patch/media-types.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { cachedByText } from '../../values/memoize.js';
import type { RequestInfo } from '../request-info.js';

/**
 * The labels under which a request is counted: those of its route, never names from its path. All requests of a route share one object, so
 * that it can be the key of a map.
 */
export interface MeasuredRoute {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** The subresource; for paths that are not resources, the path itself. */
  readonly subresource: string;
  readonly scope: 'resource' | 'namespace' | 'cluster' | '';
  readonly component: 'apiserver' | '';
  /** Whether the request is a watch with the old path `/watch/…`. */
  readonly watches: boolean;
  /** Whether the size of the response is counted. */
  readonly reads: boolean;
  /** The resource with its group, a label in the metric of body sizes; '' if there is no resource. */
  readonly groupResource: string;
  readonly deprecated: { readonly removed: string } | undefined;
}

/** Finds the metric labels of each route. */
export class MeasuredRoutes {
  readonly #known = new WeakMap<ServedResource, MeasuredRoute[]>();
  /** Most requests are for the same resource as the one before, so the last one is cached. */
  #last: { readonly served: ServedResource; readonly routes: MeasuredRoute[] } | undefined;

  /** @param at the resolved route, with '' for absent names. */
  of(served: ServedResource, info: RequestInfo, at: FoundRoute): MeasuredRoute {
    return measuredRouteIn(
      this.#last?.served === served ? this.#last.routes : this.#routesOf(served),
      served,
      info,
      at,
    );
  }

  #routesOf(served: ServedResource): MeasuredRoute[] {
    let routes = this.#known.get(served);
    if (!routes) this.#known.set(served, (routes = []));
    this.#last = { served, routes };
    return routes;
  }
}

interface FoundRoute {
  readonly action: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** Returns the labels of a route from `routes`, the cached labels of the resource; adds them if they are missing. */
function measuredRouteIn(
  routes: MeasuredRoute[],
  served: ServedResource,
  info: RequestInfo,
  at: FoundRoute,
): MeasuredRoute {
  const { definition, gvr, groupResource } = served;
  const { action, subresource } = at;
  // Custom resources have one handler for all routes, so their scope comes from the request; for built-in kinds it comes from the route.
  const isOpen = definition.decoding === 'structural';
  const { name, namespace } = isOpen ? info : at;
  const watches = info.special === 'watch';
  const isOne = name !== '' || (isOpen ? info.verb : action) === 'create';
  const scope = isOne ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
  // A watch that is requested with the query parameter shares the route of lists, so upstream counts the size of its response.
  const reads = action === 'get' || action === 'list' || (action === 'watch' && !watches && !isOpen);
  for (const route of routes)
    if (
      route.scope === scope &&
      route.subresource === subresource &&
      route.watches === watches &&
      route.reads === reads
    )
      return route;
  const { deprecation } = definition;
  const measuredRoute: MeasuredRoute = {
    group: gvr.group,
    version: gvr.version,
    resource: gvr.resource,
    subresource,
    scope,
    component: 'apiserver',
    watches,
    reads,
    groupResource: groupResource.group === '' ? gvr.resource : `${gvr.resource}.${gvr.group}`,
    deprecated: deprecation && { removed: 'removed' in deprecation ? (deprecation.removed ?? '') : '' },
  };
  routes.push(measuredRoute);
  return measuredRoute;
}

/** Returns the labels of a counted path that is not a resource. */
export const measuredPath = cachedByText(
  (path): MeasuredRoute => ({
    group: '',
    version: '',
    resource: '',
    subresource: path,
    scope: '',
    component: '',
    watches: false,
    reads: true,
    groupResource: '',
    deprecated: undefined,
  }),
);

// As in upstream, the `clean…` functions map values that callers choose (methods, parameters, user names) to a few label values, so that
// callers cannot create arbitrary metric series.

const METHODS: ReadonlySet<string> = new Set([
  'APPLY',
  'CONNECT',
  'DELETE',
  'GET',
  'LIST',
  'PATCH',
  'POST',
  'PUT',
  'WATCH',
]);
const CONNECTS: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);
const LEVELS: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);
const KNOWN_USERS: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Returns the verb for metrics: a GET of several objects is LIST, or WATCH if the query has `watch`; an unknown method is `other`. */
export function cleanVerb(
  { method, headers }: { readonly method: string; readonly headers: RequestHeaders },
  query: Query,
  { scope, subresource, watches }: { readonly scope: string; readonly subresource: string; readonly watches: boolean },
): string {
  if (watches) return 'WATCH';
  if (CONNECTS.has(subresource)) return 'CONNECT';
  if (method === 'GET' && parseBoolean(query.first('watch')) === true) return 'WATCH';
  if (method === 'GET' || method === 'HEAD') return scope === 'resource' || scope === '' ? 'GET' : 'LIST';
  if (method === 'PATCH' && headers.get('content-type') === PATCH_MEDIA_TYPES.apply) return 'APPLY';
  return METHODS.has(method) ? method : 'other';
}

export function cleanDryRun(query: Query): string {
  if (!query.has('dryRun')) return '';
  return query.all('dryRun').every((value) => value === 'All') ? 'All' : 'invalid';
}

export function cleanFieldValidation(query: Query): string {
  if (!query.has('fieldValidation')) return '';
  const [level = '', ...more] = query.all('fieldValidation');
  return more.length === 0 && LEVELS.has(level) ? level : 'invalid';
}

export function cleanUsername(username: string): string {
  if (KNOWN_USERS.has(username)) return username;
  return username.includes('@') ? 'email_id' : 'other';
}
