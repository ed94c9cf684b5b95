import type { Dialect } from '../../meta/dialect.js';
import type { ResourceStore } from '../resource-store.js';
import type { ServedResource } from './served-resource.js';

/**
 * The resources of one group version. While they stay the same, so does this object, from snapshot to snapshot:
 * documents about a group version are kept by it.
 */
export class GroupVersionResources {
  readonly group: string;
  readonly version: string;
  /** By plural name. */
  readonly stores: readonly ResourceStore[];
  /** Whether the dialect names its group, as it does for the kinds of this package. */
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

/** What a {@link RegistrySnapshot} is made of. */
export interface RegistryContents {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** By `group/version/plural`, in the order of installation. */
  readonly stores: ReadonlyMap<string, ResourceStore>;
  /** By `group/version`. */
  readonly groupVersions: ReadonlyMap<string, GroupVersionResources>;
}

/**
 * All resources of one server between two changes of its registry, by group, version and plural name. It never changes: a
 * request takes one when it opens, so that what was authorized is what runs.
 */
export class RegistrySnapshot {
  readonly dialect: Dialect;
  /** Counts the changes since the server was made. */
  readonly revision: number;
  /** Groups and, in each, versions: the preferred first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** What the next snapshot is made from. */
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
   * A resource in the most preferred version that serves it. Built-in kinds come before users' kinds of the same names in other
   * versions: who may define kinds does not decide what plug-ins read.
   */
  preferred(group: string, resource: string): ServedResource | undefined {
    const found = (this.groups.get(group) ?? []).flatMap((version) => this.find(group, version, resource) ?? []);
    return (found.find((store) => store.resource.definition.groupStem !== undefined) ?? found[0])?.resource;
  }

  /** The resource of a kind. */
  findKind(group: string, version: string, kind: string): ResourceStore | undefined {
    return this.groupVersion(group, version)?.findKind(kind);
  }

  /** Whether a kind is known, served or not: in the versions its definition names, too. */
  knowsKind(group: string, version: string, kind: string): boolean {
    if (this.findKind(group, version, kind)) return true;
    return (this.contents.groups.get(group) ?? []).some(
      (served) => this.findKind(group, served, kind)?.resource.definition.knownVersions?.includes(version) === true,
    );
  }

  /** Whether a group, in any of its versions, is one of the dialect's. */
  isBuiltIn(group: string): boolean {
    return (this.groups.get(group) ?? []).some((version) => this.groupVersion(group, version)?.builtIn === true);
  }

  /** A group version with its resources; undefined when it is not served. */
  groupVersion(group: string, version: string): GroupVersionResources | undefined {
    return this.contents.groupVersions.get(`${group}/${version}`);
  }

  /** The resources of a group version, by name; [] when it is not served. */
  resourcesOf(group: string, version: string): readonly ResourceStore[] {
    return this.groupVersion(group, version)?.stores ?? [];
  }

  /** Resources whose objects are stored, each storage once: what listing everything means. */
  stored(): readonly ServedResource[] {
    if (!this.#stored) {
      const storages = new Map<string, ServedResource>();
      for (const { resource } of this.contents.stores.values()) {
        if (resource.definition.virtual) continue;
        // The version objects are stored in may be switched off.
        if (!storages.has(resource.keyPrefix) || !resource.definition.storedAs)
          storages.set(resource.keyPrefix, resource);
      }
      this.#stored = [...storages.values()];
    }
    return this.#stored;
  }
}
