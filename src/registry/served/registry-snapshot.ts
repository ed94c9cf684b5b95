import type { Dialect } from '../../meta/dialect.js';
import { perObject } from '../../values/memoize.js';
import type { ResourceStore } from '../resource-store.js';
import type { ServedResource } from './served-resource.js';

/**
 * The resources of one group version. Snapshots share this object while its resources stay the same, so documents about the group version
 * (discovery, OpenAPI) are cached by its identity.
 */
export class GroupVersionResources {
  readonly layout: GroupVersionLayout;
  readonly group: string;
  readonly version: string;
  /** The stores of the resources, sorted by plural name. */
  readonly stores: readonly ResourceStore[];
  /** Whether the group version has a built-in kind, that is, a kind whose definition has a `groupStem` instead of a `group`. */
  readonly builtIn: boolean;

  /** @param stores the stores of all resources of the server by key; only those of the group version are used. */
  constructor(layout: GroupVersionLayout, stores: ReadonlyMap<string, ResourceStore>) {
    this.layout = layout;
    this.group = layout.group;
    this.version = layout.version;
    this.builtIn = layout.builtIn;
    this.stores = layout.keys.flatMap((key) => stores.get(key) ?? []);
  }

  findKind(kind: string): ResourceStore | undefined {
    const place = this.layout.places.get(kind);
    return place === undefined ? undefined : this.stores[place];
  }
}

/**
 * The resources of a group version, without the stores of a particular server. The object never changes, so servers with the same resources
 * share it.
 */
export interface GroupVersionLayout {
  readonly group: string;
  readonly version: string;
  readonly builtIn: boolean;
  /** The keys of the resources, sorted by plural name. */
  readonly keys: readonly string[];
  /** For each kind, the index of its resource in `keys`. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * Returns the {@link GroupVersionLayout} of a group version. @param resources the resources of the group version by key.
 * @throws TypeError when two definitions claim one kind.
 */
export function layOut(
  group: string,
  version: string,
  resources: ReadonlyMap<string, ServedResource>,
): GroupVersionLayout {
  const keys: string[] = [];
  const places = new Map<string, number>();
  let builtIn = false;
  for (const [key, resource] of [...resources].sort(([, a], [, b]) => (a.gvr.resource < b.gvr.resource ? -1 : 1))) {
    const { definition, gvk, apiVersion } = resource;
    if (places.has(gvk.kind)) throw new TypeError(`two definitions of kind ${gvk.kind} in ${apiVersion}`);
    places.set(gvk.kind, keys.length);
    keys.push(key);
    builtIn ||= definition.groupStem !== undefined;
  }
  return { group, version, builtIn, keys, places };
}

/**
 * The resources of a registry, without the stores of a particular server. The object never changes, so servers with the same kinds share
 * it.
 */
export interface RegistryLayout {
  /** The resources by `group/version/plural`, in the order of installation. */
  readonly resources: ReadonlyMap<string, ServedResource>;
  /** The resources that serve the objects under a key prefix: the versions of a kind, and kinds that share its objects. */
  readonly storages: ReadonlyMap<string, readonly ServedResource[]>;
  /** Groups and the versions of each, the preferred version first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** The group versions by `group/version`. */
  readonly groupVersions: ReadonlyMap<string, GroupVersionLayout>;
}

/**
 * Returns one resource for each key prefix under which objects are stored, as a frozen list. A resource with `storedAs` is chosen only when
 * the kind as which it is stored is not served.
 */
const storedIn = perObject(({ storages }: RegistryLayout): readonly ServedResource[] =>
  Object.freeze(
    [...storages.values()].flatMap(
      (resources) => resources.findLast(({ definition }) => !definition.storedAs) ?? resources[0] ?? [],
    ),
  ),
);

/** The contents of a {@link RegistrySnapshot}. */
export interface RegistryContents {
  readonly layout: RegistryLayout;
  /** The stores of the resources by `group/version/plural`, in the order of installation. */
  readonly stores: ReadonlyMap<string, ResourceStore>;
  /** The group versions by `group/version`. */
  readonly groupVersions: ReadonlyMap<string, GroupVersionResources>;
}

/**
 * All resources of one server between two changes of its registry, by group, version and plural name. It never changes: a request keeps the
 * snapshot it began with, so that the resource that was authorized is the one that runs.
 */
export class RegistrySnapshot {
  readonly dialect: Dialect;
  /** The number of the snapshot: 1 for the definitions that the server starts with (0 if there are none), and 1 more after each change. */
  readonly revision: number;
  /** Groups and the versions of each, the preferred version first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** The data of this snapshot, from which the next snapshot is derived. */
  readonly contents: RegistryContents;

  constructor(dialect: Dialect, revision: number, contents: RegistryContents) {
    this.dialect = dialect;
    this.revision = revision;
    this.groups = contents.layout.groups;
    this.contents = contents;
  }

  find(group: string, version: string, resource: string): ResourceStore | undefined {
    return this.contents.stores.get(`${group}/${version}/${resource}`);
  }

  /**
   * Returns a resource in the most preferred version that serves it. A built-in kind takes precedence over a custom resource with the same
   * names in another version, so that a user who may create custom resource definitions cannot change which objects the plug-ins read.
   */
  preferred(group: string, resource: string): ServedResource | undefined {
    let first: ServedResource | undefined;
    for (const version of this.groups.get(group) ?? []) {
      const found = this.find(group, version, resource)?.resource;
      if (found?.definition.groupStem !== undefined) return found;
      first ??= found;
    }
    return first;
  }

  /** Returns the store of a kind; undefined when the kind is not served. */
  findKind(group: string, version: string, kind: string): ResourceStore | undefined {
    return this.groupVersion(group, version)?.findKind(kind);
  }

  /**
   * Returns the store of a kind, by the rules of client-go's REST mapper: the kind of its list (`PodList`) and the kind in lower case
   * (`pod`) find it, too. This must not be used for the kinds in request bodies, which have to match exactly.
   */
  mapKind(group: string, version: string, kind: string): ResourceStore | undefined {
    const served = this.groupVersion(group, version);
    return (
      served?.findKind(kind) ??
      served?.stores.find(({ resource: { gvk } }) => kind === gvk.kind.toLowerCase() || kind === `${gvk.kind}List`)
    );
  }

  /** Returns whether a kind is served, or is in `knownVersions` of a served kind. */
  knowsKind(group: string, version: string, kind: string): boolean {
    if (this.findKind(group, version, kind)) return true;
    return (this.groups.get(group) ?? []).some(
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

  /** Returns one resource for each key prefix under which objects are stored, so that listing these resources lists every object once. */
  stored(): readonly ServedResource[] {
    return storedIn(this.contents.layout);
  }
}
