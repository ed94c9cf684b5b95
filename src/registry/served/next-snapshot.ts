import { compareVersions } from '../../values/versions.js';
import type { ResourceDefinition } from '../resource-definition.js';
import type { ResourceStore } from '../resource-store.js';
import { conversionBetween } from '../writes/ownership.js';
import { GroupVersionResources, type RegistryContents } from './registry-snapshot.js';
import { type ServedResource, serveResource } from './served-resource.js';

/** The definitions to install and to uninstall. */
export interface DefinitionChange {
  readonly install?: readonly ResourceDefinition[];
  readonly uninstall?: readonly ResourceDefinition[];
}

/** The result of a {@link DefinitionChange}. */
export interface ChangedContents extends RegistryContents {
  readonly installed: readonly ResourceStore[];
  readonly uninstalled: readonly ResourceStore[];
}

type MakeStore = (resource: ServedResource, before: ResourceStore | undefined) => ResourceStore;

/**
 * Returns the contents of a registry after a change. Stores, group versions and conversions that the change does not affect are shared with
 * the contents before.
 * @throws TypeError when two definitions claim the same names, or a definition to uninstall is not installed.
 */
export function nextContents(
  before: RegistryContents,
  served: (definition: ResourceDefinition) => ServedResource,
  { install = [], uninstall = [] }: DefinitionChange,
  makeStore: MakeStore,
): ChangedContents {
  const stores = new Map(before.stores);
  const uninstalled = uninstall.map((definition) => take(stores, served(definition)));
  const added = new Map<string, ServedResource>();
  for (const definition of install) {
    const resource = served(definition);
    const key = keyOf(resource);
    const known = stores.get(key)?.resource ?? added.get(key);
    if (known?.definition === resource.definition) continue;
    if (known) throw new TypeError(`two definitions of ${resource.gvr.resource} in ${resource.apiVersion}`);
    added.set(key, resource);
  }
  for (const [key, resource] of added) stores.set(key, makeStore(resource, undefined));
  const changed = [...uninstalled.map((store) => store.resource), ...added.values()];
  const converted = shareStorages(stores, new Set(changed.map(({ keyPrefix }) => keyPrefix)), makeStore);
  return {
    stores,
    ...rebuildGroups(before, stores, [...changed, ...converted]),
    installed: [...added.keys()].flatMap((key) => stores.get(key) ?? []),
    uninstalled,
  };
}

const keyOf = ({ gvr }: ServedResource): string => `${gvr.group}/${gvr.version}/${gvr.resource}`;

function take(stores: Map<string, ResourceStore>, resource: ServedResource): ResourceStore {
  const key = keyOf(resource);
  const store = stores.get(key);
  if (store?.resource.definition !== resource.definition)
    throw new TypeError(`this definition of ${resource.gvr.resource} in ${resource.apiVersion} is not installed`);
  stores.delete(key);
  return store;
}

/** Links the definitions that share one of these storages as peers; returns the resources whose stores were remade for that. */
function shareStorages(
  stores: Map<string, ResourceStore>,
  prefixes: ReadonlySet<string>,
  makeStore: MakeStore,
): readonly ServedResource[] {
  const sharing = new Map<string, ResourceStore[]>();
  for (const store of stores.values()) {
    const { keyPrefix, definition } = store.resource;
    if (!prefixes.has(keyPrefix) || definition.virtual) continue;
    const peers = sharing.get(keyPrefix);
    if (peers) peers.push(store);
    else sharing.set(keyPrefix, [store]);
  }
  const remade: ServedResource[] = [];
  for (const peers of sharing.values()) {
    if (peers.length === 1 && peers[0]?.resource.peers === undefined) continue;
    const versions = peers.map((store) => store.resource);
    const shared = peers.length > 1 ? { ...conversionBetween(versions), peers: versions } : {};
    for (const store of peers) {
      const { convert: _before, convertLater: _later, peers: _peers, ...alone } = store.resource;
      const resource = { ...alone, ...shared };
      stores.set(keyOf(resource), makeStore(resource, store));
      remade.push(resource);
    }
  }
  return remade;
}

/** Rebuilds the groups and group versions that contain one of the changed resources. */
function rebuildGroups(
  before: RegistryContents,
  stores: ReadonlyMap<string, ResourceStore>,
  changed: readonly ServedResource[],
): Pick<RegistryContents, 'groups' | 'groupVersions'> {
  const groups = new Map(before.groups);
  const groupVersions = new Map(before.groupVersions);
  const touched = new Map<string, ServedResource[]>();
  for (const resource of changed) {
    const key = `${resource.gvr.group}/${resource.gvr.version}`;
    const some = touched.get(key);
    if (some) some.push(resource);
    else touched.set(key, [resource]);
  }
  for (const [key, some] of touched) {
    const { group = '', version = '' } = some[0]?.gvr ?? {};
    const old = before.groupVersions.get(key)?.stores.map((store) => keyOf(store.resource)) ?? [];
    const keys = new Set([...old, ...some.map(keyOf)]);
    const members = [...keys].flatMap((each) => stores.get(each) ?? []);
    const others = (groups.get(group) ?? []).filter((each) => each !== version);
    if (members.length > 0) {
      groupVersions.set(key, new GroupVersionResources(group, version, members));
      groups.set(group, [...others, version].sort(compareVersions));
      continue;
    }
    groupVersions.delete(key);
    if (others.length > 0) groups.set(group, others);
    else groups.delete(group);
  }
  return { groups, groupVersions };
}

/** Returns a function that makes the served resource of a definition in a dialect. */
export const servedIn =
  (dialect: ServedResource['dialect']) =>
  (definition: ResourceDefinition): ServedResource =>
    serveResource(definition, dialect);
