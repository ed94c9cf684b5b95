import { isAlreadyExists, isNotFound } from '../../meta/api-error.js';
import type { Host } from '../../meta/host.js';
import type { ConfigMap, Secret } from '../../resources/core/core-v1.types.js';
import { configMap, secret as secrets } from '../../resources/core/index.js';
import { type ControllerContext, type ControllerDefinition, stopAll } from '../controller.js';
import { seedsOf } from '../seed.js';
import { unless } from '../unless.js';
import { beginOfDay, dayOf, tokenSecretNames } from './token-secrets.js';

const NAMESPACE = 'kube-system';
const DAY = 86_400_000;
/** Minimum milliseconds between two creations of the ConfigMap. */
const PAUSE = 1_800_000;
/** The queue key of the ConfigMap. All other keys are `namespace/name` of secrets. */
const SINCE = 'since';

/** Returns the name of the ConfigMap that records the day on which tracking of token secrets began. */
export function trackingConfigMap(apiServerName: string): string {
  return `${apiServerName}-legacy-service-account-token-tracking`;
}

/**
 * Labels token secrets with the last day on which their token was used, and keeps the ConfigMap that records the day on which tracking
 * began.
 */
export const legacyTokenUse: ControllerDefinition = {
  name: 'legacy-service-account-token-tracking-controller',
  ofServer: true,
  seeds: (host) => [seedsOf(configMap, [since(host)])],
  follow({ host, queue }) {
    queue.add(SINCE);
    const name = trackingConfigMap(host.dialect.apiServerName);
    const stops = [
      host.onSecretTokenUse((namespace, secret) => queue.add(`${namespace}/${secret}`)),
      host.lister<ConfigMap>('', 'configmaps').onChange((next, previous) => {
        const { metadata } = next ?? previous ?? {};
        if (metadata?.name !== name || metadata.namespace !== NAMESPACE) return;
        const wait = Date.parse(metadata.creationTimestamp ?? '') + PAUSE - host.clock.now();
        if (next || !(wait > 0)) queue.add(SINCE);
        else queue.addAfter(SINCE, wait);
      }),
    ];
    return stopAll(stops);
  },
  reconcile: (key, context) => (key === SINCE ? keepSince(context) : label(key, context)),
};

async function label(key: string, { host, client }: ControllerContext): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  const { lastUsed } = tokenSecretNames(host.dialect);
  const secret = host.lister<Secret>('', 'secrets').get(namespace, name);
  if (!secret) return;
  const now = host.clock.now();
  const noted = secret.metadata.labels?.[lastUsed];
  // A label with tomorrow's date is kept, because a server whose clock is ahead has written it.
  if (noted === dayOf(now) || noted === dayOf(now + DAY)) return;
  const metadata = { uid: secret.metadata.uid, labels: { [lastUsed]: dayOf(now) } };
  await client.patch(secrets, name, { metadata }, { namespace }).catch(unless(isNotFound));
}

function since({ dialect, clock }: Host) {
  const metadata = { name: trackingConfigMap(dialect.apiServerName), namespace: NAMESPACE };
  return { metadata, data: { since: dayOf(clock.now()) } };
}

async function keepSince({ host, client }: ControllerContext): Promise<void> {
  const name = trackingConfigMap(host.dialect.apiServerName);
  const stored = host.lister<ConfigMap>('', 'configmaps').get(NAMESPACE, name);
  if (!stored) {
    await client.create(configMap, since(host)).catch(unless(isAlreadyExists));
  } else if (beginOfDay(stored.data?.['since']) === undefined) {
    await client.replace(configMap, { ...stored, data: { ...stored.data, ...since(host).data } });
  }
}
