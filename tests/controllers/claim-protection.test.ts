import { expect, it } from 'vitest';
import { persistentVolumeClaim, pod } from '../../src/exports/kinds.js';
import { startServer } from '../support/servers.js';

const at = { namespace: 'default' };
const claimSpec = { accessModes: ['ReadWriteOnce'] as const, resources: { requests: { storage: '1Gi' } } };
const template = { spec: claimSpec };

async function start() {
  const server = await startServer({ controllers: { mode: 'stepped' } });
  await server.settle();
  const client = server.client();
  const makePod = (name: string, volume: object, nodeName = 'n1', finalizers: string[] = []) =>
    client.create(
      pod,
      {
        metadata: { name, finalizers },
        spec: { nodeName, containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', ...volume }] },
      } as never,
      at,
    );
  const makeClaim = (name: string, metadata: object = {}) =>
    client.create(persistentVolumeClaim, { metadata: { name, ...metadata }, spec: claimSpec }, at);
  const isThere = async (name: string) => {
    await server.settle();
    return client.get(persistentVolumeClaim, name, at).then(
      () => true,
      () => false,
    );
  };
  return { server, client, makePod, makeClaim, isThere, [Symbol.asyncDispose]: () => server.close() };
}

it('a claim that a pod names is kept until the pod is deleted, even after the pod has finished', async () => {
  await using started = await start();
  const { client, makePod, makeClaim, isThere } = started;
  for (const name of ['used', 'waiting']) await makeClaim(name);
  await makePod('ended', { persistentVolumeClaim: { claimName: 'used' } });
  await makePod('unassigned', { persistentVolumeClaim: { claimName: 'waiting' } }, '');
  await client.patch(pod, 'ended', { status: { phase: 'Succeeded' } }, { ...at, subresource: 'status' });
  for (const name of ['used', 'waiting']) await client.delete(persistentVolumeClaim, name, at);
  expect(await isThere('used')).toBe(true);
  expect(await isThere('waiting')).toBe(false);
  await client.delete(pod, 'ended', { ...at, gracePeriodSeconds: 0 });
  expect(await isThere('used')).toBe(false);
});

it('the claim of an ephemeral volume is kept until its own pod is deleted', async () => {
  await using started = await start();
  const { client, makePod, makeClaim, isThere } = started;
  const { metadata } = await makePod('p', { ephemeral: { volumeClaimTemplate: template } }, 'n1', ['example.com/hold']);
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: metadata.uid ?? '', controller: true };
  await makeClaim('p-v', { ownerReferences: [owner] });
  await client.delete(persistentVolumeClaim, 'p-v', at);
  expect(await isThere('p-v')).toBe(true);
  await client.delete(pod, 'p', { ...at, gracePeriodSeconds: 0 });
  expect(await isThere('p-v')).toBe(false);
});

it("a claim that only has the name of an ephemeral volume's claim is not in use", async () => {
  await using started = await start();
  const { client, makePod, makeClaim, isThere } = started;
  await makePod('p', { ephemeral: { volumeClaimTemplate: template } });
  await makeClaim('p-v');
  await client.delete(persistentVolumeClaim, 'p-v', at);
  expect(await isThere('p-v')).toBe(false);
});
