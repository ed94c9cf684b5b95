import { type Client, type ConfigMap, configMap, isNotFound, secret } from 'orch-apiserver';

/** The operator that the guides test. It maintains a Secret for every ConfigMap with the label `secret: wanted`. */
export async function runOperator(client: Client, signal: AbortSignal): Promise<void> {
  for await (const { type, object } of client.watch(configMap, { labelSelector: 'secret=wanted', signal }))
    if (type === 'ADDED' || type === 'MODIFIED') await reconcile(client, object);
}

/** One step of the operator: creates each missing Secret, owned by its ConfigMap. */
export async function reconcile(client: Client, { metadata }: ConfigMap): Promise<void> {
  const { name = '', namespace = '', uid = '' } = metadata;
  const where = { namespace };
  const existing = await client.get(secret, name, where).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (existing) return;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, controller: true }];
  await client.create(secret, { metadata: { name, ownerReferences }, stringData: { made: 'yes' } }, where);
}
