import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { ApiServer, configMap, isAlreadyExists, secret } from 'orch-apiserver';
import { listen } from 'orch-apiserver/http';
import { lease } from 'orch-apiserver/kinds';
import { createFakeClock, type FakeClock, type Faults, injectFaults, waitFor } from 'orch-apiserver/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { elector } from './elector.js';
import { reconcile } from './operator.js';

const where = { namespace: 'default' };
let server: ApiServer;
let clock: FakeClock;
let faults: Faults;

beforeEach(async () => {
  clock = createFakeClock();
  server = new ApiServer({ dialect: 'k8s', clock, certificates: { root: false } });
  await server.start();
  faults = injectFaults(server);
});
afterEach(async () => {
  await server.close();
  faults.verify(); // a fault that never fired fails its test
});

it('repeats a write whose response was lost', async () => {
  const client = server.client();
  const owner = await client.create(configMap, { metadata: { name: 'a' } }, where);
  faults.on({ verb: 'create', resource: 'secrets' }).loseAnswer();
  await expect(reconcile(client, owner)).rejects.toThrow('the connection was lost');
  await reconcile(client, owner); // sees that it was done
  await expect(client.create(secret, { metadata: { name: 'a' } }, where)).rejects.toSatisfy(isAlreadyExists);
});

it('has one leader at a time during network faults', async () => {
  const a = elector(server.client({ userAgent: 'a' }), 'a', clock);
  const b = elector(server.client({ userAgent: 'b' }), 'b', clock);
  expect([await a(), await b()]).toEqual([true, false]);

  // Another writer was faster. This candidate does not lead this time, and nothing was damaged.
  faults.on({ userAgent: 'a', verb: 'update' }).conflict();
  expect(await a()).toBe(false);
  expect(await a()).toBe(true);

  // The leader is cut off, and stops leading after ten seconds. There is no leader until the lease expires.
  const partition = faults.on({ userAgent: 'a' }).partition('break');
  expect([await a(), await b()]).toEqual([true, false]);
  clock.advance(11_000);
  expect([await a(), await b()]).toEqual([false, false]);
  clock.advance(5_000);
  expect([await a(), await b()]).toEqual([false, true]);
  partition.end();
  expect(await a()).toBe(false);

  // The time of day goes back by an hour. Durations are measured by a monotonic clock, so nothing happens.
  clock.advance(-3_600_000);
  expect([await a(), await b()]).toEqual([false, true]);
  const { spec } = await faults.observer().get(lease, 'operator', { namespace: 'kube-system' });
  expect(spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
});

it('sees every object through lost watches, expired versions and slow lists', async () => {
  const listener = await listen(server);
  const config = new KubeConfig();
  config.loadFromString(await listener.kubeconfig());
  const core = config.makeApiClient(CoreV1Api);
  const path = '/api/v1/namespaces/default/configmaps';
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap(where));
  informer.on('error', () => void informer.start());
  informer.on('add', async ({ metadata }) => {
    const data = { seen: metadata?.name ?? '' };
    await core.createNamespacedConfigMap({ namespace: 'kube-public', body: { metadata: { name: data.seen }, data } });
  });
  const test = faults.observer();
  const create = async (name: string) => await test.create(configMap, { metadata: { name } }, where);
  const seen = async (name: string) =>
    await waitFor(test, configMap, name, ({ data }) => data?.['seen'] === name, { namespace: 'kube-public' });
  const maps = { resource: 'configmaps', namespace: 'default' };
  try {
    await informer.start();
    await create('a');
    await seen('a');

    faults.on(maps).endWatch('lost');
    await create('b');
    await seen('b');

    // The informer has to list again, and its first list is delayed.
    const slow = faults.on({ ...maps, verb: 'list' }).hold();
    faults.on(maps).endWatch('expired');
    await slow.arrived();
    await create('c');
    slow.end();
    await seen('c');
  } finally {
    await informer.stop();
    await listener.close();
  }
});
