import { formatTime } from '../../../meta/clock.js';
import { type Dialect, domainName } from '../../../meta/dialect.js';
import { defineResource } from '../../../registry/resource-definition.js';
import { age, nameColumn } from '../../shared/columns.js';
import { roundAmounts } from '../../shared/resource-rules.js';
import { coreV1 } from '../core-v1.js';
import type { PersistentVolume } from '../core-v1.types.js';
import { setDiskDefaults } from '../pod/pod-defaults.js';
import { printAccessModes } from '../volumes/access-modes.js';
import { storageClassAnnotation } from '../volumes/storage-class-annotation.js';
import { classColumns, volumeModeColumn } from '../volumes/volume-columns.js';
import { oldLabelText } from './old-labels.js';
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume-validation.js';

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
  metadataChecks: ['whole', 'whole'],
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
      description: 'The capacity.',
      cell: ({ spec }) => spec.capacity?.['storage'] ?? '0',
    },
    {
      name: 'Access Modes',
      type: 'string',
      description: 'The access modes.',
      cell: ({ spec }) => printAccessModes(spec.accessModes),
    },
    {
      name: 'Reclaim Policy',
      type: 'string',
      description: 'The reclaim policy after the deletion of the claim.',
      cell: ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
    },
    {
      name: 'Status',
      type: 'string',
      description: 'The current phase.',
      cell: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '')),
    },
    {
      name: 'Claim',
      type: 'string',
      description: 'The claim that the volume is bound to.',
      cell: ({ spec: { claimRef } }) => (claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : ''),
    },
    ...classColumns,
    {
      name: 'Reason',
      type: 'string',
      description: 'The reason for the phase.',
      cell: ({ status }) => status.reason ?? '',
    },
    age,
    volumeModeColumn,
  ],
});

/** Removed sources: the name in error messages, the release that deprecated the source, and the release that removed it. */
const GONE: Readonly<Record<string, readonly [shown: string, deprecated: string, gone: string]>> = {
  cephfs: ['cephfs', '1.28', '1.31'],
  photonPersistentDisk: ['photonPersistentDisk', '1.11', '1.16'],
  scaleIO: ['scaleIO', '1.16', '1.22'],
  storageos: ['storageOS', '1.22', '1.25'],
  glusterfs: ['glusterfs', '1.25', '1.26'],
  rbd: ['rbd', '1.28', '1.31'],
};
const RECYCLE =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** Returns warnings about deprecated sources and labels of a volume. */
function volumeWarnings({ metadata, spec }: PersistentVolume, dialect: Dialect): readonly string[] {
  const warnings: string[] = [];
  const annotation = (key: string, field: string, since: string) => {
    if (Object.hasOwn(metadata.annotations ?? {}, key))
      warnings.push(`metadata.annotations[${key}]: deprecated since v${since}; use "${field}" attribute instead`);
  };
  annotation(storageClassAnnotation(dialect), 'storageClassName', '1.8');
  annotation(`volume.beta.${domainName(dialect, 'mount-options')}`, 'mountOptions', '1.31');
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') warnings.push(`spec.persistentVolumeReclaimPolicy: ${RECYCLE}`);
  const oldLabel = oldLabelText(dialect);
  for (const [i, { matchExpressions = [] }] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries())
    for (const [n, { key }] of matchExpressions.entries()) {
      const warning = oldLabel(key);
      const path = `spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions[${n}].key`;
      if (warning) warnings.push(`${path}: ${key} is ${warning}`);
    }
  for (const [source, [shown, deprecated, gone]] of Object.entries(GONE))
    if (Object.hasOwn(spec, source))
      warnings.push(`spec.${shown}: deprecated in v${deprecated}, non-functional in v${gone}+`);
  return warnings;
}
