import { isAlreadyExists, isConflict, isNotFound } from '../../meta/api-error.js';
import type { Host } from '../../meta/host.js';
import { referencesOf } from '../../plugins/pods/pod-references.js';
import type { ConfigMap, Pod, Secret, ServiceAccount } from '../../resources/core/core-v1.types.js';
import { configMap, secret as secrets } from '../../resources/core/index.js';
import { type ControllerContext, type ControllerDefinition, stopAll } from '../controller.js';
import { seedsOf } from '../seed.js';
import { unless } from '../unless.js';
import { beginOfDay, dayOf, isSecretOf, isTokenSecret, tokenSecretNames } from './token-secrets.js';

const NAMESPACE = 'kube-system';
const DAY = 86_400_000;
/** Minimum milliseconds between two creations of the ConfigMap. */
const PAUSE = 1_800_000;
/** The queue key of the ConfigMap. All other keys are `namespace/name` of secrets. */
const SINCE = 'since';

/** Returns the name of the ConfigMap that records the day on which tracking of token secrets began. */
function trackingConfigMap(apiServerName: string): string {
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

const ROUND = 'round';

/**
 * Marks token secrets that their service account lists and that have been unused for the clean-up period. Deletes a secret when a further
 * clean-up period has passed since it was marked. The controller runs once a day.
 */
export const legacyTokenCleaner: ControllerDefinition = {
  name: 'legacy-serviceaccount-token-cleaner-controller',
  account: 'legacy-service-account-token-cleaner',
  switchedBy: ['legacy-serviceaccount-token-cleaner-controller', 'legacy-service-account-token-cleaner'],
  follow({ queue }) {
    queue.add(ROUND);
  },
  async reconcile(_round, context) {
    const { host, queue } = context;
    const period = host.accountTokens.secretCleanUpPeriod;
    queue.addAfter(ROUND, DAY);
    const now = host.clock.now();
    const name = trackingConfigMap(host.dialect.apiServerName);
    const stored = host.lister<ConfigMap>('', 'configmaps').get(NAMESPACE, name);
    const trackedSince = beginOfDay(stored?.data?.['since']);
    // Only the day of a token's last use is known, so the clean-up period begins at the end of the day on which tracking began.
    if (trackedSince === undefined || now < trackedSince + DAY + period) return;
    const inUse = new SecretsInUse(host);
    for (const secret of host.lister<Secret>('', 'secrets').list('', 'skip')) {
      if (isUnused(context, secret, now - period, inUse))
        // A secret that has changed in the meantime is checked again in the next run.
        await clean(context, secret, now, period).catch(unless(isNotFound, isConflict));
    }
  },
};

/** The secrets that service accounts and pods refer to. They are collected once per run, because an account may have many secrets. */
class SecretsInUse {
  readonly #host: ControllerContext['host'];
  readonly #ofAccounts = new Map<ServiceAccount, ReadonlySet<string>>();
  readonly #ofPods = new Map<string, ReadonlySet<string>>();

  constructor(host: ControllerContext['host']) {
    this.#host = host;
  }

  listedBy(account: ServiceAccount): ReadonlySet<string> {
    let names = this.#ofAccounts.get(account);
    if (names === undefined)
      this.#ofAccounts.set(account, (names = new Set(account.secrets?.map(({ name }) => name ?? ''))));
    return names;
  }

  byPodsOf(namespace: string): ReadonlySet<string> {
    let names = this.#ofPods.get(namespace);
    if (names === undefined) {
      const references = this.#host.lister<Pod>('', 'pods').list(namespace).flatMap(referencesOf);
      names = new Set(references.filter(({ kind }) => kind === 'secret').map(({ name }) => name));
      this.#ofPods.set(namespace, names);
    }
    return names;
  }
}

function isUnused({ host }: ControllerContext, secret: Secret, before: number, inUse: SecretsInUse): boolean {
  const { name = '', namespace = '', creationTimestamp, deletionTimestamp, annotations, labels } = secret.metadata;
  if (
    !isTokenSecret(secret, host.dialect) ||
    deletionTimestamp !== undefined ||
    Date.parse(creationTimestamp ?? '') >= before
  )
    return false;
  const { accountName, lastUsed } = tokenSecretNames(host.dialect);
  const account = host.lister<ServiceAccount>('', 'serviceaccounts').get(namespace, annotations?.[accountName] ?? '');
  if (!account || !isSecretOf(secret, account, host.dialect) || !inUse.listedBy(account).has(name)) return false;
  // A label whose value is not a date does not show when the token was last used, so the token is kept.
  const used = labels?.[lastUsed];
  if (used !== undefined && (beginOfDay(used) === undefined || used >= dayOf(before))) return false;
  return !inUse.byPodsOf(namespace).has(name);
}

async function clean(
  { host, client }: ControllerContext,
  { metadata }: Secret,
  now: number,
  period: number,
): Promise<void> {
  const { name = '', namespace = '', uid, resourceVersion, labels } = metadata;
  const { invalidSince } = tokenSecretNames(host.dialect);
  const marked = labels?.[invalidSince];
  if (marked === undefined || beginOfDay(marked) === undefined) {
    await client.patch(
      secrets,
      name,
      { metadata: { uid, resourceVersion, labels: { [invalidSince]: dayOf(now) } } },
      { namespace },
    );
    return;
  }
  if (marked >= dayOf(now - period)) return;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  await client.delete(secrets, name, { namespace, preconditions });
}
