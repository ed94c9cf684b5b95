import { configMap, isNotFound, namespace, secret } from 'orch-apiserver';
import { kubeconfigClient } from 'orch-apiserver/client';
import { waitFor, waitForDeletion } from 'orch-apiserver/testing';
import { serverTest } from 'orch-apiserver/testing/vitest';
import { expect } from 'vitest';
import { runOperator } from './operator.js';

const where = { namespace: 'shop' };
const wanted = { metadata: { name: 'a', labels: { secret: 'wanted' } } };

// This set-up runs once, and all tests of the file share it. `server.load(manifests('manifests/'))` loads a folder.
const it = serverTest({
  setUp: (server) => server.client().create(namespace, { metadata: { name: 'shop' } }),
}).extend<{ operator: string }>({
  // The operator runs during each test that uses this fixture.
  operator: async ({ server }, use) => {
    const stop = new AbortController();
    const running = runOperator(server.client({ userAgent: 'operator' }), stop.signal);
    await use('operator');
    stop.abort();
    await running;
  },
});

it('creates a Secret for a ConfigMap that requests one', async ({ client, operator }) => {
  await client.create(configMap, wanted, where);
  const made = await waitFor(client, secret, 'a', () => true, where);
  expect(made.metadata).toMatchObject({
    ownerReferences: [{ kind: 'ConfigMap' }],
    managedFields: [{ manager: operator }],
  });
});

it('leaves nothing behind: the garbage collector deletes the Secret', async ({ client, operator }) => {
  expect(operator).toBe('operator');
  await client.create(configMap, wanted, where); // The name is free, because each test has its own fork.
  await waitFor(client, secret, 'a', () => true, where);
  await client.delete(configMap, 'a', where);
  await waitForDeletion(client, secret, 'a', where);
});

it('serves other clients as well', async ({ client, kubeconfig }) => {
  // Every client accepts the same text: kubectl as a file, client-node with loadFromString.
  const remote = await kubeconfigClient({ text: kubeconfig });
  await remote.create(configMap, { metadata: { name: 'b' } }, where);
  expect(await client.get(configMap, 'b', where)).toMatchObject({ metadata: { name: 'b' } });
  await expect(client.get(configMap, 'a', where)).rejects.toSatisfy(isNotFound);
});
