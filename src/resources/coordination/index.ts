import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { lease } from './lease.js';
import { leaseCandidate } from './lease-candidate.js';

export type { Lease } from './coordination-v1.types.js';
export type { LeaseCandidate } from './coordination-v1alpha1.types.js';
export { lease, leaseCandidate };

/** The kinds of the group coordination. */
export const coordinationKinds: readonly ResourceDefinition[] = [lease, leaseCandidate];
