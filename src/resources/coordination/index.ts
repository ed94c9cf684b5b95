import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { lease } from './lease.js';
import { leaseCandidate } from './lease-candidate.js';

export { type Lease, lease } from './lease.js';
export { type LeaseCandidate, leaseCandidate } from './lease-candidate.js';

/** The kinds of the group coordination. */
export const coordinationKinds: readonly ResourceDefinition[] = [lease, leaseCandidate];
