import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { Lister } from '../../meta/host.js';
import type { ApiObject, OwnerReference } from '../../meta/object-meta.js';
import type { RegistryChange } from '../../registry/resource-registry.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { withChanges } from '../../values/layered-map.js';
import { perObject } from '../../values/memoize.js';
import type { ControllerHost } from '../controller.js';

/** An object with its resource. */
export interface Owned {
  readonly resource: ServedResource;
  readonly object: ApiObject;
}

/** The state of the owner that a reference names (spec 7.7). */
export type Ownership =
  /** The owner exists. */
  | 'solid'
  /** The owner is in foreground deletion and waits for this object. */
  | 'waiting'
  /** The owner does not exist. */
  | 'dangling'
  /** It cannot be decided whether the owner exists. The object is then not deleted, even if it has no other owner. */
  | 'undecided';

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** The kind that the garbage collector ignores: an event describes another object and neither owns objects nor is owned. */
const IGNORED = 'Event';

/** Returns whether an object is being deleted and still has the given finalizer. */
export function isWaitingFor({ metadata }: ApiObject, finalizer: typeof ORPHAN | typeof FOREGROUND): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}

/** Returns the key of an object: `group/resource/namespace/name`. */
export function keyOf({ resource, object }: Owned): string {
  const { group, resource: plural } = resource.gvr;
  return [group, plural, object.metadata.namespace ?? '', object.metadata.name ?? ''].join('/');
}

const uids = ({ metadata }: ApiObject): readonly string[] => [metadata.uid ?? ''];

const groupResourceOf = ({ gvr }: ServedResource): string => `${gvr.group}/${gvr.resource}`;

/** The kinds whose objects can have owners and dependents, by `group/resource`. */
type OwningKinds = ReadonlyMap<string, ServedResource>;

function kindsAfter(
  before: OwningKinds,
  removed: readonly ServedResource[],
  added: readonly ServedResource[],
): OwningKinds {
  const owning = added.filter(({ gvk, verbs }) => gvk.kind !== IGNORED && verbs.has('delete') && verbs.has('patch'));
  return withChanges(before, [
    ...removed.map((resource) => [groupResourceOf(resource), undefined] as const),
    ...owning.map((resource) => [groupResourceOf(resource), resource] as const),
  ]);
}

const owningKinds = (served: readonly ServedResource[]): OwningKinds => kindsAfter(new Map(), [], served);

/**
 * Returns the {@link OwningKinds} of a frozen list of resources. Servers with the same kinds share the list, so they share the cached
 * result, too.
 */
const sharedKinds = perObject(owningKinds);

/**
 * Returns whether none of the changed kinds shares its stored objects with another version or kind. Then the objects of a removed kind are
 * not served under another resource.
 */
const areAlone = (changed: readonly ServedResource[]): boolean =>
  changed.every(
    ({ peers, definition }) => peers === undefined && !definition.virtual && definition.storedAs === undefined,
  );

/** An owner that was deleted. It does not refer to the kind, so that the definition of a removed kind can be freed. */
interface DeletedOwner {
  /** The kind in all versions that were served. */
  readonly types: readonly string[];
  readonly name: string;
  /** Undefined for a cluster-scoped owner. */
  readonly namespace: string | undefined;
}

const typeText = (apiVersion: string, kind: string): string => `${apiVersion}/${kind}`;

/** The members of the server that an {@link OwnerGraph} uses. */
type GraphHost = Pick<ControllerHost, 'lister' | 'kinds'>;

/** Records which objects name which owners, across all kinds. It holds only keys; the objects themselves are read from the listers. */
export class OwnerGraph {
  readonly #host: GraphHost;
  readonly #client: Client;
  /** Keys of dependents by the uid of an owner. */
  readonly #dependents = new Map<string, Set<string>>();
  /** The deleted owners that still have dependents, by uid. */
  readonly #deleted = new Map<string, DeletedOwner>();
  /** The keys of the owners in foreground deletion, by uid. A dependent holds such an owner by uid alone, even if it misnames the owner. */
  readonly #waiting = new Map<string, string>();
  #kinds: OwningKinds;

  constructor(host: GraphHost, client: Client) {
    this.#host = host;
    this.#client = client;
    const served = host.kinds.current.stored();
    this.#kinds = Object.isFrozen(served) ? sharedKinds(served) : owningKinds(served);
  }

  /**
   * Updates the kinds. Must be called when kinds are added or removed. Returns the `group/resource` of the kinds that may have changed.
   * These are only the kinds in `change` if none of them shares its stored objects with another kind; otherwise they are all kinds, of
   * which a server may have very many.
   */
  kindsChanged({ current, installed, uninstalled }: RegistryChange): Iterable<string> {
    const before = this.#kinds;
    const removed = uninstalled.map(({ resource }) => resource);
    const added = installed.map(({ resource }) => resource);
    const changed = [...removed, ...added];
    if (areAlone(changed)) {
      this.#kinds = kindsAfter(before, removed, added);
      return new Set(changed.map(groupResourceOf));
    }
    this.#kinds = owningKinds(current.stored());
    return new Set([...before.keys(), ...this.#kinds.keys()]);
  }

  /** Updates the graph. Must be called for every change of an object. */
  objectChanged(resource: ServedResource, next: ApiObject | undefined, previous: ApiObject | undefined): void {
    if (previous && isWaitingFor(previous, FOREGROUND)) this.#waiting.delete(previous.metadata.uid ?? '');
    if (next && isWaitingFor(next, FOREGROUND))
      this.#waiting.set(next.metadata.uid ?? '', keyOf({ resource, object: next }));
    const before = previous?.metadata.ownerReferences;
    const after = next?.metadata.ownerReferences;
    if (before === after) return;
    for (const { uid } of before ?? []) {
      const keys = this.#dependents.get(uid);
      if (previous) keys?.delete(keyOf({ resource, object: previous }));
      if (keys?.size !== 0) continue;
      this.#dependents.delete(uid);
      this.#deleted.delete(uid);
    }
    for (const { uid } of after ?? []) {
      let keys = this.#dependents.get(uid);
      if (keys === undefined) this.#dependents.set(uid, (keys = new Set()));
      if (next) keys.add(keyOf({ resource, object: next }));
    }
  }

  /** Returns the key of the owner with this uid if it is in foreground deletion. */
  waitingOwner(uid: string): string | undefined {
    return this.#waiting.get(uid);
  }

  /** Returns whether a resource is served at present, in any version. */
  serves({ gvr }: ServedResource): boolean {
    return this.#host.kinds.current.preferred(gvr.group, gvr.resource) !== undefined;
  }

  /** Remembers a deleted owner. Its dependents are checked later, when its kind may no longer be served. */
  ownerDeleted(resource: ServedResource, { metadata }: ApiObject): void {
    const { uid = '', name = '', namespace } = metadata;
    if (!this.#dependents.has(uid)) return;
    const types = (resource.peers ?? [resource]).map(({ apiVersion, gvk }) => typeText(apiVersion, gvk.kind));
    this.#deleted.set(uid, { types, name, namespace });
  }

  /** Whether any object names an owner. */
  get hasDependents(): boolean {
    return this.#dependents.size > 0;
  }

  /**
   * Yields the keys of all objects that name an owner, even an owner of a kind that is not served. An object appears once for each of its
   * owners.
   */
  *dependents(): Iterable<string> {
    for (const keys of this.#dependents.values()) yield* keys;
  }

  /** Returns all kinds whose objects can have owners and dependents, by `group/resource`. */
  resources(): ReadonlyMap<string, ServedResource> {
    return this.#kinds;
  }

  lister({ gvr }: ServedResource): Lister {
    return this.#host.lister(gvr.group, gvr.resource);
  }

  /** Returns the current object of a key. */
  find(key: string): Owned | undefined {
    const [group, resourceName, namespace = '', name = ''] = key.split('/');
    const resource = this.#kinds.get(`${group}/${resourceName}`);
    const object = resource && this.lister(resource).get(namespace, name);
    return object && { resource, object };
  }

  /** Returns all objects that name an owner with this uid. */
  dependentsOf(uid: string): readonly Owned[] {
    const found: Owned[] = [];
    for (const key of this.#dependents.get(uid) ?? []) {
      const dependent = this.find(key);
      if (dependent) found.push(dependent);
    }
    return found;
  }

  /**
   * Returns the resource that an owner reference names; undefined when no such kind is served in the version of the reference. As in
   * upstream, the name of the kind may be all in lower case.
   */
  resourceOf({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    const parsed = parseGroupVersion(apiVersion);
    return parsed && this.#host.kinds.current.mapKind(parsed.group, parsed.version, kind)?.resource;
  }

  /**
   * Returns the state of an owner. It is undecided in two cases: the owner's kind is not served and the owner was not seen to be deleted,
   * or the object is cluster-scoped and the owner's kind is namespaced.
   */
  async classify({ metadata }: ApiObject, reference: OwnerReference): Promise<Ownership> {
    const resource = this.resourceOf(reference);
    if (!resource) return this.#wasDeleted(metadata, reference) ? 'dangling' : 'undecided';
    const namespace = resource.namespaced ? (metadata.namespace ?? '') : '';
    if (resource.namespaced && namespace === '') return 'undecided';
    const owner = await this.#find(resource, namespace, reference);
    if (owner?.metadata.uid !== reference.uid) return 'dangling';
    return isWaitingFor(owner, FOREGROUND) ? 'waiting' : 'solid';
  }

  #wasDeleted({ namespace }: ApiObject['metadata'], { apiVersion, kind, name, uid }: OwnerReference): boolean {
    const owner = this.#deleted.get(uid);
    if (owner?.name !== name || !owner.types.includes(typeText(apiVersion, kind))) return false;
    return owner.namespace === undefined || owner.namespace === namespace;
  }

  /** Returns whether the owner exists, but in a namespace other than the object's. */
  isForeign({ metadata }: ApiObject, reference: OwnerReference): boolean {
    const resource = this.resourceOf(reference);
    if (!resource?.namespaced) return false;
    for (const { metadata: owner } of this.lister(resource).byIndex(uids, reference.uid))
      if (owner.name === reference.name && owner.namespace !== metadata.namespace) return true;
    return false;
  }

  /**
   * Returns the owner. A lister may lag behind the storage, so an owner that is absent from its lister is requested from the server. Objects
   * of kinds that are only created, such as reviews, do not exist afterwards.
   */
  async #find(
    resource: ServedResource,
    namespace: string,
    { name, uid }: OwnerReference,
  ): Promise<ApiObject | undefined> {
    if (!resource.verbs.has('get')) return undefined;
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
