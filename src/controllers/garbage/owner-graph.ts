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

const ownerUids = ({ metadata }: ApiObject): readonly string[] =>
  (metadata.ownerReferences ?? []).map(({ uid }) => uid);

/** Whether an object is on its way out, and held by one of the collector's finalizers. */
export function awaits({ metadata }: ApiObject, finalizer: typeof ORPHAN | typeof FOREGROUND): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}

/** Who owns what: read from the server's memory by index, nothing of its own is kept. */
export class OwnerGraph {
  readonly #host: Host;
  readonly #client: Client;

  constructor(host: Host, client: Client) {
    this.#host = host;
    this.#client = client;
  }

  /** Every kind whose objects can own and be owned. */
  resources(): readonly ServedResource[] {
    return this.#client
      .resources()
      .filter(({ gvk, verbs }) => gvk.kind !== IGNORED && verbs.has('delete') && verbs.has('patch'));
  }

  lister({ gvr }: ServedResource): Lister {
    return this.#host.lister(gvr.group, gvr.resource);
  }

  /** All objects that name an owner of this uid. */
  dependentsOf(uid: string): readonly Owned[] {
    return this.resources().flatMap((resource) =>
      this.lister(resource)
        .byIndex(ownerUids, uid)
        .map((object) => ({ resource, object })),
    );
  }

  /** The resource a reference names; undefined when no such kind is served. */
  resourceOf({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    const group = parseGroupVersion(apiVersion)?.group;
    return this.#client.resources().find(({ gvk }) => gvk.kind === kind && gvk.group === group);
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
