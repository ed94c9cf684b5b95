import { isAlreadyExists } from '../../meta/api-error.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ConfigMap } from '../../resources/core/core-v1.types.js';
import { configMap } from '../../resources/core/index.js';
import { type ControllerDefinition, type ControllerHost, stopAll } from '../controller.js';
import { isNamespaceGone } from '../namespaces/namespace-gone.js';
import { seedsOf } from '../seed.js';
import { addAuthority } from './authority-bundles.js';

const DESCRIPTION = 'description';

/** The namespace whose ConfigMap contains the CA certificates of all servers that share the storage. */
const SOURCE = 'kube-system';

/**
 * Keeps a ConfigMap in every namespace that is not being deleted. It contains the CA certificate that verifies the server's certificate. If
 * the servers on one storage generate a CA each, every server adds its own CA certificate to the ConfigMap of kube-system and drops expired
 * ones from it. The ConfigMaps of all other namespaces are then copies of the one in kube-system.
 */
export const rootCa: ControllerDefinition = {
  name: 'root-ca-certificate-publisher',
  switchedBy: ['root-ca-certificate-publisher-controller', 'root-ca-cert-publisher'],
  account: 'root-ca-cert-publisher',
  // A CA that a server generated itself is known only to that server, so every server has to run the controller.
  inEveryServer: ({ authorities }) => !authorities.rootIsGiven,
  async seeds({ authorities, dialect, lister }) {
    const pem = await authorities.root();
    const living = lister<ApiObject>('', 'namespaces').list();
    return [
      seedsOf(
        configMap,
        pem === undefined ? [] : living.map(({ metadata }) => mapOf(dialect, metadata.name ?? '', pem)),
      ),
    ];
  },
  follow({ host, queue }) {
    const namespaces = host.lister('', 'namespaces');
    for (const { metadata } of namespaces.list()) queue.add(metadata.name ?? '');
    const stopNamespaces = namespaces.onChange((next) => next && queue.add(next.metadata.name ?? ''));
    const stopMaps = host.lister('', 'configmaps').onChange((next, previous) => {
      const { name, namespace } = (next ?? previous)?.metadata ?? {};
      if (name !== host.dialect.rootCaConfigMap) return;
      queue.add(namespace ?? '');
      if (namespace === SOURCE) for (const { metadata } of namespaces.list()) queue.add(metadata.name ?? '');
    });
    return stopAll([stopNamespaces, stopMaps]);
  },
  async reconcile(namespace, { host, client }) {
    const own = await host.authorities.root();
    const object = host.lister('', 'namespaces').get('', namespace);
    if (own === undefined || !object || object.metadata.deletionTimestamp !== undefined) return;
    const pem = host.authorities.rootIsGiven ? own : await unitedAuthorities(own, namespace, host);
    // The ConfigMap of kube-system does not have this server's CA certificate yet, so it is not copied.
    if (pem === undefined) return;
    const name = host.dialect.rootCaConfigMap;
    const annotation = domainName(host.dialect, DESCRIPTION);
    const desired = mapOf(host.dialect, namespace, pem);
    const current = host.lister<ConfigMap>('', 'configmaps').get(namespace, name);
    try {
      if (!current) {
        await client.create(configMap, desired);
        return;
      }
      const described = (current.metadata.annotations?.[annotation] ?? '') !== '';
      if (described && current.data?.['ca.crt'] === pem && Object.keys(current.data).length === 1) return;
      const annotations = { ...current.metadata.annotations, ...desired.metadata.annotations };
      // The controller's account may not read ConfigMaps, so the controller replaces the version that is in its lister. After a conflict
      // the key is reconciled again.
      await client.replace(configMap, {
        ...current,
        metadata: { ...current.metadata, annotations },
        data: desired.data,
      });
    } catch (error) {
      if (!isAlreadyExists(error) && !isNamespaceGone(error)) throw error;
    }
  },
};

/** Returns the CA bundle of all servers; undefined while the ConfigMap of kube-system does not contain this server's CA certificate. */
async function unitedAuthorities(own: string, namespace: string, { lister, dialect, clock }: ControllerHost) {
  const usesOwnMap = namespace === SOURCE || lister('', 'namespaces').get('', SOURCE) === undefined;
  const source = usesOwnMap ? namespace : SOURCE;
  const existing = lister<ConfigMap>('', 'configmaps').get(source, dialect.rootCaConfigMap)?.data?.['ca.crt'] ?? '';
  if (!usesOwnMap) return existing.includes(own) ? existing : undefined;
  return await addAuthority(existing, own, clock.now());
}

function mapOf(dialect: Dialect, namespace: string, pem: string) {
  const { apiServerName, apiService, apiTitle, rootCaConfigMap: name } = dialect;
  const description =
    `Contains a CA bundle that can be used to verify the ${apiServerName} when using internal endpoints such as the internal ` +
    `service IP or ${apiService}.default.svc. No other usage is guaranteed across distributions of ${apiTitle} clusters.`;
  const annotations = { [domainName(dialect, DESCRIPTION)]: description };
  return { metadata: { name, namespace, annotations }, data: { 'ca.crt': pem } };
}
