import type { ServedResource } from '../registry/served/served-resource.js';

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
