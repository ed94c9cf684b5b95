import { type Client, configMap, secret } from 'orch-apiserver';
import { kubeconfigClient } from 'orch-apiserver/client';
import { fleet } from 'orch-apiserver/testing/servers';
import { expect, it } from 'vitest';

const where = { namespace: 'default' };

/** The operator under test. It copies a ConfigMap to every cluster whose kubeconfig is in a Secret. */
async function distribute(hub: Client, name: string): Promise<void> {
  const { data = {} } = await hub.get(configMap, name, where);
  const labelSelector = 'sigs.k8s.io/multicluster-runtime-kubeconfig=true';
  for (const { data: stored } of (await hub.list(secret, { ...where, labelSelector })).items) {
    const text = Buffer.from(stored?.['kubeconfig'] ?? '', 'base64').toString();
    const member = await kubeconfigClient({ text, dialect: 'k8s' });
    await member.apply(configMap, { metadata: { name }, data }, where);
  }
}

it('copies a ConfigMap to the other clusters', async () => {
  await using clusters = await fleet(3);
  const [hub, ...members] = clusters.clusters;
  if (!hub) throw new Error('a fleet of three has a first server');
  await hub.client.create(configMap, { metadata: { name: 'prices' }, data: { apple: '1' } }, where);
  await distribute(hub.client, 'prices');
  for (const { client } of members)
    expect(await client.get(configMap, 'prices', where)).toMatchObject({ data: { apple: '1' } });
});
