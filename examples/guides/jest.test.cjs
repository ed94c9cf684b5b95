const { configMap, isConflict, namespace } = require('orch-apiserver');
const { forkedServers } = require('orch-apiserver/testing/servers');

const where = { namespace: 'shop' };
// The original is started and set up once, before the first fork.
const servers = forkedServers({
  setUp: (server) => server.client().create(namespace, { metadata: { name: 'shop' } }),
});
let fork;
beforeEach(async () => {
  fork = await servers.fork();
});
afterEach(() => fork.close());
afterAll(() => servers.close());

test('a stale update is a conflict', async () => {
  const { client } = fork;
  const stale = await client.create(configMap, { metadata: { name: 'a' }, data: { n: '1' } }, where);
  await client.patch(configMap, 'a', { data: { n: '2' } }, where);
  const error = await client.replace(configMap, { ...stale, data: { n: '3' } }).catch((problem) => problem);
  expect(isConflict(error)).toBe(true);
  expect(error.message).toContain('the object has been modified');
});

test('each test has a server of its own', async () => {
  const { items } = await fork.client.list(configMap, { ...where, fieldSelector: 'metadata.name=a' });
  expect(items).toEqual([]);
  // `new KubeConfig().loadFromString(…)` of @kubernetes/client-node accepts this text.
  expect(await fork.kubeconfig()).toContain('https://127.0.0.1:');
});
