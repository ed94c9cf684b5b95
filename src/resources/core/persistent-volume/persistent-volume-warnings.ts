import { type Dialect, domainName } from '../../../meta/dialect.js';
import type { PersistentVolume } from '../core-v1.types.js';
import { storageClassAnnotation } from '../volumes/storage-class-annotation.js';
import { oldLabelText } from './old-labels.js';

/** Removed sources: the name in messages, the release that deprecated the source, and the release that removed it. */
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
export function volumeWarnings({ metadata, spec }: PersistentVolume, dialect: Dialect): readonly string[] {
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
