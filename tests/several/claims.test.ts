import { expect, it } from 'vitest';
import { namespace, service } from '../../src/exports/kinds.js';
import { configMap, isApiError } from '../../src/index.js';
import { openWorld, serverOf } from './world.js';

const inDefault = { namespace: 'default' };
const spec = { ports: [{ port: 80, protocol: 'TCP' as const, targetPort: 80 }] };
const outcomes = async (all: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map((one) => (one.status === 'fulfilled' ? 'made' : one.reason.message));

it("no address and no node port is allocated twice, however late servers learn of each other's writes", async () => {
  const network = { serviceNetwork: { clusterIpRanges: ['10.0.0.0/27'], nodePorts: { first: 30000, last: 30025 } } };
  await using world = await openWorld([{ network }, { network }, { network }]);
  await world.rest();
  await serverOf(world, 0).client().list(service, {});
  await world.rest();
  world.hold();
  const make = (i: number) =>
    serverOf(world, i)
      .client()
      .create(service, { metadata: { name: `s${i}` }, spec: { ...spec, type: 'NodePort' } }, inDefault);
  expect(await outcomes(Array.from({ length: 26 }, (_, i) => make(i)))).toEqual(Array(26).fill('made'));
  const { items } = await serverOf(world, 1).client().list(service, inDefault);
  const own = items.filter(({ metadata }) => metadata.name !== 'kubernetes');
  expect(new Set(items.map((each) => each.spec.clusterIP)).size).toBe(items.length);
  expect(new Set(own.map((each) => each.spec.ports?.[0]?.nodePort)).size).toBe(26);
  expect(await outcomes([make(90)])).toEqual(['Internal error occurred: failed to allocate a nodePort: range is full']);
});

it('a requested address is allocated by one of two servers', async () => {
  await using world = await openWorld(2);
  await world.rest();
  world.hold();
  const make = (i: number) =>
    serverOf(world, i)
      .client()
      .create(service, { metadata: { name: `s${i}` }, spec: { ...spec, clusterIP: '10.0.0.7' } }, inDefault);
  const all = await outcomes([make(0), make(1)]);
  expect(all.sort()).toEqual([
    expect.stringContaining(
      'spec.clusterIPs: Invalid value: []string{"10.0.0.7"}: failed to allocate IP 10.0.0.7: provided IP is already allocated',
    ),
    'made',
  ]);
});

it('an address in an update or an apply is allocated by one of two servers', async () => {
  await using world = await openWorld(2);
  await world.rest();
  const names = ['a', 'b'];
  for (const [i, name] of names.entries())
    await serverOf(world, i).client().create(service, { metadata: { name }, spec }, inDefault);
  await world.rest();
  world.hold();
  const ports = [{ ...spec.ports[0], nodePort: 30007 }];
  const changed = await outcomes(
    names.map((name, i) =>
      serverOf(world, i)
        .client()
        .patch(service, name, { spec: { type: 'NodePort', ports } }, inDefault),
    ),
  );
  expect(changed.sort()).toEqual([expect.stringContaining('provided port is already allocated'), 'made']);
  // These values are in the part of the range from which no value is allocated at random, so neither of the first two Services has one
  // of them.
  const applied = await outcomes(
    ['c', 'd'].map((name, i) =>
      serverOf(world, i)
        .client()
        .apply(
          service,
          { metadata: { name }, spec: { ...spec, clusterIP: '10.0.0.8' } },
          { ...inDefault, fieldManager: 'm' },
        ),
    ),
  );
  expect(applied.sort()).toEqual([expect.stringContaining('provided IP is already allocated'), 'made']);
});

it('no object is created in a namespace that another server deletes, and nothing is left behind', async () => {
  await using world = await openWorld(2);
  const [one, other] = [serverOf(world, 0), serverOf(world, 1)];
  await one.client().create(namespace, { metadata: { name: 'going' } });
  await world.rest();
  world.hold();
  await one.client().delete(namespace, 'going');
  const late = other.client().create(configMap, { metadata: { name: 'late' } }, { namespace: 'going' });
  const refusal = await late.catch((error: unknown) => error);
  expect(isApiError(refusal) && [refusal.code, refusal.reason]).toEqual([403, 'Forbidden']);
  await world.rest();
  expect((await one.client().list(configMap, { namespace: 'going' })).items).toEqual([]);
  await expect(other.client().get(namespace, 'going')).rejects.toThrow('not found');
});

it('objects can be created at once in a namespace that another server has created', async () => {
  await using world = await openWorld(2);
  await world.rest();
  world.hold();
  await serverOf(world, 0)
    .client()
    .create(namespace, { metadata: { name: 'fresh' } });
  const made = await serverOf(world, 1)
    .client()
    .create(configMap, { metadata: { name: 'a' } }, { namespace: 'fresh' });
  expect(made.metadata.namespace).toBe('fresh');
});
