import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { deployment } from './deployment.js';
import { replicaSet } from './replica-set.js';

export { type Deployment, deployment } from './deployment.js';
export { type ReplicaSet, replicaSet } from './replica-set.js';

/** The kinds of the group apps. */
export const appsKinds: readonly ResourceDefinition[] = [deployment, replicaSet];
