import type { Dialect } from '../../meta/dialect.js';
import type { ResourceStore } from '../resource-store.js';
import type { ServedResource } from './served-resource.js';

/**
 * The resources of one group version. Snapshots share this object while its resources stay the same, so documents about the group version
 * are cached by its identity.
 */
export class GroupVersionResources {
  readonly group: string;
  readonly version: string;
  /** By plural name. */
  readonly stores: readonly ResourceStore[];
  /** Whether its group is named by a stem, as the groups of this package's kinds are. */
  readonly builtIn: boolean;
  readonly #byKind: ReadonlyMap<string, ResourceStore>;

  /** @throws TypeError when two definitions claim one kind. */
  constructor(group: string, version: string, stores: readonly ResourceStore[]) {
    this.group = group;
    this.version = version;
    this.stores = [...stores].sort((a, b) => (a.resource.gvr.resource < b.resource.gvr.resource ? -1 : 1));
    this.builtIn = stores.some(({ resource }) => resource.definition.groupStem !== undefined);
    const byKind = new Map<string, ResourceStore>();
    for (const store of this.stores) {
      const { gvk, apiVersion } = store.resource;
      if (byKind.has(gvk.kind)) throw new TypeError(`two definitions of kind ${gvk.kind} in ${apiVersion}`);
      byKind.set(gvk.kind, store);
    }
    this.#byKind = byKind;
  }

  findKind(kind: string): ResourceStore | undefined {
    return this.#byKind.get(kind);
  }
}

/** The contents of a {@link RegistrySnapshot}. */
export interface RegistryContents {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** By `group/version/plural`, in the order of installation. */
  readonly stores: ReadonlyMap<string, ResourceStore>;
  /** By `group/version`. */
  readonly groupVersions: ReadonlyMap<string, GroupVersionResources>;
}

/**
 * All resources of one server between two changes of its registry, by group, version and plural name. It never changes: a request keeps the
 * snapshot it began with, so that the resource that was authorized is the one that runs.
 */
export class RegistrySnapshot {
  readonly dialect: Dialect;
  /** The number of changes since the server was made. */
  readonly revision: number;
  /** Groups and the versions of each, the preferred version first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** The contents, from which the next snapshot is made. */
  readonly contents: RegistryContents;
  #stored: readonly ServedResource[] | undefined;

  constructor(dialect: Dialect, revision: number, contents: RegistryContents) {
    this.dialect = dialect;
    this.revision = revision;
    this.groups = contents.groups;
    this.contents = contents;
  }

  find(group: string, version: string, resource: string): ResourceStore | undefined {
    return this.contents.stores.get(`${group}/${version}/${resource}`);
  }

  /**
   * Returns a resource in the most preferred version that serves it. Built-in kinds come before users' kinds with the same names in other
   * versions, so that a user who may define kinds cannot change the objects that plug-ins read.
   */
  preferred(group: string, resource: string): ServedResource | undefined {
    const found = (this.groups.get(group) ?? []).flatMap((version) => this.find(group, version, resource) ?? []);
    return (found.find((store) => store.resource.definition.groupStem !== undefined) ?? found[0])?.resource;
  }

  /** The resource of a kind. */
  findKind(group: string, version: string, kind: string): ResourceStore | undefined {
    return this.groupVersion(group, version)?.findKind(kind);
  }

  /** Returns whether a kind is known: served, or one of the known versions of a served kind. */
  knowsKind(group: string, version: string, kind: string): boolean {
    if (this.findKind(group, version, kind)) return true;
    return (this.contents.groups.get(group) ?? []).some(
      (served) => this.findKind(group, served, kind)?.resource.definition.knownVersions?.includes(version) === true,
    );
  }

  /** Returns whether a group has built-in kinds in any of its versions. */
  isBuiltIn(group: string): boolean {
    return (this.groups.get(group) ?? []).some((version) => this.groupVersion(group, version)?.builtIn === true);
  }

  /** Returns a group version with its resources; undefined when it is not served. */
  groupVersion(group: string, version: string): GroupVersionResources | undefined {
    return this.contents.groupVersions.get(`${group}/${version}`);
  }

  /** Returns the resources of a group version in the order of their names; [] when it is not served. */
  resourcesOf(group: string, version: string): readonly ResourceStore[] {
    return this.groupVersion(group, version)?.stores ?? [];
  }

  /** Returns the resources whose objects are stored, each storage once, so that listing them all lists every object once. */
  stored(): readonly ServedResource[] {
    if (!this.#stored) {
      const storages = new Map<string, ServedResource>();
      for (const { resource } of this.contents.stores.values()) {
        if (resource.definition.virtual) continue;
        // A resource that stores as another kind is a fallback, because that other kind may be switched off.
        if (!storages.has(resource.keyPrefix) || !resource.definition.storedAs)
          storages.set(resource.keyPrefix, resource);
      }
      this.#stored = [...storages.values()];
    }
    return this.#stored;
  }
}
