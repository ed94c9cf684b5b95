import { DecodeError } from '../json/decode-error.js';
import type { JsonObject } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { ApiRequest } from '../requests/api-request.js';
import { copyJson } from '../schema/json-objects.js';

/** Returns the path of a kind's objects in one namespace, or in all namespaces. */
export function collectionPath(served: ServedResource, namespace: string | undefined): string {
  const { group, version, resource } = served.gvr;
  const parts = [group === '' ? `/api/${version}` : `/apis/${group}/${version}`];
  if (served.namespaced && namespace !== undefined) parts.push('namespaces', encodeURIComponent(namespace));
  parts.push(resource);
  return parts.join('/');
}

/**
 * Returns the path of a collection within one namespace, or of a cluster-scoped kind.
 * @throws TypeError for a namespaced kind without a namespace.
 */
export function namespacePath(served: ServedResource, namespace: string | undefined): string {
  if ((namespace === undefined || namespace === '') && served.namespaced)
    throw new TypeError(`${served.gvk.kind} is namespaced: give the namespace, as in { namespace: 'default' }`);
  return collectionPath(served, namespace);
}

/**
 * Returns the path of an object or one of its subresources.
 * @throws TypeError for a namespaced kind without a namespace, and for an object without a name.
 */
export function objectPath(
  served: ServedResource,
  namespace: string | undefined,
  name: string,
  subresource = '',
): string {
  const collection = namespacePath(served, namespace);
  if (typeof name !== 'string' || name === '') throw new TypeError(`give the name of the ${served.gvk.kind}`);
  const path = `${collection}/${encodeURIComponent(name)}`;
  return subresource === '' ? path : `${path}/${subresource}`;
}

/** Returns the metadata of an object to write. @throws TypeError for an object without metadata. */
export function metadataOf(object: Pick<ApiObject, 'metadata'>): ApiObject['metadata'] {
  // The members are checked at runtime, because a JavaScript caller may pass any value.
  const { metadata } = Object(object) as Partial<ApiObject>;
  if (metadata) return metadata;
  throw new TypeError("give the object with its metadata, as in { metadata: { name: 'a' } }");
}

/** Query parameters of a call; undefined ones are omitted. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Creates a request whose body is an object rather than bytes. The body is serialized only if the request goes to a remote server.
 * @throws TypeError for a body that JSON cannot represent, ApiError 400 for one that is nested too deeply
 */
export function localRequest(
  method: string,
  path: string,
  parameters: Parameters,
  options: { readonly body?: object; readonly headers: RequestHeaders; readonly signal?: AbortSignal },
): ApiRequest {
  let query: URLSearchParams | undefined;
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined) (query ??= new URLSearchParams()).append(name, String(value));
  }
  return {
    method,
    path,
    query: query?.toString() ?? '',
    headers: options.headers,
    // The body is copied at the call, because the caller may change its object afterwards.
    ...(options.body === undefined ? {} : { body: { type: 'object', value: copyBody(options.body) } }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function copyBody(body: object): JsonObject {
  try {
    return copyJson(body) as JsonObject; // The decoder refuses a body that is not an object, so the cast is safe.
  } catch (error) {
    throw error instanceof DecodeError ? apiError.badRequest(error.message) : error;
  }
}
