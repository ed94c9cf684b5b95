import { type Dialect, ofDialect } from '../../meta/dialect.js';
import { withChanges } from '../../values/layered-map.js';
import { compareVersions } from '../../values/versions.js';
import type { ResourceDefinition } from '../resource-definition.js';
import type { ResourceStore } from '../resource-store.js';
import { conversionBetween } from '../writes/ownership.js';
import {
  type GroupVersionLayout,
  GroupVersionResources,
  layOut,
  type RegistryContents,
  type RegistryLayout,
} from './registry-snapshot.js';
import { type ServedResource, serveResource } from './served-resource.js';

/** The definitions to install and to uninstall, and those whose discovery documents are outdated. */
export interface DefinitionChange {
  readonly install?: readonly ResourceDefinition[];
  readonly uninstall?: readonly ResourceDefinition[];
  /** Installed definitions whose discovery documents have changed. Their stores stay. */
  readonly relist?: readonly ResourceDefinition[];
}

/** The result of a {@link DefinitionChange}. */
export interface ChangedContents extends RegistryContents {
  readonly installed: readonly ResourceStore[];
  readonly uninstalled: readonly ResourceStore[];
}

type MakeStore = (resource: ServedResource, before: ResourceStore | undefined) => ResourceStore;

const EMPTY: RegistryLayout = {
  resources: new Map(),
  storages: new Map(),
  groups: new Map(),
  groupVersions: new Map(),
};
const NOTHING: Pick<RegistryContents, 'stores' | 'groupVersions'> = {
  stores: new Map(),
  groupVersions: new Map(),
};

/** The first {@link RegistryLayout} of the servers in this process, by their list of definitions. Servers with the same list share it. */
const layoutsOf = ofDialect(() => new WeakMap<readonly ResourceDefinition[], RegistryLayout>());

/**
 * Returns the contents of a server that starts with these definitions.
 * @param definitions if the list is frozen, its {@link RegistryLayout} is computed only once, and all servers that start with the list
 * share it.
 * @throws TypeError when two definitions claim the same names.
 */
export function firstContents(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
  makeStore: MakeStore,
): RegistryContents {
  const layouts = layoutsOf(dialect);
  let layout = layouts.get(definitions);
  if (!layout) {
    ({ layout } = nextLayout(EMPTY, dialect, { install: refuseRepeated(definitions) }));
    if (Object.isFrozen(definitions)) layouts.set(definitions, layout);
  }
  return contentsOf(layout, NOTHING, { gone: [], come: new Set(layout.resources.keys()) }, makeStore);
}

/** Refuses a definition that is given twice at the start, because that is a mistake in the program. */
function refuseRepeated(definitions: readonly ResourceDefinition[]): readonly ResourceDefinition[] {
  const repeated = definitions.find((definition, i) => definitions.indexOf(definition) !== i);
  if (repeated) throw new TypeError(`two definitions of ${repeated.plural} in version ${repeated.version}`);
  return definitions;
}

/**
 * Returns the contents of a registry after a change. Stores, group versions and conversions that the change does not affect are shared with
 * the previous contents.
 * @throws TypeError when two definitions claim the same names, or a definition to uninstall is not installed.
 */
export function nextContents(
  before: RegistryContents,
  dialect: Dialect,
  change: DefinitionChange,
  makeStore: MakeStore,
): ChangedContents {
  const { layout, added, taken, converted } = nextLayout(before.layout, dialect, change);
  const relisted = (change.relist ?? []).map((definition) => keyOf(serveResource(definition, dialect)));
  const come = new Set([...added, ...converted]);
  const contents = contentsOf(layout, before, { gone: taken, come, relisted }, makeStore);
  return {
    ...contents,
    installed: added.flatMap((key) => contents.stores.get(key) ?? []),
    uninstalled: taken.flatMap((key) => before.stores.get(key) ?? []),
  };
}

/**
 * The keys of the resources whose stores are dropped (`gone`), of those that get a new store (`come`), and of those whose group version is
 * replaced although their stores stay (`relisted`).
 */
interface ChangedStores {
  readonly gone: readonly string[];
  readonly come: ReadonlySet<string>;
  readonly relisted?: readonly string[];
}

/** Creates the changed stores and group versions. All others are taken from `before`. */
function contentsOf(
  layout: RegistryLayout,
  before: Pick<RegistryContents, 'stores' | 'groupVersions'>,
  { gone, come, relisted = [] }: ChangedStores,
  makeStore: MakeStore,
): RegistryContents {
  const changed = new Map<string, ResourceStore | undefined>(gone.map((key) => [key, undefined]));
  for (const key of come) {
    const resource = layout.resources.get(key);
    // A new store takes over the watches and allocations of the store that it replaces.
    const replaced = changed.has(key) ? undefined : before.stores.get(key);
    if (resource !== undefined) changed.set(key, makeStore(resource, replaced));
  }
  const stores = withChanges(before.stores, changed);
  const groupVersions = new Map<string, GroupVersionResources | undefined>();
  for (const resource of [...gone, ...come, ...relisted]) {
    const key = groupVersionOf(resource);
    if (groupVersions.has(key)) continue;
    const groupVersion = layout.groupVersions.get(key);
    groupVersions.set(key, groupVersion && new GroupVersionResources(groupVersion, stores));
  }
  return { layout, stores, groupVersions: withChanges(before.groupVersions, groupVersions) };
}

/** Returns the `group/version` of a key. */
const groupVersionOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

interface ChangedLayout {
  readonly layout: RegistryLayout;
  /** The keys of the resources that are installed. */
  readonly added: readonly string[];
  /** The keys of the resources that are uninstalled. */
  readonly taken: readonly string[];
  /** The keys of the resources whose objects are served in more or fewer other versions than before, so that their conversion changes. */
  readonly converted: readonly string[];
}

/** Returns the {@link RegistryLayout} after a change of the definitions. */
function nextLayout(
  before: RegistryLayout,
  dialect: Dialect,
  { install = [], uninstall = [] }: DefinitionChange,
): ChangedLayout {
  const taken = new Map(
    uninstall.map((definition) => findInstalled(before.resources, serveResource(definition, dialect))),
  );
  const added = new Map<string, ServedResource>();
  for (const definition of install) {
    const resource = serveResource(definition, dialect);
    const key = keyOf(resource);
    const known = added.get(key) ?? (taken.has(key) ? undefined : before.resources.get(key));
    if (known?.definition === resource.definition) continue;
    if (known) throw new TypeError(`two definitions of ${resource.gvr.resource} in ${resource.apiVersion}`);
    added.set(key, resource);
  }
  const changed = [...taken.values(), ...added.values()];
  const storages = new Map<string, readonly ServedResource[] | undefined>();
  const converted: ServedResource[] = [];
  for (const [keyPrefix, sharing] of sharingAfter(before, taken, added)) {
    if (sharing.length > 1 || sharing[0]?.peers) {
      const linked = linkPeers(sharing);
      storages.set(keyPrefix, linked);
      converted.push(...linked);
    } else storages.set(keyPrefix, sharing.length > 0 ? sharing : undefined);
  }
  const resources = withChanges(before.resources, [
    ...[...taken.keys()].map((key) => [key, undefined] as const),
    ...added,
    ...converted.map((resource) => [keyOf(resource), resource] as const),
  ]);
  return {
    layout: {
      resources,
      storages: withChanges(before.storages, storages),
      ...rebuildGroups(before, resources, [...changed, ...converted]),
    },
    added: [...added.keys()],
    taken: [...taken.keys()],
    converted: converted.map(keyOf),
  };
}

const keyOf = ({ gvr }: ServedResource): string => `${gvr.group}/${gvr.version}/${gvr.resource}`;

/** Returns an installed resource with its key. @throws TypeError when the resource is not installed. */
function findInstalled(
  resources: ReadonlyMap<string, ServedResource>,
  resource: ServedResource,
): readonly [string, ServedResource] {
  const key = keyOf(resource);
  const installed = resources.get(key);
  if (installed?.definition !== resource.definition)
    throw new TypeError(`this definition of ${resource.gvr.resource} in ${resource.apiVersion} is not installed`);
  return [key, installed];
}

/** Returns the resources under each key prefix that the change affects. */
function sharingAfter(
  { storages }: RegistryLayout,
  taken: ReadonlyMap<string, ServedResource>,
  added: ReadonlyMap<string, ServedResource>,
): ReadonlyMap<string, readonly ServedResource[]> {
  const sharing = new Map<string, ServedResource[]>();
  for (const { keyPrefix } of [...taken.values(), ...added.values()])
    if (!sharing.has(keyPrefix))
      sharing.set(
        keyPrefix,
        (storages.get(keyPrefix) ?? []).filter((resource) => !taken.has(keyOf(resource))),
      );
  for (const resource of added.values())
    if (!resource.definition.virtual) sharing.get(resource.keyPrefix)?.push(resource);
  return sharing;
}

/** Returns copies of the resources that serve the same stored objects, with links to each other. A single resource has no links. */
function linkPeers(resources: readonly ServedResource[]): readonly ServedResource[] {
  const shared = resources.length > 1 ? { ...conversionBetween(resources), peers: resources } : {};
  return resources.map((resource) => {
    const { convert: _before, convertLater: _later, peers: _peers, ...alone } = resource;
    return { ...alone, ...shared };
  });
}

/** Rebuilds the groups and group versions that contain one of the changed resources. */
function rebuildGroups(
  before: RegistryLayout,
  resources: ReadonlyMap<string, ServedResource>,
  changed: readonly ServedResource[],
): Pick<RegistryLayout, 'groups' | 'groupVersions'> {
  const groups = new Map<string, readonly string[] | undefined>();
  const groupVersions = new Map<string, GroupVersionLayout | undefined>();
  const touched = new Map<string, ServedResource[]>();
  for (const resource of changed) {
    const key = groupVersionOf(keyOf(resource));
    const some = touched.get(key);
    if (some) some.push(resource);
    else touched.set(key, [resource]);
  }
  for (const [key, some] of touched) {
    const { group = '', version = '' } = some[0]?.gvr ?? {};
    const keys = new Set([...(before.groupVersions.get(key)?.keys ?? []), ...some.map(keyOf)]);
    const members = new Map<string, ServedResource>();
    for (const each of keys) {
      const resource = resources.get(each);
      if (resource) members.set(each, resource);
    }
    const served = members.size > 0;
    groupVersions.set(key, served ? layOut(group, version, members) : undefined);
    const known = (groups.has(group) ? groups.get(group) : before.groups.get(group)) ?? [];
    const others = known.filter((each) => each !== version);
    const versions = served ? [...others, version].sort(compareVersions) : others;
    groups.set(group, versions.length > 0 ? versions : undefined);
  }
  return {
    groups: withChanges(before.groups, groups),
    groupVersions: withChanges(before.groupVersions, groupVersions),
  };
}
