import { type Dialect, ofDialect } from '../../meta/dialect.js';
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

const EMPTY: RegistryLayout = { resources: new Map(), groups: new Map(), groupVersions: new Map() };
const NOTHING: Pick<RegistryContents, 'stores' | 'groupVersions'> = { stores: new Map(), groupVersions: new Map() };

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
  const stores = new Map(before.stores);
  for (const key of gone) stores.delete(key);
  for (const key of come) {
    const resource = layout.resources.get(key);
    // A new store takes over the watches and allocations of the store that it replaces.
    if (resource !== undefined) stores.set(key, makeStore(resource, stores.get(key)));
  }
  const groupVersions = new Map(before.groupVersions);
  for (const key of new Set([...gone, ...come, ...relisted].map(groupVersionOf))) {
    const groupVersion = layout.groupVersions.get(key);
    if (groupVersion === undefined) groupVersions.delete(key);
    else groupVersions.set(key, new GroupVersionResources(groupVersion, stores));
  }
  return { layout, stores, groupVersions };
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
  const resources = new Map(before.resources);
  const gone = uninstall.map((definition) => take(resources, serveResource(definition, dialect)));
  const added = new Map<string, ServedResource>();
  for (const definition of install) {
    const resource = serveResource(definition, dialect);
    const key = keyOf(resource);
    const known = resources.get(key) ?? added.get(key);
    if (known?.definition === resource.definition) continue;
    if (known) throw new TypeError(`two definitions of ${resource.gvr.resource} in ${resource.apiVersion}`);
    added.set(key, resource);
  }
  for (const [key, resource] of added) resources.set(key, resource);
  const changed = [...gone, ...added.values()];
  const converted = shareStorages(resources, new Set(changed.map(({ keyPrefix }) => keyPrefix)));
  return {
    layout: { resources, ...rebuildGroups(before, resources, [...changed, ...converted]) },
    added: [...added.keys()],
    taken: gone.map(keyOf),
    converted: converted.map(keyOf),
  };
}

const keyOf = ({ gvr }: ServedResource): string => `${gvr.group}/${gvr.version}/${gvr.resource}`;

function take(resources: Map<string, ServedResource>, resource: ServedResource): ServedResource {
  const key = keyOf(resource);
  const installed = resources.get(key);
  if (installed?.definition !== resource.definition)
    throw new TypeError(`this definition of ${resource.gvr.resource} in ${resource.apiVersion} is not installed`);
  resources.delete(key);
  return installed;
}

/** Links the resources whose objects have the same key prefix as `peers`. Returns the linked resources, which are new objects. */
function shareStorages(
  resources: Map<string, ServedResource>,
  prefixes: ReadonlySet<string>,
): readonly ServedResource[] {
  const sharing = new Map<string, ServedResource[]>();
  for (const resource of resources.values()) {
    const { keyPrefix, definition } = resource;
    if (!prefixes.has(keyPrefix) || definition.virtual) continue;
    const peers = sharing.get(keyPrefix);
    if (peers) peers.push(resource);
    else sharing.set(keyPrefix, [resource]);
  }
  const remade: ServedResource[] = [];
  for (const versions of sharing.values()) {
    if (versions.length === 1 && versions[0]?.peers === undefined) continue;
    const shared = versions.length > 1 ? { ...conversionBetween(versions), peers: versions } : {};
    for (const version of versions) {
      const { convert: _before, convertLater: _later, peers: _peers, ...alone } = version;
      const resource = { ...alone, ...shared };
      resources.set(keyOf(resource), resource);
      remade.push(resource);
    }
  }
  return remade;
}

/** Rebuilds the groups and group versions that contain one of the changed resources. */
function rebuildGroups(
  before: RegistryLayout,
  resources: ReadonlyMap<string, ServedResource>,
  changed: readonly ServedResource[],
): Pick<RegistryLayout, 'groups' | 'groupVersions'> {
  const groups = new Map(before.groups);
  const groupVersions = new Map<string, GroupVersionLayout>(before.groupVersions);
  const touched = new Map<string, ServedResource[]>();
  for (const resource of changed) {
    const key = `${resource.gvr.group}/${resource.gvr.version}`;
    const some = touched.get(key);
    if (some) some.push(resource);
    else touched.set(key, [resource]);
  }
  for (const [key, some] of touched) {
    const { group = '', version = '' } = some[0]?.gvr ?? {};
    const keys = new Set([...(before.groupVersions.get(key)?.keys ?? []), ...some.map(keyOf)]);
    const members = [...keys].flatMap((each) => resources.get(each) ?? []);
    const others = (groups.get(group) ?? []).filter((each) => each !== version);
    if (members.length > 0) {
      groupVersions.set(key, layOut(group, version, new Map(members.map((each) => [keyOf(each), each]))));
      groups.set(group, [...others, version].sort(compareVersions));
      continue;
    }
    groupVersions.delete(key);
    if (others.length > 0) groups.set(group, others);
    else groups.delete(group);
  }
  return { groups, groupVersions };
}
