import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { PROTECTION } from '../../plugins/storage/in-use-protection.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { persistentVolume, persistentVolumeClaim } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { type ControllerDefinition, stopAll } from '../controller.js';
import { unless } from '../unless.js';

/**
 * Removes the protecting finalizer of volumes that are being deleted, once no claim is bound to them. Adds the finalizer to volumes that
 * are not being deleted.
 */
export const volumeProtection: ControllerDefinition = {
  name: 'persistentvolume-protection-controller',
  account: 'pv-protection-controller',
  switchedBy: ['persistentvolume-protection-controller', 'pv-protection'],
  follow({ host, queue }) {
    const volumes = host.lister('', 'persistentvolumes');
    for (const { metadata } of volumes.list()) queue.add(metadata.name ?? '');
    return volumes.onChange((next) => {
      if (next) queue.add(next.metadata.name ?? '');
    });
  },
  reconcile: (name, { host, client }) =>
    releaseFinalizer({
      kind: persistentVolume,
      client,
      name,
      finalizer: domainName(host.dialect, PROTECTION.persistentvolumes),
      isUsed: ({ status }) => status.phase === 'Bound',
    }),
};

/**
 * Removes the protecting finalizer of claims that are being deleted, once no pod uses them. Adds the finalizer to claims that are not being
 * deleted.
 */
export const claimProtection: ControllerDefinition = {
  name: 'persistentvolumeclaim-protection-controller',
  account: 'pvc-protection-controller',
  switchedBy: ['persistentvolumeclaim-protection-controller', 'pvc-protection'],
  follow({ host, queue }) {
    const claims = host.lister('', 'persistentvolumeclaims');
    const pods = host.lister<Pod>('', 'pods');
    for (const { metadata } of claims.list()) queue.add(keyOf(metadata));
    const stopClaims = claims.onChange((next) => {
      if (next) queue.add(keyOf(next.metadata));
    });
    // A pod that has been deleted or shut down no longer uses its claims.
    const stopPods = pods.onChange((next, previous) => {
      const pod = next ?? previous;
      if (!pod || (next && isAssigned(next) && !isShutDown(next))) return;
      for (const name of claimsOf(pod)) queue.add(keyOf({ ...pod.metadata, name }));
    });
    return stopAll([stopClaims, stopPods]);
  },
  reconcile(key, { host, client }) {
    const slash = key.indexOf('/');
    const [namespace, name] = [key.slice(0, slash), key.slice(slash + 1)];
    const pods = host.lister<Pod>('', 'pods');
    return releaseFinalizer({
      kind: persistentVolumeClaim,
      client,
      name,
      namespace,
      finalizer: domainName(host.dialect, PROTECTION.persistentvolumeclaims),
      isUsed: (claim) => pods.list(namespace).some((pod) => uses(pod, claim)),
    });
  },
};

const keyOf = ({ namespace = '', name = '' }: Partial<Pick<ApiObject['metadata'], 'namespace' | 'name'>>): string =>
  `${namespace}/${name}`;

const isAssigned = ({ spec }: Pod): boolean => (spec.nodeName ?? '') !== '';

/** Returns whether the kubelet has ended a pod, or the pod was deleted by force, so that only finalizers keep it. */
const isShutDown = ({ metadata }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;

/**
 * Returns whether a pod uses a claim. A pod uses the claims that it names until it is removed. It uses the claims of its ephemeral volumes
 * only until it is shut down, because a finalizer of the pod may wait for the deletion of these claims.
 */
function uses(pod: Pod, { metadata: { name, ownerReferences = [] } }: ApiObject): boolean {
  if (!isAssigned(pod)) return false;
  const { metadata, spec } = pod;
  const isOwner = ownerReferences.some(({ uid, controller }) => controller === true && uid === metadata.uid);
  return (spec.volumes ?? []).some(({ name: volume, persistentVolumeClaim: claim, ephemeral }) =>
    ephemeral
      ? isOwner && !isShutDown(pod) && ephemeralClaim(pod, volume) === name
      : claim !== undefined && claim.claimName === name,
  );
}

/** Returns the names of the claims of a pod: those that it names, and those created for its ephemeral volumes. */
function claimsOf(pod: Pod): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim: claim, ephemeral }) => {
    if (claim) return [claim.claimName];
    return ephemeral ? [ephemeralClaim(pod, name)] : [];
  });
}

const ephemeralClaim = ({ metadata }: Pod, volume: string): string => `${metadata.name ?? ''}-${volume}`;

interface Held<T extends ApiObject> {
  readonly kind: ResourceDefinition<T>;
  readonly client: Client;
  readonly name: string;
  readonly namespace?: string;
  readonly finalizer: string;
  /** Returns whether the object is in use. */
  isUsed(object: T): boolean;
}

/** Removes the finalizer from an object that is being deleted and not in use, and adds it to an object that is not being deleted. */
async function releaseFinalizer<T extends ApiObject>(held: Held<T>): Promise<void> {
  const { kind, client, name, namespace, finalizer, isUsed } = held;
  const where = namespace === undefined ? {} : { namespace };
  const object = await client.get(kind, name, where).catch(unless(isNotFound));
  if (!object) return;
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const isHeld = finalizers.includes(finalizer);
  if (deletionTimestamp === undefined ? isHeld : !isHeld || isUsed(object)) return;
  const change = ({ metadata }: { metadata: { finalizers?: string[] } }) => {
    const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
    metadata.finalizers = isHeld ? others : [...others, finalizer];
  };
  await client.update(kind, name, change, where).catch(unless(isNotFound));
}
