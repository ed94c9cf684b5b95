import {
  always,
  granular,
  listMap,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  time,
} from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { coreStruct, resourceList, text } from '../../fragments/core-struct.js';
import { accessModes } from '../persistent-volume/persistent-volume-spec.js';
import { persistentVolumeClaimSpec } from '../pod/pod-volume.js';

const condition = coreStruct('PersistentVolumeClaimCondition', 'One thing that is known of a claim.', () => ({
  type: required(string({ typeName: 'v1.PersistentVolumeClaimConditionType' }), 1, 'What it is about.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastProbeTime: always(time(), 3, 'When it was last looked at.'),
  lastTransitionTime: always(time(), 4, 'When it last changed.'),
  reason: omitEmpty(text, 5, 'Why, as one word.'),
  message: omitEmpty(text, 6, 'Why.'),
}));

const modifyVolumeStatus = coreStruct('ModifyVolumeStatus', 'How far a change of attributes is.', () => ({
  targetVolumeAttributesClassName: omitEmpty(text, 1, 'The class it is changed to.'),
  status: required(
    string<string>({
      typeName: 'v1.PersistentVolumeClaimModifyVolumeStatus',
      enum: ['InProgress', 'Infeasible', 'Pending'],
    }),
    2,
    'Pending, InProgress or Infeasible.',
  ),
}));

/** How far growing can be. */
export const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
] as const;

const status = coreStruct('PersistentVolumeClaimStatus', 'What has become of a claim.', () => ({
  phase: omitEmpty(
    string<string>({ typeName: 'v1.PersistentVolumeClaimPhase', enum: ['Bound', 'Lost', 'Pending'] }),
    1,
    'Pending, Bound or Lost.',
  ),
  accessModes: omitEmpty(accessModes, 2, 'How its volume can be used.'),
  capacity: omitEmpty(resourceList, 3, 'How large its volume is.'),
  conditions: omitEmpty(listMap(condition, ['type']), 4, 'What is known of it.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'type',
  }),
  allocatedResources: omitEmpty(resourceList, 5, 'How large its volume is to be.'),
  allocatedResourceStatuses: omitEmpty(
    granular(
      map(
        string<string>({
          typeName: 'v1.ClaimResourceStatus',
          enum: resizeStates,
        }),
        { typeName: 'map[v1.ResourceName]v1.ClaimResourceStatus' },
      ),
    ),
    7,
    'How far growing is.',
  ),
  currentVolumeAttributesClassName: omitNull(text, 8, 'Class of its attributes.'),
  modifyVolumeStatus: omitNull(modifyVolumeStatus, 9, 'How far a change of attributes is.'),
}));

export const persistentVolumeClaimSchema = topLevel(
  'io.k8s.api.core.v1.PersistentVolumeClaim',
  'A wish for storage.',
  () => ({
    spec: always(persistentVolumeClaimSpec, 2, 'The requested storage.'),
    status: always(status, 3, 'What has become of it.'),
  }),
);
export type PersistentVolumeClaim = OutputOf<typeof persistentVolumeClaimSchema>;
