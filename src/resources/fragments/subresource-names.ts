import type { SubresourceNames } from '../../registry/resource-definition.js';

/** `/scale`: autoscaling/v1 Scale. */
export const scaleNames = {
  part: {
    kind: 'Scale',
    groupStem: 'autoscaling',
    version: 'v1',
    knownVersions: ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'],
  },
} as const satisfies SubresourceNames;

/** `/proxy`: requests by any method, for a path behind an object. @param kind the kind of its parameters */
export const proxyNames = (kind: string) =>
  ({
    relay: { kind, verbs: ['create', 'delete', 'get', 'patch', 'update'], takesPath: true },
  }) as const satisfies SubresourceNames;
