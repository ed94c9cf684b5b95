import {
  always,
  intOrString,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { podTemplateSpec } from '../core/pod/pod-template-spec.js';
import { count, flag, long, text } from '../fragments/core-struct.js';
import { labelSelector } from '../fragments/label-selector.js';
import { byType } from '../fragments/workload.js';

const rollingUpdate = struct('io.k8s.api.apps.v1.RollingUpdateDeployment', 'The steps of a replacement.', () => ({
  maxUnavailable: omitNull(intOrString(), 1, 'Pods that may be missing at a time; a number or a percentage.'),
  maxSurge: omitNull(intOrString(), 2, 'Pods that there may be beyond those wanted; a number or a percentage.'),
}));

const strategy = struct('io.k8s.api.apps.v1.DeploymentStrategy', 'The way pods are replaced.', () => ({
  type: omitEmpty(
    string<string>({ typeName: 'v1.DeploymentStrategyType', enum: ['Recreate', 'RollingUpdate'] }),
    1,
    'Recreate or RollingUpdate.',
  ),
  rollingUpdate: omitNull(rollingUpdate, 2, 'The steps of RollingUpdate.'),
}));

const spec = struct('io.k8s.api.apps.v1.DeploymentSpec', 'The desired pods.', () => ({
  replicas: omitNull(count, 1, 'The number of pods.'),
  selector: omitNull(labelSelector, 2, 'Picks the pods; must match the labels of the template.', { required: true }),
  template: required(podTemplateSpec, 3, 'The pods to make.'),
  strategy: always(strategy, 4, 'The way pods are replaced.', { patchStrategy: ['retainKeys'] }),
  minReadySeconds: omitEmpty(count, 5, 'Seconds that a pod must be ready for to count as available.'),
  revisionHistoryLimit: omitNull(count, 6, 'The number of old replica sets to keep.'),
  paused: omitEmpty(flag, 7, 'Whether changes wait.'),
  progressDeadlineSeconds: omitNull(count, 9, 'Seconds without progress after which it counts as failed.'),
}));

const condition = struct('io.k8s.api.apps.v1.DeploymentCondition', 'A condition of the deployment.', () => ({
  type: required(string({ typeName: 'v1.DeploymentConditionType' }), 1, 'Type of the condition.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastUpdateTime: always(time(), 6, 'When it was last written.'),
  lastTransitionTime: always(time(), 7, 'When its status last changed.'),
  reason: omitEmpty(text, 4, 'The reason, in one word.'),
  message: omitEmpty(text, 5, 'The reason, for people.'),
}));

const status = struct('io.k8s.api.apps.v1.DeploymentStatus', 'The observed pods.', () => ({
  observedGeneration: omitEmpty(long, 1, 'The generation that was last looked at.'),
  replicas: omitEmpty(count, 2, 'The number of pods.'),
  updatedReplicas: omitEmpty(count, 3, 'Pods made after the present template.'),
  readyReplicas: omitEmpty(count, 7, 'Pods that are ready.'),
  availableReplicas: omitEmpty(count, 4, 'Pods that have been ready for long enough.'),
  unavailableReplicas: omitEmpty(count, 5, 'Pods that are missing.'),
  conditions: omitEmpty(listMap(condition, ['type']), 6, 'The conditions.', byType),
  collisionCount: omitNull(count, 8, 'Collisions of hashes of templates.'),
}));

/** apps/v1 Deployment. */
export const deploymentSchema = topLevel('io.k8s.api.apps.v1.Deployment', 'Pods that are replaced in steps.', () => ({
  spec: always(spec, 2, 'The desired pods.'),
  status: always(status, 3, 'The observed pods.'),
}));
export type Deployment = OutputOf<typeof deploymentSchema>;
export type DeploymentStrategy = OutputOf<typeof strategy>;
