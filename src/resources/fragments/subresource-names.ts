import type { SubresourceNames } from '../../registry/resource-definition.js';

/** `/scale`: the subresource with kind Scale of autoscaling/v1. */
export const scaleNames = {
  part: {
    kind: 'Scale',
    groupStem: 'autoscaling',
    version: 'v1',
    knownVersions: ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'],
  },
} as const satisfies SubresourceNames;

/** `/proxy`: requests with any method, also for paths below it. @param kind the kind of its parameters */
export const proxyNames = (kind: string) =>
  ({
    relay: { kind, verbs: ['create', 'delete', 'get', 'patch', 'update'], takesPath: true },
  }) as const satisfies SubresourceNames;
