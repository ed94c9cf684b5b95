import { ApiError, apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import { CUSTOM_PATCH_KINDS, patchKindOf } from '../patch/media-types.js';
import { verbsOfSubresource } from '../registry/definitions/subresource.js';
import type { Subresource } from '../registry/resource-definition.js';
import type { ResourceStore } from '../registry/resource-store.js';
import type { Exchange } from './exchange.js';
import type { Verb } from './request-info.js';

const ITEM_VERBS: ReadonlySet<string> = new Set<Verb>(['get', 'update', 'patch', 'delete']);
const COLLECTION_VERBS: ReadonlySet<string> = new Set<Verb>(['list', 'watch', 'create', 'deletecollection']);

/** Matches a path with an empty segment before its last one. */
export const EMPTY_SEGMENT = /\/\/[^/]/;

/** Methods that are allowed for connect subresources. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']);

/** A request matched to a resource and an action. */
export interface Route {
  /**
   * The verb that is authorized, or one of two other actions: `createSubresource` is the `create` of a subresource, and `relay` is a
   * request with any method to a connect subresource.
   */
  readonly action: Verb | 'createSubresource' | 'relay';
  readonly store: ResourceStore;
  /** The namespace; '' for cluster-scoped kinds and collections across namespaces. */
  readonly namespace: string;
  /** The name of the object; '' for collections. */
  readonly name: string;
  /** The subresource; '' for the object itself. */
  readonly subresource: string;
}

/** A request for a known resource that the handler of custom resources refuses. */
export interface Refusal {
  readonly refused: ApiError;
  readonly store: ResourceStore;
}

/**
 * Returns the served resource and the action that a request names; undefined for an unknown path. The action is derived from the verb that
 * was authorized and not a second time from the method.
 */
export function resolveRoute(exchange: Exchange): Route | Refusal | 'methodNotAllowed' | undefined {
  const { info, request, path, registry } = exchange;
  const { parts } = info;
  const store = registry.find(info.group, info.version, info.resource);
  if (!store) return undefined;
  const { resource } = store;
  const isOpen = resource.definition.decoding === 'structural';
  // Upstream serves all custom resources with one handler for all paths below their group version. It ignores segments after the
  // subresource, and an empty segment is an empty namespace or name.
  const isKnown = isOpen
    ? path.startsWith(`/apis/${info.group}/${info.version}/`)
    : parts.length <= 3 && !EMPTY_SEGMENT.test(path);
  if (!isKnown && !takesPath(store, parts[2])) return undefined;
  const inNamespace = isOpen ? info.namespace !== '' : info.inNamespace;
  if (inNamespace !== resource.namespaced && (inNamespace || parts.length > 1)) return undefined;
  const [, name = '', subresource = ''] = parts;
  const at = { store, namespace: inNamespace ? info.namespace : '', name, subresource };
  const across = resource.namespaced && !inNamespace;
  if (info.special === 'proxy')
    return isOpen && !across
      ? { refused: apiError.verbNotSupported(resource.groupResource, 'proxy'), store }
      : undefined;
  if (info.special === 'watch') {
    if (subresource !== '' || !resource.verbs.has('watch')) return undefined;
    return request.method === 'GET' ? { action: 'watch', ...at } : 'methodNotAllowed';
  }
  // HEAD is authorized like GET, but no route of a built-in kind accepts it; the handler of custom resources considers only the verb.
  const verb = request.method === 'HEAD' && !isOpen ? '' : info.verb;
  if (subresource !== '') {
    const route = subresourceRoute(verb, at, request.method);
    const isNameless = isOpen && name === '' && (verb === 'update' || verb === 'patch');
    return isNameless && typeof route === 'object' && 'action' in route
      ? { refused: nameless(exchange, verb), store }
      : route;
  }
  if (isOpen && !across && verb === '')
    return { refused: apiError.verbNotSupported(resource.groupResource, ''), store };
  if (name !== '') {
    // Kinds that are only created, such as reviews, have no route for a single object.
    const { virtual } = resource.definition;
    if (virtual && 'create' in virtual) return undefined;
    return routeIfServed(ITEM_VERBS, verb, at);
  }
  if (isOpen && !across && (verb === 'update' || verb === 'patch')) return { refused: nameless(exchange, verb), store };
  return collectionRoute(verb, at, across);
}

/** Returns the error for a write without a name. The media type of a patch is checked before the name. */
function nameless({ request }: Exchange, verb: 'update' | 'patch'): ApiError {
  try {
    if (verb === 'patch') patchKindOf(request.headers.get('content-type'), CUSTOM_PATCH_KINDS);
    return apiError.badRequest('name must be provided');
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function collectionRoute(
  verb: string,
  at: Omit<Route, 'action'>,
  across: boolean,
): Route | 'methodNotAllowed' | undefined {
  const { verbs } = at.store.resource;
  if (across && !verbs.has('list')) return undefined;
  if (across && verb !== 'list' && verb !== 'watch')
    return at.store.resource.definition.decoding === 'structural' ? undefined : 'methodNotAllowed';
  // Upstream has one route for lists and watches. The handler, not the router, therefore refuses to watch a kind that can be listed but not
  // watched.
  if (verb === 'watch' && !verbs.has('watch') && verbs.has('list')) return { action: verb, ...at };
  return routeIfServed(COLLECTION_VERBS, verb, at);
}

function routeIfServed(
  routed: ReadonlySet<string>,
  verb: string,
  { store, namespace, name, subresource }: Omit<Route, 'action'>,
): Route | 'methodNotAllowed' {
  if (!routed.has(verb) || !store.resource.verbs.has(verb)) return 'methodNotAllowed';
  // `routed` contains only verbs, so the cast is safe.
  return { action: verb as Verb, store, namespace, name, subresource };
}

function subresourceOf({ resource }: ResourceStore, name: string): Subresource<ApiObject> | undefined {
  const { subresources = {} } = resource.definition;
  return Object.hasOwn(subresources, name) ? subresources[name] : undefined;
}

/** Returns whether a subresource forwards the rest of the path to the process behind the object. */
function takesPath(store: ResourceStore, name = ''): boolean {
  const subresource = subresourceOf(store, name);
  return subresource !== undefined && 'relay' in subresource && subresource.relay.takesPath === true;
}

function subresourceRoute(
  verb: string,
  at: Omit<Route, 'action'>,
  method: string,
): Route | Refusal | 'methodNotAllowed' | undefined {
  const subresource = subresourceOf(at.store, at.subresource);
  const { groupResource, definition } = at.store.resource;
  const isOpen = definition.decoding === 'structural';
  if (!subresource) return isOpen ? { refused: apiError.notFound(groupResource, at.name), store: at.store } : undefined;
  if ('relay' in subresource) {
    const { verbs, takesPath: byAnyMethod = false } = subresource.relay;
    const takes = byAnyMethod || verbs.some((each) => each === verb);
    return takes && METHODS.has(method) ? { action: 'relay', ...at } : 'methodNotAllowed';
  }
  if ('create' in subresource) return verb === 'create' ? { action: 'createSubresource', ...at } : 'methodNotAllowed';
  const action = verbsOfSubresource(subresource).find((each) => each === verb);
  if (action !== undefined) return { action, ...at };
  return isOpen ? { refused: apiError.verbNotSupported(groupResource, verb), store: at.store } : 'methodNotAllowed';
}
