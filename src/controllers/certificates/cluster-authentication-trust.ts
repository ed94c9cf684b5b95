import { isAlreadyExists, isNotFound } from '../../meta/api-error.js';
import type { ConfigMap } from '../../resources/core/config-map.js';
import { configMap } from '../../resources/core/index.js';
import type { ControllerDefinition } from '../controller.js';
import { seedsOf } from '../seed.js';
import type { AuthenticationTrust } from '../server-authorities.js';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';

/** Keeps the ConfigMap from which other servers learn how callers are known here. */
export const clusterAuthenticationTrust: ControllerDefinition = {
  name: 'cluster-authentication-trust',
  ofServer: true,
  onFirstUseOf: [configMap],
  async seeds({ authorities }) {
    const data = dataOf(await authorities.trust());
    return Object.keys(data).length === 0 ? [] : [seedsOf(configMap, [mapOf(data)])];
  },
  follow({ host, queue }) {
    queue.add(NAME);
    return host.lister('', 'configmaps').onChange((next, previous) => {
      const { name, namespace } = (next ?? previous)?.metadata ?? {};
      if (name === NAME && namespace === NAMESPACE) queue.add(NAME);
    });
  },
  async reconcile(_key, { host, client }) {
    const data = dataOf(await host.authorities.trust());
    if (Object.keys(data).length === 0) return;
    const current = host.lister<ConfigMap>('', 'configmaps').get(NAMESPACE, NAME);
    if (!current) {
      await client.create(configMap, mapOf(data)).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
      return;
    }
    const kept = current.data ?? {};
    if (Object.entries(data).every(([key, value]) => kept[key] === value)) return;
    await client.replace(configMap, { ...current, data: { ...kept, ...data } }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  },
};

const mapOf = (data: Readonly<Record<string, string>>) => ({ metadata: { name: NAME, namespace: NAMESPACE }, data });

function dataOf({ clientCA, requestHeader }: AuthenticationTrust): Record<string, string> {
  return {
    ...(clientCA ? { 'client-ca-file': clientCA } : {}),
    ...(requestHeader
      ? {
          'requestheader-client-ca-file': requestHeader.clientCA,
          'requestheader-allowed-names': JSON.stringify(requestHeader.allowedNames),
          'requestheader-username-headers': JSON.stringify(requestHeader.usernameHeaders),
          'requestheader-group-headers': JSON.stringify(requestHeader.groupHeaders),
          'requestheader-extra-headers-prefix': JSON.stringify(requestHeader.extraHeaderPrefixes),
        }
      : {}),
  };
}
