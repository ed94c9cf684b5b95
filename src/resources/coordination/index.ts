import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { Lease } from './coordination-v1.types.js';
export type { LeaseCandidate } from './coordination-v1alpha1.types.js';

/** coordination/v1alpha1 LeaseCandidate: a candidate for holding a lease. */
export const leaseCandidate = defineKind(
  {
    groupStem: 'coordination',
    version: 'v1alpha1',
    kind: 'LeaseCandidate',
    plural: 'leasecandidates',
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
  async () => (await import('./lease-candidate.js')).leaseCandidateRules,
);

/** coordination/v1 Lease: the holder of a leadership or heartbeat, and until when. */
export const lease = defineKind(
  {
    groupStem: 'coordination',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'Lease',
    plural: 'leases',
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
  async () => (await import('./lease.js')).leaseRules,
);

/** The kinds of the group coordination. */
export const coordinationKinds: readonly ResourceDefinition[] = [lease, leaseCandidate];
