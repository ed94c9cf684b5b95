import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiServer, namespace } from 'orch-apiserver';

let server;
before(async () => {
  server = new ApiServer({ dialect: 'k8s' });
  await server.start();
});
after(() => server.close());

test('a namespace goes with all that is in it', async () => {
  const client = server.client();
  await client.create(namespace, { metadata: { name: 'shop' } });
  await client.delete(namespace, 'shop');
  await server.settle();
  const { items } = await client.list(namespace);
  assert.deepEqual(
    items.filter(({ metadata }) => metadata.name === 'shop'),
    [],
  );
});
