import {
  always,
  intOrString,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { persistentVolumeClaimSchema } from '../core/persistent-volume-claim/persistent-volume-claim-schema.js';
import { podTemplateSpec } from '../core/pod/pod-template-spec.js';
import { count, long, text } from '../fragments/core-struct.js';
import { labelSelector } from '../fragments/label-selector.js';
import { byType, workloadCondition } from '../fragments/workload.js';

const ordinals = struct('io.k8s.api.apps.v1.StatefulSetOrdinals', 'The numbers of the pods.', () => ({
  start: always(count, 1, 'The number of the first pod.'),
}));

const retentionPolicy = struct(
  'io.k8s.api.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  'What becomes of the claims.',
  () => ({
    whenDeleted: omitEmpty(
      string<string>({ typeName: 'v1.PersistentVolumeClaimRetentionPolicyType' }),
      1,
      'When the set is deleted: Retain or Delete.',
    ),
    whenScaled: omitEmpty(
      string<string>({ typeName: 'v1.PersistentVolumeClaimRetentionPolicyType' }),
      2,
      'When pods are taken away: Retain or Delete.',
    ),
  }),
);

const rollingUpdate = struct('io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy', 'The steps of an update.', () => ({
  partition: omitNull(count, 1, 'Pods with a smaller number are left alone.'),
  maxUnavailable: omitNull(intOrString(), 2, 'Pods that may be missing at a time; not used in this release.'),
}));

const updateStrategy = struct('io.k8s.api.apps.v1.StatefulSetUpdateStrategy', 'The way pods are updated.', () => ({
  type: omitEmpty(
    string<string>({ typeName: 'v1.StatefulSetUpdateStrategyType', enum: ['OnDelete', 'RollingUpdate'] }),
    1,
    'RollingUpdate or OnDelete.',
  ),
  rollingUpdate: omitNull(rollingUpdate, 2, 'The steps of RollingUpdate.'),
}));

const spec = struct('io.k8s.api.apps.v1.StatefulSetSpec', 'The desired pods.', () => ({
  replicas: omitNull(count, 1, 'The number of pods.'),
  selector: omitNull(labelSelector, 2, 'Picks the pods; must match the labels of the template.', { required: true }),
  template: required(podTemplateSpec, 3, 'The pods to make.'),
  volumeClaimTemplates: omitEmpty(listAtomic(persistentVolumeClaimSchema), 4, 'Claims to make for each pod.'),
  serviceName: required(text, 5, 'Service that the pods are named by.'),
  podManagementPolicy: omitEmpty(
    string<string>({ typeName: 'v1.PodManagementPolicyType', enum: ['OrderedReady', 'Parallel'] }),
    6,
    'Whether pods are made one after the other.',
  ),
  updateStrategy: always(updateStrategy, 7, 'The way pods are updated.'),
  revisionHistoryLimit: omitNull(count, 8, 'The number of old revisions to keep.'),
  minReadySeconds: omitEmpty(count, 9, 'Seconds that a pod must be ready for to count as available.'),
  persistentVolumeClaimRetentionPolicy: omitNull(retentionPolicy, 10, 'What becomes of the claims.'),
  ordinals: omitNull(ordinals, 11, 'The numbers of the pods.'),
}));

const condition = workloadCondition('io.k8s.api.apps.v1.StatefulSetCondition');

const status = struct('io.k8s.api.apps.v1.StatefulSetStatus', 'The observed pods.', () => ({
  observedGeneration: omitEmpty(long, 1, 'The generation that was last looked at.'),
  replicas: required(count, 2, 'The number of pods.'),
  readyReplicas: omitEmpty(count, 3, 'Pods that are ready.'),
  currentReplicas: omitEmpty(count, 4, 'Pods of the current revision.'),
  updatedReplicas: omitEmpty(count, 5, 'Pods of the updated revision.'),
  currentRevision: omitEmpty(text, 6, 'Revision of the first pods.'),
  updateRevision: omitEmpty(text, 7, 'Revision of the last pods.'),
  collisionCount: omitNull(count, 9, 'Collisions of hashes of templates.'),
  conditions: omitEmpty(listMap(condition, ['type']), 10, 'The conditions.', byType),
  availableReplicas: always(count, 11, 'Pods that have been ready for long enough.'),
}));

/** apps/v1 StatefulSet. */
export const statefulSetSchema = topLevel('io.k8s.api.apps.v1.StatefulSet', 'Pods with names of their own.', () => ({
  spec: always(spec, 2, 'The desired pods.'),
  status: always(status, 3, 'The observed pods.'),
}));
export type StatefulSet = OutputOf<typeof statefulSetSchema>;
