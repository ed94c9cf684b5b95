import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
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
import { age, nameColumn } from '../../fragments/columns.js';
import { coreStruct, text } from '../../fragments/core-struct.js';
import { accessModes, resourceList } from '../persistent-volume/persistent-volume-spec.js';
import { persistentVolumeClaimSpec } from '../pod/pod-volume.js';
import { shownAccessModes } from '../volumes/access-modes.js';
import { shownClass } from '../volumes/storage-class-annotation.js';
import {
  claimWarnings,
  validateClaim,
  validateClaimStatus,
  validateClaimUpdate,
} from './persistent-volume-claim-validation.js';

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
          enum: [
            'ControllerResizeInProgress',
            'ControllerResizeInfeasible',
            'NodeResizeInProgress',
            'NodeResizeInfeasible',
            'NodeResizePending',
          ],
        }),
      ),
    ),
    7,
    'How far growing is.',
  ),
  currentVolumeAttributesClassName: omitNull(text, 8, 'Class of its attributes.'),
  modifyVolumeStatus: omitNull(modifyVolumeStatus, 9, 'How far a change of attributes is.'),
}));

const schema = topLevel('io.k8s.api.core.v1.PersistentVolumeClaim', 'A wish for storage.', () => ({
  spec: always(persistentVolumeClaimSpec, 2, 'The requested storage.'),
  status: always(status, 3, 'What has become of it.'),
}));
export type PersistentVolumeClaim = OutputOf<typeof schema>;

/** v1 PersistentVolumeClaim: asks for a volume. */
export const persistentVolumeClaim = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema,
  setDefaults({ spec, status }) {
    status.phase ??= 'Pending';
    spec.volumeMode ??= 'Filesystem';
  },
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft) {
      draft.status = { phase: 'Pending' };
      tidyUp(draft.spec);
    },
    prepareForUpdate(draft, old) {
      Object.assign(draft, { status: old.status });
      tidyUp(draft.spec);
      // Made before both fields were kept alike.
      const { dataSource, dataSourceRef } = old.spec;
      if (dataSource && !dataSourceRef) delete draft.spec.dataSourceRef;
    },
    validate: ({ spec }) => validateClaim(spec),
    validateUpdate: (next, old, { host }) => validateClaimUpdate(next, old, host.dialect),
    warnings: (object, _old, { host }) => claimWarnings(object, host.dialect),
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate(draft, old) {
          Object.assign(draft, { spec: old.spec });
          // Behind gates that are off.
          for (const field of GATED_STATUS) delete draft.status[field];
        },
        validateUpdate: ({ status }) => validateClaimStatus(status),
      },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Status',
      type: 'string',
      description: 'What has become of it.',
      cell: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '')),
    },
    {
      name: 'Volume',
      type: 'string',
      description: 'The volume it is bound to.',
      cell: ({ spec }) => spec.volumeName ?? '',
    },
    {
      name: 'Capacity',
      type: 'string',
      description: 'How large its volume is.',
      cell: ({ spec, status }) => (spec.volumeName ? (status.capacity?.['storage'] ?? '0') : ''),
    },
    {
      name: 'Access Modes',
      type: 'string',
      description: 'How its volume can be used.',
      cell: ({ spec, status }) => (spec.volumeName ? shownAccessModes(status.accessModes) : ''),
    },
    {
      name: 'StorageClass',
      type: 'string',
      description: 'Its class.',
      cell: ({ metadata, spec }) => shownClass(metadata, spec.storageClassName),
    },
    {
      name: 'VolumeAttributesClass',
      type: 'string',
      description: 'Class of its changeable attributes.',
      cell: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
    },
    age,
    {
      name: 'VolumeMode',
      type: 'string',
      description: 'Filesystem or Block.',
      priority: 1,
      cell: ({ spec }) => spec.volumeMode ?? '<unset>',
    },
  ],
});

const GATED_STATUS = [
  'allocatedResources',
  'allocatedResourceStatuses',
  'currentVolumeAttributesClassName',
  'modifyVolumeStatus',
] as const;

/** Leaves out what is behind gates that are off, and says what the volume starts from in both fields. */
function tidyUp(spec: Draft<PersistentVolumeClaim>['spec']): void {
  delete spec.volumeAttributesClassName;
  if (spec.dataSource && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  if (spec.dataSourceRef?.namespace) delete spec.dataSourceRef;
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  if (dataSourceRef && !dataSource) {
    const { apiGroup, kind, name } = dataSourceRef;
    spec.dataSource = { apiGroup, kind, name };
  }
}

/** The only sources that the older field takes. */
const isClaimOrSnapshot = ({ apiGroup, kind }: { readonly apiGroup: string | null; readonly kind: string }): boolean =>
  kind === 'PersistentVolumeClaim' || kind === 'VolumeSnapshot' ? true : (apiGroup ?? '') === '';
