import { quote } from '../../../values/quote.js';
import { claimSizeWarnings } from '../persistent-volume-claim/persistent-volume-claim-validation.js';
import type { Volume } from './pod-volume.js';

/** Volumes that are gone, or will go. */
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

/** Volumes of the past, claims of broken bytes, and files that a token takes the place of. */
export function volumeWarnings(volumes: readonly Volume[], path: string): readonly string[] {
  return [
    ...volumes.flatMap((volume, i) => {
      const claim = volume.ephemeral?.volumeClaimTemplate;
      const at = `${path}[${i}]`;
      return [
        ...GONE.flatMap(([field, shown, text]) => (volume[field] === undefined ? [] : [`${at}.${shown}: ${text}`])),
        ...(claim ? claimSizeWarnings(claim.spec, `${at}.ephemeral.volumeClaimTemplate.spec`) : []),
      ];
    }),
    ...tokenPathWarnings(volumes, path),
  ];
}

/** Files of projected volumes at the path of a token. */
function tokenPathWarnings(volumes: readonly Volume[], path: string): readonly string[] {
  const sourcesOf = ({ projected }: Volume) => projected?.sources ?? [];
  const tokens = new Set(volumes.flatMap(sourcesOf).flatMap((source) => source.serviceAccountToken?.path ?? []));
  if (tokens.size === 0) return [];
  const warn = (file: string | undefined, at: string) =>
    file !== undefined && tokens.has(file)
      ? [`${at}: has duplicated path with ServiceAccountToken ${quote(file)}`]
      : [];
  return volumes.flatMap((volume, i) =>
    sourcesOf(volume).flatMap(({ configMap, secret, downwardAPI, clusterTrustBundle }) => {
      const at = `${path}[${i}].projected.sources`;
      const ofItems = (items: readonly { readonly path: string }[] | undefined, name: string) =>
        (items ?? []).flatMap((item, n) => warn(item.path, `${at}.${name}[${n}]`));
      return [
        ...ofItems(configMap?.items, 'configMap'),
        ...ofItems(secret?.items, 'secrets'),
        ...ofItems(downwardAPI?.items, 'downwardAPI'),
        ...warn(clusterTrustBundle?.path, `${at}.ClusterTrustBundle`),
      ];
    }),
  );
}
