import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { controllerRevision } from './controller-revision.js';
import { daemonSet } from './daemon-set.js';
import { deployment } from './deployment.js';
import { replicaSet } from './replica-set.js';
import { statefulSet } from './stateful-set.js';

export type { ControllerRevision, ReplicaSet } from './apps-v1.types.js';
export type { DaemonSet } from './daemon-set.js';
export type { Deployment } from './deployment.js';
export type { StatefulSet } from './stateful-set.js';
export { controllerRevision, daemonSet, deployment, replicaSet, statefulSet };

/** The kinds of the group apps. */
export const appsKinds: readonly ResourceDefinition[] = [
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  controllerRevision,
];
