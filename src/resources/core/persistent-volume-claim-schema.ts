import {
  always,
  listAtomic,
  listMap,
  map,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { coreStruct, text } from '../fragments/core-struct.js';
import { persistentVolumeClaimSpec } from './pod/pod-volume.js';

const condition = coreStruct('PersistentVolumeClaimCondition', 'A condition of the claim.', () => ({
  type: required(string({ typeName: 'v1.PersistentVolumeClaimConditionType' }), 1, 'Type of the condition.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastProbeTime: always(time(), 3, 'When it was last looked at.'),
  lastTransitionTime: always(time(), 4, 'When its status last changed.'),
  reason: omitEmpty(text, 5, 'The reason, in one word.'),
  message: omitEmpty(text, 6, 'The reason, for people.'),
}));

const modifyVolumeStatus = coreStruct('ModifyVolumeStatus', 'The state of a change of attributes.', () => ({
  targetVolumeAttributesClassName: omitEmpty(text, 1, 'Class that is wanted.'),
  status: required(
    string<string>({
      typeName: 'v1.PersistentVolumeClaimModifyVolumeStatus',
      enum: ['InProgress', 'Infeasible', 'Pending'],
    }),
    2,
    'Pending, InProgress or Infeasible.',
  ),
}));

const status = coreStruct('PersistentVolumeClaimStatus', 'The observed claim.', () => ({
  phase: omitEmpty(
    string<string>({ typeName: 'v1.PersistentVolumeClaimPhase', enum: ['Bound', 'Lost', 'Pending'] }),
    1,
    'Pending, Bound or Lost.',
  ),
  accessModes: omitEmpty(
    listAtomic(
      string<string>({
        typeName: 'v1.PersistentVolumeAccessMode',
        enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
      }),
    ),
    2,
    'Access modes of the volume.',
  ),
  capacity: omitEmpty(map(quantity()), 3, 'Size of the volume.'),
  conditions: omitEmpty(listMap(condition, ['type']), 4, 'The conditions.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  allocatedResources: omitEmpty(map(quantity()), 5, 'What is set aside while the size changes.'),
  allocatedResourceStatuses: omitEmpty(
    map(
      string<string>({
        typeName: 'v1.ClaimResourceStatus',
        enum: [
          'ControllerResizeInProgress',
          'ControllerResizeInfeasible',
          'NodeResizeInProgress',
          'NodeResizeInfeasible',
          'NodeResizePending',
        ],
      }),
      { mapType: 'granular' },
    ),
    7,
    'The state of a change of size.',
  ),
  currentVolumeAttributesClassName: omitNull(text, 8, 'Class of changeable attributes.'),
  modifyVolumeStatus: omitNull(modifyVolumeStatus, 9, 'The state of a change of attributes.'),
}));

/** v1 PersistentVolumeClaim; controllers hold some as templates. */
export const persistentVolumeClaimSchema = topLevel(
  'io.k8s.api.core.v1.PersistentVolumeClaim',
  'A request for storage.',
  () => ({
    spec: always(persistentVolumeClaimSpec, 2, 'The requested storage.'),
    status: always(status, 3, 'The observed claim.'),
  }),
);
