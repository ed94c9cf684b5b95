import type { Dialect } from '../../../meta/dialect.js';
import type { FeatureGates } from '../../../meta/features/gates.js';
import type { Host } from '../../../meta/host.js';
import { defineResource, type GatedFields } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { age, nameColumn } from '../../shared/columns.js';
import { defaultsOnRead } from '../../shared/defaults-on-read.js';
import { roundAmounts } from '../../shared/resource-rules.js';
import { coreV1 } from '../core-v1.js';
import type { PersistentVolumeClaim } from '../core-v1.types.js';
import { printAccessModes } from '../volumes/access-modes.js';
import { classColumns, volumeModeColumn } from '../volumes/volume-columns.js';
import {
  claimWarnings,
  validateClaim,
  validateClaimStatus,
  validateClaimUpdate,
} from './persistent-volume-claim-validation.js';

export type { PersistentVolumeClaim } from '../core-v1.types.js';

const gatedOfClaims: readonly GatedFields<never>[] = [
  { gate: 'AnyVolumeDataSource', fields: ['spec.dataSourceRef'] },
  {
    gate: 'CrossNamespaceVolumeDataSource',
    fields: ['spec.dataSourceRef.namespace'],
    usedBy: ['spec.dataSourceRef'],
    drop: ({ spec }: Draft<PersistentVolumeClaim>) => void delete spec.dataSourceRef,
  },
  ...['spec.volumeAttributesClassName', 'status.currentVolumeAttributesClassName', 'status.modifyVolumeStatus'].map(
    (field) => ({ gate: 'VolumeAttributesClass' as const, fields: [field] }),
  ),
  ...['status.allocatedResources', 'status.allocatedResourceStatuses'].map((field) => ({
    gate: 'RecoverVolumeExpansionFailure' as const,
    fields: [field],
  })),
];

function setDefaults({ spec, status }: Draft<PersistentVolumeClaim>): void {
  status.phase ??= 'Pending';
  spec.volumeMode ??= 'Filesystem';
  for (const amounts of [spec.resources.limits, spec.resources.requests, status.capacity, status.allocatedResources])
    roundAmounts(amounts);
}

/** v1 PersistentVolumeClaim: a request for a volume. */
export const persistentVolumeClaim = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  metadataChecks: ['whole', 'changes', 'whole'],
  shortNames: ['pvc'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: coreV1.struct('PersistentVolumeClaim'),
  setDefaults,
  // A new claim is stored without a phase; reads set the default.
  storageForm: defaultsOnRead(setDefaults),
  resetFields: ['status'],
  gatedFields: gatedOfClaims,
  strategy: {
    prepareForCreate(draft, { host }) {
      draft.status = {};
      dropDisabledSources(draft.spec, undefined, host);
    },
    prepareForUpdate(draft, old, { host }) {
      Object.assign(draft, { status: old.status });
      dropDisabledSources(draft.spec, old.spec, host);
      // A stored claim may lack the copy of dataSource in dataSourceRef, because an older server wrote it. The copy is then removed from
      // the update, too. Otherwise it would count as a change of the immutable spec.
      const { dataSource, dataSourceRef } = old.spec;
      if (dataSource && !dataSourceRef) delete draft.spec.dataSourceRef;
    },
    completeStored: ({ spec }, { gates }) => copyDataSource(spec, gates),
    validate: ({ spec }) => validateClaim(spec),
    validateUpdate: (next, old, { host }) => validateClaimUpdate(next, old, host),
    warnings: (object, _old, { host }) => claimWarnings(object, host.dialect),
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate(draft, old) {
          Object.assign(draft, { spec: old.spec });
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
      description: 'The current phase.',
      cell: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '')),
    },
    {
      name: 'Volume',
      type: 'string',
      description: 'The volume that the claim is bound to.',
      cell: ({ spec }) => spec.volumeName ?? '',
    },
    {
      name: 'Capacity',
      type: 'string',
      description: 'The capacity of the volume.',
      cell: ({ spec, status }) => (spec.volumeName ? (status.capacity?.['storage'] ?? '0') : ''),
    },
    {
      name: 'Access Modes',
      type: 'string',
      description: 'The access modes of the volume.',
      cell: ({ spec, status }) => (spec.volumeName ? printAccessModes(status.accessModes) : ''),
    },
    ...classColumns,
    age,
    volumeModeColumn,
  ],
});

type Spec = Draft<PersistentVolumeClaim>['spec'];

/**
 * Drops a dataSource whose kind only dataSourceRef supports, unless there is a dataSourceRef or the stored claim has a source. Then copies
 * the source between the two fields.
 * @param old the stored spec; undefined for a new claim
 */
function dropDisabledSources(
  spec: Spec,
  old: PersistentVolumeClaim['spec'] | undefined,
  { dialect, gates }: Host,
): void {
  const hadSource = old?.dataSource || old?.dataSourceRef;
  if (!hadSource && !spec.dataSourceRef && spec.dataSource && !isClaimOrSnapshot(spec.dataSource, dialect))
    delete spec.dataSource;
  copyDataSource(spec, gates);
}

/** Copies the source between dataSource and dataSourceRef if only one of them is present. */
function copyDataSource(spec: Spec, gates: FeatureGates): void {
  if (!gates.AnyVolumeDataSource) return;
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    const { apiGroup, kind, name } = dataSourceRef;
    spec.dataSource = { apiGroup, kind, name };
  }
}

type Source = NonNullable<PersistentVolumeClaim['spec']['dataSource']>;

/** Whether a source is a claim or a volume snapshot, the only two kinds that dataSource supports. */
function isClaimOrSnapshot({ apiGroup, kind }: Source, { groupSuffix }: Dialect): boolean {
  const group = apiGroup ?? '';
  if (group === '') return kind === 'PersistentVolumeClaim';
  return group === `snapshot.storage.${groupSuffix}` && kind === 'VolumeSnapshot';
}
