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
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { podTemplateSpec } from '../core/pod/pod-template-spec.js';
import { count, long } from '../fragments/core-struct.js';
import { labelSelector } from '../fragments/label-selector.js';
import { byType, workloadCondition } from '../fragments/workload.js';

const rollingUpdate = struct('io.k8s.api.apps.v1.RollingUpdateDaemonSet', 'The steps of an update.', () => ({
  maxUnavailable: omitNull(intOrString(), 1, 'Nodes that may be without the pod; a number or a percentage.'),
  maxSurge: omitNull(intOrString(), 2, 'Nodes that may have two pods; a number or a percentage.'),
}));

const updateStrategy = struct('io.k8s.api.apps.v1.DaemonSetUpdateStrategy', 'The way pods are updated.', () => ({
  type: omitEmpty(
    string<string>({ typeName: 'v1.DaemonSetUpdateStrategyType', enum: ['OnDelete', 'RollingUpdate'] }),
    1,
    'RollingUpdate or OnDelete.',
  ),
  rollingUpdate: omitNull(rollingUpdate, 2, 'The steps of RollingUpdate.'),
}));

const spec = struct('io.k8s.api.apps.v1.DaemonSetSpec', 'The desired pods.', () => ({
  selector: omitNull(labelSelector, 1, 'Picks the pods; must match the labels of the template.', { required: true }),
  template: required(podTemplateSpec, 2, 'The pods to make.'),
  updateStrategy: always(updateStrategy, 3, 'The way pods are updated.'),
  minReadySeconds: omitEmpty(count, 4, 'Seconds that a pod must be ready for to count as available.'),
  revisionHistoryLimit: omitNull(count, 6, 'The number of old revisions to keep.'),
}));

const condition = workloadCondition('io.k8s.api.apps.v1.DaemonSetCondition');

const status = struct('io.k8s.api.apps.v1.DaemonSetStatus', 'The observed pods.', () => ({
  currentNumberScheduled: required(count, 1, 'Nodes that run the pod and should.'),
  numberMisscheduled: required(count, 2, 'Nodes that run the pod and should not.'),
  desiredNumberScheduled: required(count, 3, 'Nodes that should run the pod.'),
  numberReady: required(count, 4, 'Nodes where it is ready.'),
  observedGeneration: omitEmpty(long, 5, 'The generation that was last looked at.'),
  updatedNumberScheduled: omitEmpty(count, 6, 'Nodes with the updated pod.'),
  numberAvailable: omitEmpty(count, 7, 'Nodes where it has been ready for long enough.'),
  numberUnavailable: omitEmpty(count, 8, 'Nodes that should run it and do not.'),
  collisionCount: omitNull(count, 9, 'Collisions of hashes of templates.'),
  conditions: omitEmpty(listMap(condition, ['type']), 10, 'The conditions.', byType),
}));

/** apps/v1 DaemonSet. */
export const daemonSetSchema = topLevel('io.k8s.api.apps.v1.DaemonSet', 'A pod on every node.', () => ({
  spec: always(spec, 2, 'The desired pods.'),
  status: always(status, 3, 'The observed pods.'),
}));
export type DaemonSet = OutputOf<typeof daemonSetSchema>;
