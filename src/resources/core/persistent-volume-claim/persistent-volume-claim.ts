import type { Dialect } from '../../../meta/dialect.js';
import { edit } from '../../../registry/edit.js';
import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { age, nameColumn } from '../../fragments/columns.js';
import { shownAccessModes } from '../volumes/access-modes.js';
import { shownClass } from '../volumes/storage-class-annotation.js';
import { type PersistentVolumeClaim, persistentVolumeClaimSchema } from './persistent-volume-claim-schema.js';
import {
  claimWarnings,
  validateClaim,
  validateClaimStatus,
  validateClaimUpdate,
} from './persistent-volume-claim-validation.js';

export type { PersistentVolumeClaim } from './persistent-volume-claim-schema.js';

/** v1 PersistentVolumeClaim: asks for a volume. */
export const persistentVolumeClaim = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: persistentVolumeClaimSchema,
  setDefaults({ spec, status }) {
    status.phase ??= 'Pending';
    spec.volumeMode ??= 'Filesystem';
  },
  // A new claim is stored without a phase: so its first update writes, even one that changes nothing.
  storageForm: {
    toStorage: (claim) => claim,
    fromStorage: (stored) => edit(stored as PersistentVolumeClaim, ({ status }) => void (status.phase ??= 'Pending')),
  },
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft, { host }) {
      draft.status = {};
      tidyUp(draft.spec, undefined, host.dialect);
    },
    prepareForUpdate(draft, old, { host }) {
      Object.assign(draft, { status: old.status });
      tidyUp(draft.spec, old.spec, host.dialect);
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

type Spec = Draft<PersistentVolumeClaim>['spec'];

/**
 * Leaves out what is behind gates that are off and was not there before, and a source that the older field does not take
 * where the newer one says nothing; then both fields say what the volume starts from.
 * @param old undefined for a new claim
 */
function tidyUp(spec: Spec, old: PersistentVolumeClaim['spec'] | undefined, dialect: Dialect): void {
  if (old?.volumeAttributesClassName === undefined) delete spec.volumeAttributesClassName;
  if (spec.dataSourceRef?.namespace && !old?.dataSourceRef) delete spec.dataSourceRef;
  const hadSource = old?.dataSource || old?.dataSourceRef;
  if (!hadSource && !spec.dataSourceRef && spec.dataSource && !isClaimOrSnapshot(spec.dataSource, dialect))
    delete spec.dataSource;
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    const { apiGroup, kind, name } = dataSourceRef;
    spec.dataSource = { apiGroup, kind, name };
  }
}

type Source = NonNullable<PersistentVolumeClaim['spec']['dataSource']>;

/** The only sources that the older field takes. */
function isClaimOrSnapshot({ apiGroup, kind }: Source, { groupSuffix }: Dialect): boolean {
  const group = apiGroup ?? '';
  if (group === '') return kind === 'PersistentVolumeClaim';
  return group === `snapshot.storage.${groupSuffix}` && kind === 'VolumeSnapshot';
}
