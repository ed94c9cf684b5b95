const { ApiServer, configMap, isConflict } = require('orch-apiserver');

const where = { namespace: 'default' };
let server;

beforeAll(async () => {
  server = new ApiServer({ dialect: 'k8s' });
  await server.start();
});
afterAll(() => server.close());

test('a stale update is a conflict', async () => {
  const client = server.client();
  const stale = await client.create(configMap, { metadata: { name: 'a' }, data: { n: '1' } }, where);
  await client.patch(configMap, 'a', { data: { n: '2' } }, where);
  const error = await client.replace(configMap, { ...stale, data: { n: '3' } }).catch((problem) => problem);
  expect(isConflict(error)).toBe(true);
  expect(error.message).toContain('the object has been modified');
});
