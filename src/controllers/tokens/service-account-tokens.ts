import { serviceAccountUsername } from '../../authentication/service-account-user.js';
import { isNotFound } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import type { Secret, ServiceAccount } from '../../resources/core/core-v1.types.js';
import { secret as secrets, serviceAccount } from '../../resources/core/index.js';
import { decodeBase64, encodeBase64Text } from '../../values/base64.js';
import { addAuthority } from '../certificates/authority-bundles.js';
import { type ControllerContext, type ControllerDefinition, stopAll } from '../controller.js';
import { unless } from '../unless.js';
import { isSecretOf, isTokenSecret, listsSecret, tokenSecretNames } from './token-secrets.js';

/**
 * Adds tokens to the token secrets of service accounts. Deletes secrets whose account was deleted or was replaced by another of the same
 * name (spec 14.9). Keys are `secret <namespace>/<name>` and, for a deleted secret, `reference <namespace>/<account>/<secret>`.
 */
export const serviceAccountTokenSecrets: ControllerDefinition = {
  name: 'service-account-token-controller',
  switchedBy: ['serviceaccount-token-controller', 'serviceaccount-token'],
  account: 'tokens-controller',
  follow({ host, queue }) {
    const { accountName } = tokenSecretNames(host.dialect);
    const lister = host.lister<Secret>('', 'secrets');
    const add = ({ metadata }: Secret) => queue.add(`secret ${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
    const look = (secret: Secret | undefined) => secret && isTokenSecret(secret, host.dialect) && add(secret);
    for (const secret of lister.list('', 'skip')) look(secret);
    const stopSecrets = lister.onChange((next, previous) => {
      look(next);
      if (next || !previous || !isTokenSecret(previous, host.dialect)) return;
      const { namespace = '', name = '', annotations } = previous.metadata;
      queue.add(`reference ${namespace}/${annotations?.[accountName] ?? ''}/${name}`);
    });
    const ofAccount = ({ metadata }: Secret) => [`${metadata.namespace}/${metadata.annotations?.[accountName] ?? ''}`];
    const stopAccounts = host.lister('', 'serviceaccounts').onChange((next, previous) => {
      const { namespace, name } = (next ?? previous)?.metadata ?? {};
      for (const secret of lister.byIndex(ofAccount, `${namespace}/${name}`, 'skip')) look(secret);
    });
    return stopAll([stopSecrets, stopAccounts]);
  },
  async reconcile(key, context) {
    const [what, path = ''] = key.split(' ');
    const [namespace = '', name = '', secretName = ''] = path.split('/');
    if (what === 'reference') return forgetReference(context, namespace, name, secretName);
    const secret = context.host.lister<Secret>('', 'secrets').get(namespace, name);
    if (!secret || !isTokenSecret(secret, context.host.dialect) || secret.metadata.deletionTimestamp !== undefined)
      return;
    const accountName = secret.metadata.annotations?.[tokenSecretNames(context.host.dialect).accountName] ?? '';
    const account = context.host.lister<ServiceAccount>('', 'serviceaccounts').get(namespace, accountName);
    if (account && isSecretOf(secret, account, context.host.dialect)) await fill(context, secret, account);
    // The lister may lag behind: another server may have created the account. The secret is deleted only when the lister is up to date.
    else if (await context.host.catchUp?.()) context.queue.add(key);
    else await remove(context, secret);
  },
};

async function remove({ client }: ControllerContext, { metadata }: Secret): Promise<void> {
  const { name = '', namespace = '', uid } = metadata;
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  await client.delete(secrets, name, { namespace, ...preconditions }).catch(unless(isNotFound));
}

async function fill(context: ControllerContext, secret: Secret, account: ServiceAccount): Promise<void> {
  const { data = {}, metadata } = secret;
  const authority = await authorityFor(context, data['ca.crt'] ?? '');
  const missing: Record<string, string> = {};
  if (authority !== undefined && data['ca.crt'] !== encodeBase64Text(authority))
    missing['ca.crt'] = encodeBase64Text(authority);
  if ((data['namespace'] ?? '') === '') missing['namespace'] = encodeBase64Text(metadata.namespace ?? '');
  if ((data['token'] ?? '') === '') missing['token'] = encodeBase64Text(await signToken(context, secret, account));
  if (Object.keys(missing).length === 0) return;
  const { accountName, accountUid } = tokenSecretNames(context.host.dialect);
  const annotations = {
    ...metadata.annotations,
    [accountName]: account.metadata.name ?? '',
    [accountUid]: account.metadata.uid ?? '',
  };
  // The request contains the resource version that was checked. If the secret has changed since, the write fails with a conflict, and the
  // key is reconciled again.
  await context.client
    .replace(secrets, { ...secret, metadata: { ...metadata, annotations }, data: { ...data, ...missing } })
    .catch(unless(isNotFound));
}

/**
 * Returns the content of `ca.crt`. If the operator provided no root CA, this server's CA certificate is added to those that other servers
 * have already stored in the secret.
 */
async function authorityFor({ host }: ControllerContext, currentAuthority: string): Promise<string | undefined> {
  const own = await host.authorities.root();
  if (own === undefined || host.authorities.rootIsGiven || currentAuthority === '') return own;
  const text = new TextDecoder().decode(decodeBase64(currentAuthority) ?? new Uint8Array());
  return addAuthority(text, own, host.clock.now());
}

function signToken(
  { host }: ControllerContext,
  secret: Secret,
  { metadata: { name = '', uid = '' } }: ServiceAccount,
): Promise<string> {
  const namespace = secret.metadata.namespace ?? '';
  const claim = (what: string) => domainName(host.dialect, `serviceaccount/${what}`);
  return host.accountTokens.secretIssuer.sign({
    sub: serviceAccountUsername(namespace, name),
    [claim('namespace')]: namespace,
    [claim('secret.name')]: secret.metadata.name ?? '',
    [claim('service-account.name')]: name,
    [claim('service-account.uid')]: uid,
  });
}

/** Removes a deleted secret from the list of its account. */
async function forgetReference(
  { host, client }: ControllerContext,
  namespace: string,
  name: string,
  secret: string,
): Promise<void> {
  if (host.lister('', 'secrets').get(namespace, secret)) return;
  const account = host.lister<ServiceAccount>('', 'serviceaccounts').get(namespace, name);
  if (!account || !listsSecret(account, secret)) return;
  const remainingSecrets = account.secrets?.filter((reference) => reference.name !== secret) ?? [];
  await client.replace(serviceAccount, { ...account, secrets: remainingSecrets }).catch(unless(isNotFound));
}
