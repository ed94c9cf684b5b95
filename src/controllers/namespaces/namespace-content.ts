import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import { formatGroupResource, formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { type ServedResource, serveResource } from '../../registry/served/served-resource.js';
import type { Namespace } from '../../resources/core/core-v1.types.js';
import { namespace as namespaces } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { messageOf } from '../../values/message-of.js';
import type { ControllerHost } from '../controller.js';
import { unless } from '../unless.js';

/** The remaining content of a namespace that is being deleted. */
export interface Content {
  /** The number of remaining objects, by the name that messages use for the resource. */
  readonly remaining: ReadonlyMap<string, number>;
  /** The number of remaining objects that each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Group versions of aggregated API servers whose resources are not known at present. */
  readonly undiscovered: readonly string[];
  readonly errors: readonly string[];
}

/** Deletes the content of a namespace, in the storage of this server and in aggregated API servers. Returns what is left. */
export async function removeContent(client: Client, object: Namespace, host: ControllerHost): Promise<Content> {
  const namespace = object.metadata.name ?? '';
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const errors: string[] = [];
  const remote = remoteResources(host);
  for (const resource of [...client.resources(), ...remote.resources]) {
    if (!resource.namespaced || !resource.verbs.has('delete') || !resource.verbs.has('list')) continue;
    try {
      const { left, deadline } = await removeAll(client, resource, object);
      if (left.length === 0) continue;
      remaining.set(resourceText(resource), left.length);
      const held = left.flatMap(({ metadata }) => metadata.finalizers ?? []);
      for (const finalizer of held) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      if (held.length > 0 || host.clock.now() < deadline) continue;
      const { group, version, resource: plural } = resource.gvr;
      errors.push(
        `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${plural}`,
      );
    } catch (error) {
      errors.push(messageOf(error));
    }
  }
  return { remaining, finalizers, undiscovered: remote.undiscovered, errors: errors.sort() };
}

/**
 * Deletes all objects of one resource in a namespace. Returns the objects that are left, and the time until which running pods may take to
 * end, in milliseconds since the epoch.
 */
async function removeAll(client: Client, { definition, groupResource, verbs }: ServedResource, object: Namespace) {
  const where = { namespace: object.metadata.name ?? '' };
  const { items } = await client.list(definition, where);
  const isPod = groupResource.group === '' && groupResource.resource === 'pods';
  const deletedAt = Date.parse(object.metadata.deletionTimestamp ?? '');
  // The path determines the kind of the items, so the cast is safe.
  const deadline = isPod ? deletedAt + longestGracePeriod(items as readonly ApiObject[] as readonly Pod[]) : deletedAt;
  if (items.length === 0) return { left: items, deadline };
  const options = { ...where, propagationPolicy: 'Background' } as const;
  if (verbs.has('deletecollection')) await client.deleteCollection(definition, options);
  else
    for (const { metadata } of items)
      await client.delete(definition, metadata.name ?? '', options).catch(unless(isNotFound));
  return { left: (await client.list(definition, where)).items, deadline };
}

/** Returns the longest time in milliseconds that one of the pods may take to end. */
function longestGracePeriod(pods: readonly Pod[]): number {
  let longest = 0;
  for (const { spec, status } of pods)
    if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
      longest = Math.max(longest, spec.terminationGracePeriodSeconds ?? 0);
  return longest * 1000;
}

/** Returns the resource name in messages: `pods.` for the core group, `leases.coordination.example` for other groups. */
function resourceText({ groupResource }: ServedResource): string {
  return groupResource.group === '' ? `${groupResource.resource}.` : formatGroupResource(groupResource);
}

/** A resource in a discovery document. */
interface Discovered {
  readonly resource?: string;
  readonly scope?: string;
  readonly responseKind?: { readonly kind?: string };
  readonly verbs: readonly string[] | null;
}

/** Returns the namespaced resources of aggregated API servers, each in the most preferred version that has it. */
function remoteResources({ apiServices, kinds, dialect }: ControllerHost) {
  const resources: ServedResource[] = [];
  const undiscovered: string[] = [];
  if (apiServices.remote.size === 0) return { resources, undiscovered };
  const { aggregated, remote } = apiServices.groups(kinds.current);
  for (const [group, versions] of aggregated) {
    const seen = new Set<string>();
    for (const version of versions) {
      const found = remote.get(`${group}/${version}`);
      if (found?.fresh === false) undiscovered.push(formatGroupVersion({ group, version }));
      if (!found?.fresh) continue;
      for (const { resource: plural = '', scope, responseKind, verbs } of found.resources as readonly Discovered[]) {
        if (scope !== 'Namespaced' || seen.has(plural)) continue;
        seen.add(plural);
        const definition = remoteDefinition(group, version, plural, responseKind?.kind || plural);
        resources.push({ ...serveResource(definition, dialect), verbs: new Set(verbs) });
      }
    }
  }
  return { resources, undiscovered: undiscovered.sort() };
}

/** Returns the definition of a resource of another server. The client reads only its names, so the schema does not matter. */
const remoteDefinition = (group: string, version: string, plural: string, kind: string): ResourceDefinition => ({
  group,
  version,
  plural,
  singular: plural,
  kind,
  listKind: `${kind}List`,
  scope: 'Namespaced',
  schema: namespaces.schema,
  decoding: 'structural',
});
