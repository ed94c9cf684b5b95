import type { GroupVersionResources } from '../registry/served/registry-snapshot.js';

/** The position of a group version in discovery. Higher priorities are listed first. */
export interface Priority {
  readonly group: number;
  readonly version: number;
}

/**
 * The priority of all groups of custom resources. It is lower than that of all built-in groups. Because it is the same for all groups of
 * custom resources, these groups are sorted by name (spec 24.2).
 */
const USERS: Priority = { group: 1000, version: 100 };

/**
 * Group priorities, by the name of the group without the suffix that the API dialect appends: `rbac.authorization` is
 * `rbac.authorization.k8s.io` in the k8s dialect. A group may list versions whose priority differs from the default.
 */
const GROUPS: ReadonlyMap<string, readonly [number, Readonly<Record<string, number>>?]> = new Map([
  ['', [18_000, { v1: 1 }]],
  ['apps', [17_800]],
  ['events', [17_750, { v1beta1: 5 }]],
  ['authentication', [17_700]],
  ['authorization', [17_600]],
  ['autoscaling', [17_500, { v2: 30, v2beta2: 1 }]],
  ['batch', [17_400]],
  ['certificates', [17_300]],
  ['networking', [17_200, { v1beta1: 12 }]],
  ['policy', [17_100]],
  ['rbac.authorization', [17_000]],
  ['storage', [16_800]],
  ['apiextensions', [16_700]],
  ['admissionregistration', [16_700, { v1beta1: 12, v1alpha1: 9 }]],
  ['scheduling', [16_600]],
  ['coordination', [16_500, { v1alpha1: 9 }]],
  ['node', [16_300]],
  ['discovery', [16_200, { v1beta1: 12 }]],
  ['flowcontrol.apiserver', [16_100, { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 }]],
  ['internal.apiserver', [16_000, { v1alpha1: 9 }]],
  ['resource', [15_900, { v1alpha3: 9 }]],
  ['storagemigration', [15_800, { v1alpha1: 9 }]],
]);

/** Returns the default priority of a version, which depends on its stability. */
const stabilityPriority = (version: string): number =>
  version.includes('alpha') ? 1 : version.includes('beta') ? 9 : 15;

/** Returns the priority of a group version that this server serves itself. */
export function priorityOf({ version, stores }: GroupVersionResources): Priority {
  const [known, versions = {}] = GROUPS.get(stores[0]?.resource.definition.groupStem ?? '?') ?? [];
  return known === undefined ? USERS : { group: known, version: versions[version] ?? stabilityPriority(version) };
}
