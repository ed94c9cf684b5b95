import { isConflict, isNotFound } from '../../meta/api-error.js';
import { referencesOf } from '../../plugins/pods/pod-references.js';
import type { ConfigMap, Pod, Secret, ServiceAccount } from '../../resources/core/core-v1.types.js';
import { secret as secrets } from '../../resources/core/index.js';
import type { ControllerContext, ControllerDefinition } from '../controller.js';
import { unless } from '../unless.js';
import { trackingConfigMap } from './legacy-token-use.js';
import { beginOfDay, dayOf, isSecretOf, isTokenSecret, tokenSecretNames } from './token-secrets.js';

const DAY = 86_400_000;
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
    const since = trackedSince(context);
    // Only the day of a token's last use is known, so the clean-up period begins at the end of the day on which tracking began.
    if (since === undefined || now < since + DAY + period) return;
    const inUse = new SecretsInUse(host);
    for (const secret of host.lister<Secret>('', 'secrets').list('', 'skip')) {
      if (isUnused(context, secret, now - period, inUse))
        // A secret that has changed in the meantime is checked again in the next run.
        await clean(context, secret, now, period).catch(unless(isNotFound, isConflict));
    }
  },
};

function trackedSince({ host }: ControllerContext): number | undefined {
  const map = host
    .lister<ConfigMap>('', 'configmaps')
    .get('kube-system', trackingConfigMap(host.dialect.apiServerName));
  return beginOfDay(map?.data?.['since']);
}

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
