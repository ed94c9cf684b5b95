import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import { namespace } from 'orch-apiserver';
import { forkedServers } from 'orch-apiserver/testing/servers';

// The original is started and set up once, before the first fork.
const servers = forkedServers({
  setUp: (server) => server.client().create(namespace, { metadata: { name: 'shop' } }),
});
let fork;
beforeEach(async () => {
  fork = await servers.fork();
});
afterEach(() => fork.close());
after(() => servers.close());

const shops = async () => {
  const { items } = await fork.client.list(namespace);
  return items.filter(({ metadata }) => metadata.name === 'shop').length;
};

test('deleting a namespace deletes its objects', async () => {
  await fork.client.delete(namespace, 'shop');
  await fork.server.settle();
  assert.equal(await shops(), 0);
});

test('the next test has the namespace again', async () => {
  assert.equal(await shops(), 1);
});
