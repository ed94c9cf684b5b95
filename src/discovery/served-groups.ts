import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';

/** Versions by group, with the preferred version first. */
export type GroupVersions = ReadonlyMap<string, readonly string[]>;

/** The discovery data of a group version that an aggregated API server serves. */
export interface RemoteVersion {
  /** The entries in the `resources` of an aggregated discovery document. */
  readonly resources: readonly object[];
  /** Whether the last request to the aggregated API server succeeded. If not, there are no resources. */
  readonly fresh: boolean;
}

/** The groups and versions that discovery lists, in order. The object is replaced when any of them changes. */
export interface ServedGroups {
  /** The groups that the APIGroupList of /apis contains. */
  readonly listed: GroupVersions;
  /** The groups in aggregated discovery documents. They include served groups that `listed` does not contain. */
  readonly aggregated: GroupVersions;
  /** The group versions of aggregated API servers, by `group/version`. */
  readonly remote: ReadonlyMap<string, RemoteVersion>;
}

const NONE: ServedGroups['remote'] = new Map();
const known = new WeakMap<RegistrySnapshot, ServedGroups>();

/** Returns the groups of a server that aggregates no other API servers. */
export function ownGroups(registry: RegistrySnapshot): ServedGroups {
  let groups = known.get(registry);
  if (!groups) known.set(registry, (groups = { listed: registry.groups, aggregated: registry.groups, remote: NONE }));
  return groups;
}
