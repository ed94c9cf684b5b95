import type { Volume } from '../core-v1.types.js';
import { claimSizeWarnings } from '../persistent-volume-claim/persistent-volume-claim-validation.js';

/** Volume types that were removed or are deprecated. */
const GONE = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

/** Returns warnings about deprecated volumes, and about claims for fractions of bytes. */
export function volumeWarnings(volumes: readonly Volume[], path: string): readonly string[] {
  return volumes.flatMap((volume, i) => {
    const claim = volume.ephemeral?.volumeClaimTemplate;
    const at = `${path}[${i}]`;
    return [
      ...GONE.flatMap(([field, shown, text]) => (volume[field] === undefined ? [] : [`${at}.${shown}: ${text}`])),
      ...(claim ? claimSizeWarnings(claim.spec, `${at}.ephemeral.volumeClaimTemplate.spec`) : []),
    ];
  });
}
