import type { AdmissionPlugin } from '../admission/admission-plugin.js';
import type { Dialect } from '../meta/dialect.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Storage } from '../store/storage.js';
import { compareVersions } from '../values/version-order.js';
import { convertBetween } from './ownership.js';
import type { ResourceDefinition } from './resource-definition.js';
import { ResourceStore } from './resource-store.js';
import { type ServedResource, serveResource } from './served-resource.js';

/** All resources of one server, by group, version and plural name. */
export class ResourceRegistry {
  readonly dialect: Dialect;
  /** Groups and, in each, versions: the preferred first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly #stores: ReadonlyMap<string, ResourceStore>;
  readonly #byGroupVersion: ReadonlyMap<string, readonly ResourceStore[]>;

  /** @throws TypeError when two definitions claim the same names. */
  constructor(
    definitions: readonly ResourceDefinition[],
    dialect: Dialect,
    storage: Storage<ApiObject>,
    admission: readonly AdmissionPlugin[],
  ) {
    this.dialect = dialect;
    const stores = new Map<string, ResourceStore>();
    const byGroupVersion = new Map<string, ResourceStore[]>();
    const groups = new Map<string, string[]>();
    for (const served of serveAll(definitions, dialect)) {
      const { group, version, resource } = served.gvr;
      const key = `${group}/${version}/${resource}`;
      if (stores.has(key)) throw new TypeError(`two definitions of ${resource} in ${served.apiVersion}`);
      const store = new ResourceStore(served, storage, admission);
      stores.set(key, store);
      const peers = byGroupVersion.get(`${group}/${version}`) ?? [];
      if (peers.some((peer) => peer.resource.gvk.kind === served.gvk.kind))
        throw new TypeError(`two definitions of kind ${served.gvk.kind} in ${served.apiVersion}`);
      byGroupVersion.set(`${group}/${version}`, [...peers, store]);
      const versions = groups.get(group) ?? [];
      if (!versions.includes(version)) groups.set(group, [...versions, version].sort(compareVersions));
    }
    for (const peers of byGroupVersion.values())
      peers.sort((a, b) => (a.resource.gvr.resource < b.resource.gvr.resource ? -1 : 1));
    this.groups = groups;
    this.#stores = stores;
    this.#byGroupVersion = byGroupVersion;
  }

  find(group: string, version: string, resource: string): ResourceStore | undefined {
    return this.#stores.get(`${group}/${version}/${resource}`);
  }

  /** The resources of a group version, by name; [] when it is not served. */
  resourcesOf(group: string, version: string): readonly ResourceStore[] {
    return this.#byGroupVersion.get(`${group}/${version}`) ?? [];
  }

  /** The resource of a kind. */
  findKind(group: string, version: string, kind: string): ResourceStore | undefined {
    return this.resourcesOf(group, version).find((store) => store.resource.gvk.kind === kind);
  }

  /** Resources whose objects are stored, each storage once: what listing everything means. */
  stored(): readonly ServedResource[] {
    return [...this.#stores.values()]
      .map((store) => store.resource)
      .filter(({ definition }) => !definition.virtual && !definition.storedAs);
  }
}

/** Names all definitions in a dialect; those that share a storage know of each other. */
function serveAll(definitions: readonly ResourceDefinition[], dialect: Dialect): readonly ServedResource[] {
  const all = definitions.map((definition) => serveResource(definition, dialect));
  return all.map((served) => {
    const versions = all.filter(({ keyPrefix, definition }) => keyPrefix === served.keyPrefix && !definition.virtual);
    return versions.length > 1 ? { ...served, convert: convertBetween(versions) } : served;
  });
}
