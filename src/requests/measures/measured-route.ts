import type { ServedResource } from '../../registry/served/served-resource.js';
import { remembering } from '../../values/remembering.js';
import type { RequestInfo } from '../request-info.js';

/** How a request is counted: by its route, never by what its path says. The same for all requests of a route: it is known by identity. */
export interface MeasuredRoute {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** For paths that are not resources: the path. */
  readonly subresource: string;
  readonly scope: 'resource' | 'namespace' | 'cluster' | '';
  readonly component: 'apiserver' | '';
  /** Asked by the old form of a watch. */
  readonly watches: boolean;
  /** Whether the answer's size counts. */
  readonly reads: boolean;
  /** With the group, for bodies; '' where there are none. */
  readonly groupResource: string;
  readonly deprecated: { readonly removed: string } | undefined;
}

/** What the routes of a server's resources are counted as. */
export class MeasuredRoutes {
  readonly #known = new WeakMap<ServedResource, MeasuredRoute[]>();
  /** Most requests are for the resource of the one before. */
  #last: { readonly served: ServedResource; readonly routes: MeasuredRoute[] } | undefined;

  /** @param at what the route found, with '' where nothing is named. */
  of(served: ServedResource, info: RequestInfo, at: FoundRoute): MeasuredRoute {
    return measuredAmong(this.#last?.served === served ? this.#last.routes : this.#routesOf(served), served, info, at);
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

/** The one of a resource's routes; made when it is first met. */
function measuredAmong(
  routes: MeasuredRoute[],
  served: ServedResource,
  info: RequestInfo,
  at: FoundRoute,
): MeasuredRoute {
  const { definition, gvr, groupResource } = served;
  const { action, subresource } = at;
  // Users' kinds have one handler, which goes by what is asked for; the others' scope is that of their route.
  const isOpen = definition.decoding === 'structural';
  const { name, namespace } = isOpen ? info : at;
  const watches = info.special === 'watch';
  const isOne = name !== '' || (isOpen ? info.verb : action) === 'create';
  const scope = isOne ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
  // A watch comes by the route of lists.
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
  const made: MeasuredRoute = {
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
  routes.push(made);
  return made;
}

/** A path that is counted though it is no resource. */
export const measuredPath = remembering(
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
