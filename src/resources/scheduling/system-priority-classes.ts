/** The highest priority that users can define. Higher ones are reserved for the system. */
export const HIGHEST_USER_PRIORITY = 1_000_000_000;

/** The priority classes that every server creates at the start. They cannot be deleted. */
export const systemPriorityClasses = Object.freeze([
  {
    metadata: { name: 'system-node-critical', generation: 1 },
    value: 2 * HIGHEST_USER_PRIORITY + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
  {
    metadata: { name: 'system-cluster-critical', generation: 1 },
    value: 2 * HIGHEST_USER_PRIORITY,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
]);
