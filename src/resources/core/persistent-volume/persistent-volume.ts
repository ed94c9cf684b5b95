import { formatTime } from '../../../meta/clock.js';
import { defineResource } from '../../../registry/resource-definition.js';
import { age, nameColumn } from '../../shared/columns.js';
import { roundAmounts } from '../../shared/resource-rules.js';
import { coreV1 } from '../core-v1.js';
import { setDiskDefaults } from '../pod/pod-defaults.js';
import { shownAccessModes } from '../volumes/access-modes.js';
import { shownClass } from '../volumes/storage-class-annotation.js';
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume-validation.js';
import { volumeWarnings } from './persistent-volume-warnings.js';

export type { PersistentVolume } from '../core-v1.types.js';

/** v1 PersistentVolume: a piece of storage for one claim. */
export const persistentVolume = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  looksAtMetadata: 'whole',
  schema: coreV1.struct('PersistentVolume'),
  setDefaults({ spec, status }) {
    status.phase ??= 'Pending';
    spec.persistentVolumeReclaimPolicy ??= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    roundAmounts(spec.capacity);
    if (spec.hostPath) spec.hostPath.type ??= '';
    setDiskDefaults(spec);
  },
  resetFields: ['status'],
  gatedFields: [{ gate: 'VolumeAttributesClass', fields: ['spec.volumeAttributesClassName'] }],
  strategy: {
    prepareForCreate(draft, { host }) {
      draft.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(host.clock.now()) };
    },
    prepareForUpdate(draft, old) {
      Object.assign(draft, { status: old.status });
    },
    validate: (object, { host }) => validatePersistentVolume(object, host.dialect),
    validateUpdate: (next, old, { host }) => validatePersistentVolumeUpdate(next, old, host),
    warnings: (object, _old, { host }) => volumeWarnings(object, host.dialect),
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate(draft, old, { host }) {
          Object.assign(draft, { spec: old.spec });
          const { lastPhaseTransitionTime: submittedTime, phase } = draft.status;
          const { lastPhaseTransitionTime: before } = old.status;
          if (phase !== old.status.phase) {
            if (submittedTime === undefined || submittedTime === before)
              draft.status.lastPhaseTransitionTime = formatTime(host.clock.now());
          } else if (submittedTime === undefined && before !== undefined) draft.status.lastPhaseTransitionTime = before;
        },
        validateUpdate: () => [],
      },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Capacity',
      type: 'string',
      description: 'How large it is.',
      cell: ({ spec }) => spec.capacity?.['storage'] ?? '0',
    },
    {
      name: 'Access Modes',
      type: 'string',
      description: 'How it can be used.',
      cell: ({ spec }) => shownAccessModes(spec.accessModes),
    },
    {
      name: 'Reclaim Policy',
      type: 'string',
      description: 'What becomes of it when its claim is gone.',
      cell: ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
    },
    {
      name: 'Status',
      type: 'string',
      description: 'What has become of it.',
      cell: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '')),
    },
    {
      name: 'Claim',
      type: 'string',
      description: 'The claim it is bound to.',
      cell: ({ spec: { claimRef } }) => (claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : ''),
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
    {
      name: 'Reason',
      type: 'string',
      description: 'Why it is in its phase.',
      cell: ({ status }) => status.reason ?? '',
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
