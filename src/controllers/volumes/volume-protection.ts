import { domainName } from '../../meta/dialect.js';
import { PROTECTION } from '../../plugins/storage/in-use-protection.js';
import { persistentVolume } from '../../resources/core/index.js';
import type { ControllerDefinition } from '../controller.js';
import { releaseFinalizer } from './release-finalizer.js';

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
