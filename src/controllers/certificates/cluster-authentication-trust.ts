import type { Client } from '../../client/client.js';
import { equalJson } from '../../json/equal.js';
import { isAlreadyExists, isApiError, isNotFound } from '../../meta/api-error.js';
import type { ConfigMap } from '../../resources/core/core-v1.types.js';
import { configMap } from '../../resources/core/index.js';
import type { ControllerDefinition } from '../controller.js';
import { seedsOf } from '../seed.js';
import type { ServerAuthorities } from '../server-authorities.js';
import { unless } from '../unless.js';
import { uniteBundles } from './authority-bundles.js';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';
/** Milliseconds until the ConfigMap is checked again, which is needed because CA certificates can change or expire. */
const RECHECK_INTERVAL = 60_000;

type Data = Readonly<Record<string, string>>;

/**
 * Keeps the ConfigMap that publishes how this server authenticates callers, for extension API servers. Servers that share a storage share
 * the ConfigMap: each adds the CA certificates that it trusts and removes expired ones.
 */
export const clusterAuthenticationTrust: ControllerDefinition = {
  name: 'cluster-authentication-trust',
  ofServer: true,
  async seeds({ authorities, clock }) {
    const data = await combine({}, authorities, clock.now());
    return Object.keys(data).length === 0 ? [] : [seedsOf(configMap, [mapOf(data)])];
  },
  follow({ host, queue }) {
    queue.add(NAME);
    return host.lister('', 'configmaps').onChange((next, previous) => {
      const { name, namespace } = (next ?? previous)?.metadata ?? {};
      if (name === NAME && namespace === NAMESPACE) queue.add(NAME);
    });
  },
  async reconcile(_key, { host, client, queue }) {
    queue.addAfter(NAME, RECHECK_INTERVAL);
    const current = host.lister<ConfigMap>('', 'configmaps').get(NAMESPACE, NAME);
    const data = await combine(current?.data ?? {}, host.authorities, host.clock.now());
    if (equalJson(data, current?.data ?? {})) return;
    if (current) return replace(client, { ...current, data });
    await client.create(configMap, mapOf(data)).catch(unless(isAlreadyExists));
  },
};

const mapOf = (data: Data) => ({ metadata: { name: NAME, namespace: NAMESPACE }, data });

/**
 * Replaces the ConfigMap. If it has grown too large, it is deleted, and the retry begins with an empty one.
 * @throws ApiError so that the controller retries.
 */
async function replace(client: Client, next: ConfigMap): Promise<void> {
  try {
    await client.replace(configMap, next);
  } catch (error) {
    if (isNotFound(error)) return;
    if (isTooLarge(error)) await client.delete(configMap, NAME, { namespace: NAMESPACE });
    throw error;
  }
}

const isTooLarge = (error: unknown): boolean =>
  isApiError(error) && (error.code === 413 || (error.reason === 'Invalid' && error.message.includes('Too long')));

/** Adds this server's CA certificates and proxy settings to the stored data. @throws Error for stored data that cannot be parsed */
async function combine(existing: Data, authorities: ServerAuthorities, now: number): Promise<Data> {
  const { clientCA = '', requestHeader } = await authorities.trust();
  // If no other server has stored anything, there is nothing to merge, so the certificate reader is not loaded.
  const isAlone = Object.keys(existing).length === 0 || equalJson(existing, { 'client-ca-file': clientCA });
  if (authorities.trustsItself && isAlone) return { 'client-ca-file': clientCA };
  const unite = (...bundles: readonly string[]) =>
    uniteBundles(
      bundles.filter((bundle) => bundle !== ''),
      now,
    );
  const names = (key: string, own: readonly string[] = []) =>
    JSON.stringify([...new Set([...textsOf(existing[key]), ...own])]);
  const clients = await unite(existing['client-ca-file'] ?? '', clientCA);
  const proxies = await unite(existing['requestheader-client-ca-file'] ?? '', requestHeader?.clientCA ?? '');
  return {
    ...(clients === '' ? {} : { 'client-ca-file': clients }),
    ...(proxies === ''
      ? {}
      : {
          'requestheader-client-ca-file': proxies,
          'requestheader-allowed-names': names('requestheader-allowed-names', requestHeader?.allowedNames),
          'requestheader-username-headers': names('requestheader-username-headers', requestHeader?.usernameHeaders),
          'requestheader-group-headers': names('requestheader-group-headers', requestHeader?.groupHeaders),
          'requestheader-extra-headers-prefix': names(
            'requestheader-extra-headers-prefix',
            requestHeader?.extraHeaderPrefixes,
          ),
        }),
  };
}

/** Parses a stored list of strings. @throws Error for a value that is not a JSON array of strings. */
function textsOf(json = ''): readonly string[] {
  const list: unknown = json === '' ? [] : JSON.parse(json);
  if (list === null) return [];
  if (!Array.isArray(list) || !list.every((text) => typeof text === 'string'))
    throw new Error(`${NAMESPACE}/${NAME}: expected a list of strings`);
  return list;
}
