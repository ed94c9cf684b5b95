import { groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import type { PersistentVolume, Pod, SecretReference } from '../../resources/core/core-v1.types.js';
import type { ResourceSlice } from '../../resources/resource/resource-v1alpha3.types.js';
import type { VolumeAttachment } from '../../resources/storage/storage-v1.types.js';
import { claimsOf, type ReferredKind, referencesOf, SECRET_REF_SOURCES, secretRefOf } from '../pods/pod-references.js';

export type GraphKind = ReferredKind | 'pod' | 'pv' | 'volumeattachment' | 'resourceslice';

/** Relates nodes to the objects that their pods use, according to the server's listers. */
export interface NodeGraph {
  /**
   * Returns whether a pod on the node uses the object, or the object itself is assigned to the node (a pod, volume attachment or resource
   * slice).
   */
  reaches(node: string, kind: GraphKind, namespace: string, name: string): boolean;
}

// The parts are joined as JSON, because they may contain any separator. Otherwise two objects could have the same key.
const keyOf = (...parts: string[]) => JSON.stringify(parts);

/** Creates the graph of a server's pods, volumes and the objects that they use (spec 12.10). */
export function nodeGraph(host: Host): NodeGraph {
  const pods = host.lister<Pod>('', 'pods');
  const volumes = host.lister<PersistentVolume>('', 'persistentvolumes');
  const attachments = host.lister<VolumeAttachment>(groupOf(host.dialect, 'storage'), 'volumeattachments');
  const slices = host.lister<ResourceSlice>(groupOf(host.dialect, 'resource'), 'resourceslices');
  const claims = host.lister(groupOf(host.dialect, 'resource'), 'resourceclaims');
  const mirror = `${host.dialect.labelDomain}/config.mirror`;

  const podKeys = (pod: Pod): readonly string[] => {
    const node = pod.spec.nodeName;
    // A mirror pod is created by the node itself, so its references grant the node nothing.
    if (!node || pod.metadata.annotations?.[mirror] !== undefined) return [];
    const { namespace = '' } = pod.metadata;
    return [...new Set(referencesOf(pod).map(({ kind, name }) => keyOf(node, kind, namespace, name)))];
  };
  const usedByPod = (node: string, kind: GraphKind, namespace: string, name: string) =>
    some(pods.byIndex(podKeys, keyOf(node, kind, namespace, name)), () => true);
  /**
   * Returns whether a resource claim belongs to a node. A node may write the status of its pods, so a claim that only a pod's status names
   * must have been created for that pod.
   */
  const resourceClaimReaches = (node: string, namespace: string, name: string) =>
    some(pods.byIndex(podKeys, keyOf(node, 'resourceclaim', namespace, name)), (pod) => {
      if (claimsOf(pod).direct.includes(name)) return true;
      const owners = claims.get(namespace, name)?.metadata.ownerReferences ?? [];
      return owners.some(
        ({ kind, uid, controller }) => kind === 'Pod' && uid === pod.metadata.uid && controller === true,
      );
    });
  const claimReaches = (node: string, volume: PersistentVolume | undefined) => {
    const { namespace = '', name = '' } = volume?.spec.claimRef ?? {};
    return name !== '' && usedByPod(node, 'pvc', namespace, name);
  };

  return {
    reaches(node, kind, namespace, name) {
      if (kind === 'pod') return pods.get(namespace, name)?.spec.nodeName === node;
      if (kind === 'pv') return claimReaches(node, volumes.get('', name));
      if (kind === 'volumeattachment') return attachments.get('', name)?.spec?.nodeName === node;
      if (kind === 'resourceslice') return slices.get('', name)?.spec?.nodeName === node;
      if (kind === 'resourceclaim') return resourceClaimReaches(node, namespace, name);
      if (usedByPod(node, kind, namespace, name)) return true;
      return (
        kind === 'secret' &&
        some(volumes.byIndex(volumeSecrets, keyOf(namespace, name)), (volume) => claimReaches(node, volume))
      );
    },
  };
}

function some<T>(items: Iterable<T>, holds: (item: T) => boolean): boolean {
  for (const item of items) if (holds(item)) return true;
  return false;
}

/**
 * Returns the keys of the secrets that a node needs for a volume. A secret without a namespace is in the namespace of the volume's claim.
 */
function volumeSecrets({ spec }: PersistentVolume): readonly string[] {
  const claimNamespace = spec.claimRef?.namespace ?? '';
  const { azureFile, csi } = spec;
  const names: (SecretReference | undefined)[] = [
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace || claimNamespace },
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
    ...SECRET_REF_SOURCES.map((type) => secretRefOf(spec, type)),
  ];
  return [
    ...new Set(
      names.flatMap((secret) => (secret?.name ? [keyOf(secret.namespace || claimNamespace, secret.name)] : [])),
    ),
  ];
}
