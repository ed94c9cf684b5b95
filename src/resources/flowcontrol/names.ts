/** The API group without the suffix of the API dialect. In the k8s dialect, the group is `flowcontrol.apiserver.k8s.io`. */
export const FLOW_CONTROL = 'flowcontrol.apiserver';

/** The type of the condition that reports whether the priority level is missing. */
export const DANGLING = 'Dangling';

/** The members of the kind definition that FlowSchema and PriorityLevelConfiguration share in v1. */
export const NEWER = { version: 'v1', knownVersions: ['v1beta3', 'v1beta2', 'v1beta1'] } as const;
/** The members of the kind definition that FlowSchema and PriorityLevelConfiguration share in v1beta3. */
export const OLDER = {
  version: 'v1beta3',
  servedByDefault: true,
  deprecation: { since: '1.29', removed: '1.32', replacement: 'v1' },
} as const;
