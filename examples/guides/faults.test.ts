import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { ApiServer, apiError, configMap, isAlreadyExists, secret } from 'orch-apiserver';
import { listen } from 'orch-apiserver/http';
import { lease } from 'orch-apiserver/kinds';
import { createFakeClock, type FakeClock, type FaultyServer, injectFaults, waitFor } from 'orch-apiserver/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { elector } from './elector.js';
import { reconcile } from './operator.js';

const always = { times: Number.POSITIVE_INFINITY };
const where = { namespace: 'default' };
let server: ApiServer;
let clock: FakeClock;
let faults: FaultyServer;

beforeEach(async () => {
  clock = createFakeClock();
  server = new ApiServer({ dialect: 'k8s', clock, certificates: { root: false } });
  await server.start();
  faults = injectFaults(server, { clock });
});
afterEach(async () => {
  faults.clear();
  await server.close();
});

it('has one leader at a time, whatever the network does', async () => {
  const client = async (userAgent: string) => await faults.client({ userAgent });
  const a = elector(await client('a'), 'a', clock);
  const b = elector(await client('b'), 'b', clock);
  expect([await a(), await b()]).toEqual([true, false]);

  // Somebody else was faster: not the leader for this time, and no harm done.
  faults.refuse({ userAgent: 'a', verb: 'update' }, ({ group, resource, name }) =>
    apiError.conflict({ group, resource }, name, 'faster'),
  );
  expect(await a()).toBe(false);
  expect(await a()).toBe(true);

  // Its answers are lost: it goes on for ten seconds. Nobody leads until the lease has ended.
  faults.lose({ userAgent: 'a' }, 'request', always);
  expect([await a(), await b()]).toEqual([true, false]);
  clock.advance(11_000);
  expect([await a(), await b()]).toEqual([false, false]);
  clock.advance(5_000);
  expect([await a(), await b()]).toEqual([false, true]);
  faults.clear();
  expect(await a()).toBe(false);

  // The machine's time jumps back by an hour: durations are not measured by it.
  clock.advance(-3_600_000);
  expect([await a(), await b()]).toEqual([false, true]);
  const { spec } = await server.client().get(lease, 'operator', { namespace: 'kube-system' });
  expect(spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
});

it('does again what may have been done', async () => {
  const client = await faults.client();
  const owner = await client.create(configMap, { metadata: { name: 'a' } }, where);
  faults.lose({ verb: 'create', resource: 'secrets' });
  await expect(reconcile(client, owner)).rejects.toThrow('the connection was lost');
  await reconcile(client, owner); // sees that it was
  await expect(client.create(secret, { metadata: { name: 'a' } }, where)).rejects.toSatisfy(isAlreadyExists);
});

it('sees every object through lost watches, expired versions and slow lists', async () => {
  const listener = await listen(faults);
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
  const create = async (name: string) => await server.client().create(configMap, { metadata: { name } }, where);
  const seen = async (name: string) =>
    await waitFor(server.client(), configMap, name, ({ data }) => data?.['seen'] === name, {
      namespace: 'kube-public',
    });
  try {
    await informer.start();
    await expect.poll(() => faults.openWatches({ resource: 'configmaps' })).toHaveLength(1);
    await create('a');
    await seen('a');

    faults.endWatches({ resource: 'configmaps' }, 'lost');
    await create('b');
    await seen('b');

    // It has to list anew, and the first list comes late.
    const slow = faults.hold({ verb: 'list', resource: 'configmaps' });
    await expect.poll(() => faults.endWatches({ resource: 'configmaps' }, 'expired')).toBe(1);
    await slow.arrived();
    await create('c');
    slow.release();
    await seen('c');
  } finally {
    await informer.stop();
    await listener.close();
  }
});
