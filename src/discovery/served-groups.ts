import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';

/** Versions by group, with the preferred version first. */
export type GroupVersions = ReadonlyMap<string, readonly string[]>;

/** The discovery data of a group version that another server serves. */
export interface RemoteVersion {
  /** The resources in the form of an aggregated document. */
  readonly resources: readonly object[];
  /** Whether the data are from the last request to that server. */
  readonly fresh: boolean;
}

/** Everything that discovery lists, in order. The object is replaced when anything in it changes. */
export interface ServedGroups {
  /** The groups in lists of groups. */
  readonly listed: GroupVersions;
  /** The groups in aggregated documents: all served groups, whether they are listed or not. */
  readonly aggregated: GroupVersions;
  /** The group versions of other servers, by `group/version`. */
  readonly remote: ReadonlyMap<string, RemoteVersion>;
}

const NONE: ServedGroups['remote'] = new Map();
const known = new WeakMap<RegistrySnapshot, ServedGroups>();

/** Returns the groups of a server that knows no other servers. */
export function ownGroups(registry: RegistrySnapshot): ServedGroups {
  let groups = known.get(registry);
  if (!groups) known.set(registry, (groups = { listed: registry.groups, aggregated: registry.groups, remote: NONE }));
  return groups;
}
