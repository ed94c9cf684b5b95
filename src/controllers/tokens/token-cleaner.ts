import { isConflict, isNotFound } from '../../meta/api-error.js';
import type { Host } from '../../meta/host.js';
import {
  bootstrapExpiration,
  bootstrapNamespace,
  bootstrapSecretType,
} from '../../plugins/bootstrap-tokens/bootstrap-secret.js';
import type { Secret } from '../../resources/core/core-v1.types.js';
import { secret } from '../../resources/core/index.js';
import type { ControllerDefinition } from '../controller.js';

/**
 * Maximum milliseconds between checks of a token. A timer does not fire earlier when the wall clock is set forward, so the token is checked
 * repeatedly until it expires.
 */
const LONGEST_WAIT = 3_600_000;

/** Deletes bootstrap tokens when they expire (spec 16.4). */
export const tokenCleaner: ControllerDefinition = {
  name: 'token-cleaner',
  switchedBy: ['token-cleaner-controller', 'tokencleaner'],
  onRequest: true,
  follow({ host, queue }) {
    const secrets = host.lister<Secret>('', 'secrets');
    const add = (object: Secret | undefined) => {
      if (object && isBootstrapToken(object, host)) queue.add(object.metadata.name ?? '');
    };
    for (const object of secrets.list(bootstrapNamespace, 'skip')) add(object);
    return secrets.onChange(add);
  },
  async reconcile(name, { host, client, queue }) {
    const object = host.lister<Secret>('', 'secrets').get(bootstrapNamespace, name);
    if (!object || !isBootstrapToken(object, host)) return;
    const left = bootstrapExpiration(object) - host.clock.now();
    if (left > 0) {
      if (left !== Number.POSITIVE_INFINITY) queue.addAfter(name, Math.min(left, LONGEST_WAIT));
      return;
    }
    const { uid } = object.metadata;
    try {
      await client.delete(secret, name, {
        namespace: bootstrapNamespace,
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  },
};

function isBootstrapToken({ metadata, type }: Secret, { dialect }: Host): boolean {
  return metadata.namespace === bootstrapNamespace && type === bootstrapSecretType(dialect);
}
