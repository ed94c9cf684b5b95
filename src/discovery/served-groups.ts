import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';

/** Groups and, in each, versions: the preferred first. */
export type GroupVersions = ReadonlyMap<string, readonly string[]>;

/** What discovery says of a group version that another server has. */
export interface RemoteVersion {
  /** Its resources, each as an aggregated document has it. */
  readonly resources: readonly object[];
  /** Whether that server said so when it was last asked. */
  readonly fresh: boolean;
}

/** Everything that discovery lists, in its order. One object for as long as nothing of it changes. */
export interface ServedGroups {
  /** The groups that lists of groups name. */
  readonly listed: GroupVersions;
  /** The groups of the aggregated documents: those that are served here, whether they are listed or not. */
  readonly aggregated: GroupVersions;
  /** By `group/version`. */
  readonly remote: ReadonlyMap<string, RemoteVersion>;
}

const NONE: ServedGroups['remote'] = new Map();
const known = new WeakMap<RegistrySnapshot, ServedGroups>();

/** A server that knows no other servers. */
export function ownGroups(registry: RegistrySnapshot): ServedGroups {
  let groups = known.get(registry);
  if (!groups) known.set(registry, (groups = { listed: registry.groups, aggregated: registry.groups, remote: NONE }));
  return groups;
}
