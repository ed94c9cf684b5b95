import { expect, it } from 'vitest';
import { resourceQuota } from '../../../src/exports/kinds.js';
import { configMap, serviceAccount } from '../../../src/resources/core/index.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };

it('the default objects of a namespace are created again once a quota allows it', async () => {
  const clock = createFakeClock();
  await using server = await startServer({ dialect: 'k8s', clock, controllers: { mode: 'stepped' } });
  await server.settle();
  const client = server.client();
  const hard = { 'count/serviceaccounts': '0', 'count/configmaps': '0' };
  await client.create(resourceQuota, { metadata: { name: 'none' }, spec: { hard } }, where);
  await server.settle();
  const kinds = [
    [serviceAccount, 'default'],
    [configMap, 'kube-root-ca.crt'],
  ] as const;
  const there = () =>
    Promise.all(
      kinds.map(([kind, name]) =>
        client.get(kind as typeof configMap, name, where).then(
          () => true,
          () => false,
        ),
      ),
    );
  for (const [kind, name] of kinds) await client.delete(kind as typeof configMap, name, where);
  await server.settle();
  expect(await there()).toEqual([false, false]);
  await client.delete(resourceQuota, 'none', where);
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(60_000);
    await server.settle();
  }
  expect(await there()).toEqual([true, true]);
});
