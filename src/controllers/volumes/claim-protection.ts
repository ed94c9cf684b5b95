import { domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { PROTECTION } from '../../plugins/storage/in-use-protection.js';
import { persistentVolumeClaim } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import type { ControllerDefinition } from '../controller.js';
import { releaseFinalizer } from './release-finalizer.js';

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
    // A pod that has ended, was deleted or is not assigned to a node does not use its claims.
    const stopPods = pods.onChange((next, previous) => {
      const pod = next ?? previous;
      if (!pod || (next && isOn(next))) return;
      for (const name of claimsOf(pod)) queue.add(keyOf({ ...pod.metadata, name }));
    });
    return () => {
      stopClaims();
      stopPods();
    };
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
      isUsed: () => pods.list(namespace).some((pod) => isOn(pod) && claimsOf(pod).includes(name)),
    });
  },
};

const keyOf = ({ namespace = '', name = '' }: Partial<Pick<ApiObject['metadata'], 'namespace' | 'name'>>): string =>
  `${namespace}/${name}`;

/** Returns whether a pod may be running, because it is assigned to a node and has not ended. */
const isOn = ({ spec, status }: Pod): boolean =>
  (spec.nodeName ?? '') !== '' && status.phase !== 'Succeeded' && status.phase !== 'Failed';

/** Returns the names of the claims that a pod uses: those that it names, and those created for its ephemeral volumes. */
function claimsOf({ metadata, spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim: claim, ephemeral }) => {
    if (claim) return [claim.claimName];
    return ephemeral ? [`${metadata.name ?? ''}-${name}`] : [];
  });
}
