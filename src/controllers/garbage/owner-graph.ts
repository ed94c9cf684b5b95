import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { Host, Lister } from '../../meta/host.js';
import type { ApiObject, OwnerReference } from '../../meta/object-meta.js';
import type { ServedResource } from '../../registry/served/served-resource.js';

/** An object and the resource it is one of. */
export interface Owned {
  readonly resource: ServedResource;
  readonly object: ApiObject;
}

/** What becomes of an object that a reference names (spec 7.7). */
export type Ownership =
  /** The owner lives. */
  | 'solid'
  /** The owner goes once this object has gone. */
  | 'waiting'
  /** The owner does not exist. */
  | 'dangling';

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** Events describe objects; nothing belongs to them and they belong to nothing. */
const IGNORED = 'Event';

/** Whether an object is on its way out, and held by one of the collector's finalizers. */
export function awaits({ metadata }: ApiObject, finalizer: typeof ORPHAN | typeof FOREGROUND): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}

/** The text by which an object is known: `group/resource/namespace/name`. */
export function keyOf({ resource, object }: Owned): string {
  const { group, resource: plural } = resource.gvr;
  return [group, plural, object.metadata.namespace ?? '', object.metadata.name ?? ''].join('/');
}

const uids = ({ metadata }: ApiObject): readonly string[] => [metadata.uid ?? ''];

const plural = ({ gvr }: ServedResource) => `${gvr.group}/${gvr.resource}`;

/** Who owns what. The objects are in the server's memory; kept here is which of them name an owner, whatever their kind. */
export class OwnerGraph {
  readonly #host: Host;
  readonly #client: Client;
  /** Keys of dependents by the uid of an owner. */
  readonly #dependents = new Map<string, Set<string>>();
  #byPlural: ReadonlyMap<string, ServedResource> = new Map();
  #byKind: ReadonlyMap<string, ServedResource> = new Map();

  constructor(host: Host, client: Client) {
    this.#host = host;
    this.#client = client;
    this.kindsChanged();
  }

  /** To be called when kinds came or went. */
  kindsChanged(): void {
    const served = this.#client.resources();
    const owning = served.filter(({ gvk, verbs }) => gvk.kind !== IGNORED && verbs.has('delete') && verbs.has('patch'));
    this.#byPlural = new Map(owning.map((resource) => [plural(resource), resource]));
    this.#byKind = new Map(served.map((resource) => [`${resource.gvk.group}/${resource.gvk.kind}`, resource]));
  }

  /** To be called with every change of an object. */
  objectChanged(resource: ServedResource, next: ApiObject | undefined, previous: ApiObject | undefined): void {
    const before = previous?.metadata.ownerReferences;
    const after = next?.metadata.ownerReferences;
    if (before === after) return;
    for (const { uid } of before ?? []) {
      const keys = this.#dependents.get(uid);
      if (previous) keys?.delete(keyOf({ resource, object: previous }));
      if (keys?.size === 0) this.#dependents.delete(uid);
    }
    for (const { uid } of after ?? []) {
      let keys = this.#dependents.get(uid);
      if (keys === undefined) this.#dependents.set(uid, (keys = new Set()));
      if (next) keys.add(keyOf({ resource, object: next }));
    }
  }

  /** The keys of all objects that name an owner, whether its kind is served or not; once for each owner. */
  *dependents(): Iterable<string> {
    for (const keys of this.#dependents.values()) yield* keys;
  }

  /** Every kind whose objects can own and be owned. */
  resources(): Iterable<ServedResource> {
    return this.#byPlural.values();
  }

  lister({ gvr }: ServedResource): Lister {
    return this.#host.lister(gvr.group, gvr.resource);
  }

  /** The object of a key, as it is now. */
  find(key: string): Owned | undefined {
    const [group, resourceName, namespace = '', name = ''] = key.split('/');
    const resource = this.#byPlural.get(`${group}/${resourceName}`);
    const object = resource && this.lister(resource).get(namespace, name);
    return object && { resource, object };
  }

  /** All objects that name an owner of this uid. */
  dependentsOf(uid: string): readonly Owned[] {
    const found: Owned[] = [];
    for (const key of this.#dependents.get(uid) ?? []) {
      const dependent = this.find(key);
      if (dependent) found.push(dependent);
    }
    return found;
  }

  /** The resource a reference names; undefined when no such kind is served. */
  resourceOf({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    const group = parseGroupVersion(apiVersion)?.group;
    return group === undefined ? undefined : this.#byKind.get(`${group}/${kind}`);
  }

  /** What became of an owner. One of a kind that is not served, or that the object cannot have, counts as living. */
  async classify({ metadata }: ApiObject, reference: OwnerReference): Promise<Ownership> {
    const resource = this.resourceOf(reference);
    if (!resource) return 'solid';
    const namespace = resource.namespaced ? (metadata.namespace ?? '') : '';
    if (resource.namespaced && namespace === '') return 'solid';
    const owner = await this.#find(resource, namespace, reference);
    if (owner?.metadata.uid !== reference.uid) return 'dangling';
    return awaits(owner, FOREGROUND) ? 'waiting' : 'solid';
  }

  /** Whether the owner is there, in a namespace that is not the object's. */
  isForeign({ metadata }: ApiObject, reference: OwnerReference): boolean {
    const resource = this.resourceOf(reference);
    if (!resource?.namespaced) return false;
    for (const { metadata: owner } of this.lister(resource).byIndex(uids, reference.uid))
      if (owner.name === reference.name && owner.namespace !== metadata.namespace) return true;
    return false;
  }

  /** Memory may lag behind the storage: that an owner is gone is asked for anew. */
  async #find(
    resource: ServedResource,
    namespace: string,
    { name, uid }: OwnerReference,
  ): Promise<ApiObject | undefined> {
    const seen = this.lister(resource).get(namespace, name);
    if (seen?.metadata.uid === uid) return seen;
    try {
      return await this.#client.get(resource.definition, name, resource.namespaced ? { namespace } : {});
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
