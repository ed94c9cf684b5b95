import { AppsV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { type Site, siteDefinition, startOperator } from '../../examples/operator.js';
import { ApiServer } from '../../src/api-server.js';
import { listen } from '../../src/http/index.js';

const SITES = { group: 'example.com', version: 'v1', plural: 'sites', namespace: 'default' };

it('an operator with @kubernetes/client-node lists, watches and reconciles over HTTPS', async () => {
  await using server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  await server.install(siteDefinition);
  const listener = await listen(server);
  const config = new KubeConfig();
  config.loadFromString(await listener.kubeconfig());
  const sites = config.makeApiClient(CustomObjectsApi);
  const apps = config.makeApiClient(AppsV1Api);
  const create = (name: string, spec: object) =>
    sites.createNamespacedCustomObject({
      ...SITES,
      body: { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name }, spec },
    });
  const site = async (name: string) => (await sites.getNamespacedCustomObject({ ...SITES, name })) as Site;
  const replicas = async (name: string) =>
    (await apps.readNamespacedDeployment({ namespace: 'default', name })).spec?.replicas;

  await create('before', { image: 'nginx' });
  const operator = await startOperator(config);
  await create('after', { image: 'nginx', replicas: 2 });
  for (const name of ['before', 'after'])
    await expect.poll(async () => (await site(name)).status).toEqual({ observedGeneration: 1, deployment: name });
  expect([await replicas('before'), await replicas('after')]).toEqual([1, 2]);

  await sites.replaceNamespacedCustomObject({
    ...SITES,
    name: 'after',
    body: { ...(await site('after')), spec: { image: 'nginx', replicas: 5 } },
  });
  await expect.poll(async () => (await site('after')).status?.observedGeneration).toBe(2);
  expect(await replicas('after')).toBe(5);

  // The objects of a site are deleted with it.
  await sites.deleteNamespacedCustomObject({ ...SITES, name: 'after' });
  await expect.poll(() => replicas('after').catch(({ code }: { code: number }) => code)).toBe(404);
  expect(await replicas('before')).toBe(1);
  await operator.stop();
  await listener.close();
});
