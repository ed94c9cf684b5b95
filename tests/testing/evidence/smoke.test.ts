import { expect, it } from 'vitest';
import { ApiServer, configMap } from '../../../src/index.js';
import { minimalRoles, received, recordRequests, replay } from '../../../src/testing/index.js';

const where = { namespace: 'default' };
it('smokes', async () => {
  await using server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  await server.settle();
  await using fork = server.fork();
  const log = recordRequests(server);
  const client = server.client({ userAgent: 'op/1', user: { username: 'jane', groups: ['system:masters'] } });
  await client.create(configMap, { metadata: { name: 'a' }, data: { x: '1' } }, where);
  await client.update(configMap, 'a', (d) => void (d.data = { x: '2' }), where);
  await client.get(configMap, 'b', where).catch(() => {});
  await client.list(configMap, where);
  await client.delete(configMap, 'a', where);
  console.log(JSON.stringify(log.get(1), null, 1));
  for (const e of log)
    console.log(e.number, e.verb, e.name, e.status, e.reason, e.resourceVersion, e.count, e.basedOn, e.changes.length);
  console.log(minimalRoles(log, 'jane').yaml, log.bytes);
  console.log((await replay(log, fork)).text);
  try {
    received(log, { verb: 'create', resource: 'secrets' });
  } catch (e) {
    console.log(String(e));
  }
  expect(1).toBe(1);
});
