import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { controllerRevision } from './controller-revision.js';
import { daemonSet } from './daemon-set.js';
import { deployment } from './deployment.js';
import { replicaSet } from './replica-set.js';
import { statefulSet } from './stateful-set.js';

export { type ControllerRevision, controllerRevision } from './controller-revision.js';
export { type DaemonSet, daemonSet } from './daemon-set.js';
export { type Deployment, deployment } from './deployment.js';
export { type ReplicaSet, replicaSet } from './replica-set.js';
export { type StatefulSet, statefulSet } from './stateful-set.js';

/** The kinds of the group apps. */
export const appsKinds: readonly ResourceDefinition[] = [
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  controllerRevision,
];
