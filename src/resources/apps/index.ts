import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { scaleNames } from '../fragments/subresource-names.js';

export type { ControllerRevision, ReplicaSet } from './apps-v1.types.js';
export type { DaemonSet } from './daemon-set.js';
export type { Deployment } from './deployment.js';
export type { StatefulSet } from './stateful-set.js';

/** apps/v1 ControllerRevision: a saved state that a controller can go back to. */
export const controllerRevision = defineKind(
  { groupStem: 'apps', version: 'v1', kind: 'ControllerRevision', plural: 'controllerrevisions', scope: 'Namespaced' },
  async () => (await import('./controller-revision.js')).controllerRevisionRules,
);

/** apps/v1 DaemonSet: one pod on every matching node. */
export const daemonSet = defineKind(
  {
    groupStem: 'apps',
    version: 'v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    scope: 'Namespaced',
    tracksGeneration: true,
    subresources: { status: {} },
  },
  async () => (await import('./daemon-set.js')).daemonSetRules,
);

/** apps/v1 Deployment: pods that are replaced step by step when their template changes. */
export const deployment = defineKind(
  {
    groupStem: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    scope: 'Namespaced',
    tracksGeneration: true,
    subresources: { scale: scaleNames, status: {} },
  },
  async () => (await import('./deployment.js')).deploymentRules,
);

/** apps/v1 ReplicaSet: a number of identical pods. */
export const replicaSet = defineKind(
  {
    groupStem: 'apps',
    version: 'v1',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    scope: 'Namespaced',
    tracksGeneration: true,
    subresources: { scale: scaleNames, status: {} },
  },
  async () => (await import('./replica-set.js')).replicaSetRules,
);

/** apps/v1 StatefulSet: pods that keep their names and their storage. */
export const statefulSet = defineKind(
  {
    groupStem: 'apps',
    version: 'v1',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    scope: 'Namespaced',
    tracksGeneration: true,
    subresources: { scale: scaleNames, status: {} },
  },
  async () => (await import('./stateful-set.js')).statefulSetRules,
);

/** The kinds of the group apps. */
export const appsKinds: readonly ResourceDefinition[] = [
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  controllerRevision,
];
