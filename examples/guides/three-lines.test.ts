import { ApiServer, configMap } from 'orch-apiserver';
import { injectFaults } from 'orch-apiserver/testing';
import { expect, it } from 'vitest';

it('updates through two conflicts', async () => {
  await using server = new ApiServer();
  await server.start();
  const where = { namespace: 'default' };
  await server.client().create(configMap, { metadata: { name: 'a' } }, where);

  using faults = injectFaults(server);
  faults.on({ verb: 'update', resource: 'configmaps', nth: [1, 2] }).conflict();
  const { data } = await server.client().update(configMap, 'a', (draft) => void (draft.data = { n: '2' }), where);
  expect(data).toEqual({ n: '2' });
});
