import { type ConfigMap, configMap, isNotFound, secret } from 'orch-apiserver';
import { type Client, Informer } from 'orch-apiserver/client';
import { reconcile } from './operator.js';

/**
 * An operator outside the server that maintains a Secret for every ConfigMap with the label `secret: wanted`. Its client is
 * `server.client()` in a test, and `kubeconfigClient(…)` or `remoteClient(…)` in a cluster.
 */
export async function runInformedOperator(client: Client, signal: AbortSignal): Promise<Informer<ConfigMap>> {
  const keys = new Set<string>();
  const keyOf = ({ metadata }: ConfigMap) => `${metadata.namespace}/${metadata.name}`;
  const informer = new Informer(client, configMap, {
    labelSelector: 'secret=wanted',
    indexers: { owner: ({ metadata }) => [metadata.labels?.['owner'] ?? ''] },
    onError: (error) => console.error(error),
    signal,
  });

  // Handlers only queue the key. What has to be done is decided later from the cache, which may be newer by then.
  let working: Promise<void> | undefined;
  const add = (object: ConfigMap) => {
    keys.add(keyOf(object));
    working ??= work().finally(() => (working = undefined));
  };
  informer.addEventHandler({
    onAdd: add,
    onUpdate: (_old, object) => add(object),
    onDelete: add, // called for missed deletions, too, once a later list lacks the object
  });

  async function work(): Promise<void> {
    for (const key of keys) {
      keys.delete(key);
      const object = informer.getByKey(key);
      if (object) await reconcile(client, object);
      else await removeSecret(key);
    }
  }
  async function removeSecret(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    await client.delete(secret, name, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  await informer.start().synced();
  return informer;
}
