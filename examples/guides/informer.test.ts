import { ApiServer, configMap, secret } from 'orch-apiserver';
import { injectFaults, waitFor, waitForDeletion } from 'orch-apiserver/testing';
import { expect, it } from 'vitest';
import { runInformedOperator } from './informer.js';

const where = { namespace: 'default' };
const wanted = (name: string) => ({ metadata: { name, labels: { secret: 'wanted', owner: 'jane' } } });

it('processes the changes that it missed while its watch had expired', async () => {
  await using server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  const stop = new AbortController();
  const faults = injectFaults(server);
  const test = faults.observer();
  await test.create(configMap, wanted('a'), where);

  const informer = await runInformedOperator(server.client({ userAgent: 'operator' }), stop.signal);
  await waitFor(test, secret, 'a', () => true, where);
  expect(informer.byIndex('owner', 'jane')).toHaveLength(1);

  // The informer's watch ends, and its next list is delayed until ConfigMap `a` is deleted and `b` is created.
  const list = faults.on({ userAgent: 'operator', verb: 'list' }).hold();
  await test.create(configMap, wanted('seen'), where);
  await waitFor(test, secret, 'seen', () => true, where);
  faults.on({ userAgent: 'operator', verb: 'watch' }).endWatch('expired');
  await list.arrived();
  await test.delete(configMap, 'a', where);
  await test.create(configMap, wanted('b'), where);
  list.end();

  await waitFor(test, secret, 'b', () => true, where);
  await waitForDeletion(test, secret, 'a', where);
  expect(informer.get('a', where)).toBeUndefined();
  stop.abort();
});
