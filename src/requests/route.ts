import { parseBoolean } from '../meta/query.js';
import type { ResourceStore } from '../registry/resource-store.js';
import type { Exchange } from './exchange.js';

/** A request matched to a resource and what is to be done. */
export interface Route {
  readonly action: 'get' | 'list' | 'watch' | 'create' | 'connect' | 'update' | 'patch' | 'delete' | 'deletecollection';
  readonly store: ResourceStore;
  /** '' for cluster-scoped kinds and collections across namespaces. */
  readonly namespace: string;
  /** '' for collections. */
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
}

const ITEM_ACTIONS: Readonly<Record<string, 'get' | 'update' | 'patch' | 'delete'>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const COLLECTION_ACTIONS: Readonly<Record<string, 'list' | 'create' | 'deletecollection'>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};

/** Matches the path's shape to a served resource (document 2, section 4.1); undefined when nothing is there. */
export function resolveRoute(exchange: Exchange): Route | 'methodNotAllowed' | undefined {
  const { info, request, path, environment } = exchange;
  if (path.includes('//') && /\/\//.test(path.replace(/\/+$/, ''))) return undefined;
  const { parts } = info;
  const store = environment.registry.find(info.group, info.version, info.resource);
  if (!store || parts.length > 3) return undefined;
  const { resource } = store;
  const { inNamespace } = info;
  if (inNamespace !== resource.namespaced && (inNamespace || parts.length > 1)) return undefined;
  const [, name = '', subresource = ''] = parts;
  const at = { store, namespace: inNamespace ? info.namespace : '', name, subresource };
  if (info.watchPath) {
    if (subresource !== '' || !resource.verbs.has('watch')) return undefined;
    return request.method === 'GET' ? { action: 'watch', ...at } : 'methodNotAllowed';
  }
  if (subresource !== '') return subresourceRoute(request.method, at);
  if (name !== '') {
    // Kinds that are only made have no route for one object.
    if (resource.definition.virtual) return undefined;
    return allowed(ITEM_ACTIONS[request.method], at);
  }
  const action = COLLECTION_ACTIONS[request.method];
  const across = resource.namespaced && !inNamespace;
  if (across && !resource.verbs.has('list')) return undefined;
  if (across && action !== 'list') return 'methodNotAllowed';
  if (action === 'list' && resource.verbs.has('watch') && parseBoolean(exchange.query.first('watch')))
    return { action: 'watch', ...at };
  return allowed(action, at);
}

function allowed(
  action: Exclude<Route['action'], 'connect'> | undefined,
  at: Omit<Route, 'action'>,
): Route | 'methodNotAllowed' {
  const { store, namespace, name, subresource } = at;
  return action !== undefined && store.resource.verbs.has(action)
    ? { action, store, namespace, name, subresource }
    : 'methodNotAllowed';
}

function subresourceRoute(method: string, at: Omit<Route, 'action'>): Route | 'methodNotAllowed' | undefined {
  const subresources = at.store.resource.definition.subresources ?? {};
  const subresource = Object.hasOwn(subresources, at.subresource) ? subresources[at.subresource] : undefined;
  if (!subresource) return undefined;
  if ('connect' in subresource) return method === 'POST' ? { action: 'connect', ...at } : 'methodNotAllowed';
  const action = ITEM_ACTIONS[method];
  if (action === undefined || action === 'delete') return 'methodNotAllowed';
  return (subresource.verbs ?? ['get', 'patch', 'update']).includes(action) ? { action, ...at } : 'methodNotAllowed';
}
