import { ApiServer, type Client, configMap } from 'orch-apiserver';
import { Informer } from 'orch-apiserver/client';
import type { ControllerDefinition } from 'orch-apiserver/controllers';
import {
  assertDeterministic,
  controlOrder,
  exploreOrders,
  insecureDeterministic,
  waitFor,
} from 'orch-apiserver/testing';
import { expect, it } from 'vitest';

const where = { namespace: 'default' };

/** Doubles the number in a ConfigMap, once. */
const doubler: ControllerDefinition = {
  name: 'doubler',
  follow: ({ host, queue }) =>
    host.lister('', 'configmaps').onChange((next) => {
      if (next?.metadata.name === 'number') queue.add('number');
    }),
  async reconcile(name, { client }) {
    const { data } = await client.get(configMap, name, where);
    if (data?.['doubled']) return;
    const doubled = String(Number(data?.['value']) * 2);
    await client.patch(configMap, name, { data: { value: doubled, doubled: 'yes' } }, where);
  },
};

function makeServer(seed: number) {
  const controllers = { definitions: (defaults: readonly ControllerDefinition[]) => [...defaults, doubler] };
  return new ApiServer({
    dialect: 'k8s',
    ...insecureDeterministic({ seed }),
    controllers: { ...controllers, mode: 'stepped' },
  });
}

const create = (client: Client, value: string) =>
  client.create(configMap, { metadata: { name: 'number' }, data: { value } }, where);

it('shows an operator an event only after the update', async () => {
  await using server = makeServer(1);
  await server.start();
  using order = controlOrder(server);
  using informer = new Informer(server.client({ userAgent: 'operator' }), configMap, where).start();
  await informer.synced();

  const hold = order.watches({ userAgent: 'operator' }).hold();
  await create(server.client(), '1');
  await server.client().patch(configMap, 'number', { data: { value: '2' } }, where);
  expect(informer.get('number')).toBeUndefined();
  expect(hold.waiting().map(({ type, name }) => `${type} ${name}`)).toEqual(['ADDED number', 'MODIFIED number']);

  const seen: unknown[] = [];
  informer.addEventHandler({ onAdd: ({ data }) => seen.push(data), onUpdate: (_, { data }) => seen.push(data) });
  seen.length = 0;
  hold.release(); // delivers one event
  hold.end(); // delivers the others
  await server.settle({ clients: ['operator'] });
  expect(seen.slice(0, 2)).toEqual([{ value: '1' }, { value: '2' }]);
});

it('steps through the queue of a controller', async () => {
  await using server = makeServer(1);
  await server.start();
  using order = controlOrder(server);
  const hold = order.controllers('doubler').hold();
  await create(server.client(), '1');
  await server.settle(); // all work but that of the held controller
  expect(String(server.pending())).toContain('controller doubler: key "number" is held');
  expect(await hold.step()).toEqual({ controller: 'doubler', key: 'number' });
  expect(await server.client().get(configMap, 'number', where)).toMatchObject({ data: { value: '2' } });
});

it('shows a controller an earlier state', async () => {
  await using server = makeServer(1);
  await server.start();
  using order = controlOrder(server);
  const hold = order.watches({ controller: 'doubler', resource: 'configmaps' }).hold();
  await create(server.client(), '1');
  await server.settle();
  expect(hold.waiting()).toHaveLength(1);
  hold.releaseAll();
  await server.settle();
  await waitFor(server.client(), configMap, 'number', ({ data }) => data?.['value'] === '2', where);
});

it('finds the order in which two controllers disagree', async () => {
  const halver: ControllerDefinition = {
    ...doubler,
    name: 'halver',
    async reconcile(name, { client }) {
      const { data } = await client.get(configMap, name, where);
      if (!data?.['doubled']) await client.patch(configMap, name, { data: { value: '0', doubled: 'never' } }, where);
    },
  };
  const run = async (seed: number) => {
    const { controllers: _, ...options } = insecureDeterministic({ seed });
    const definitions = (defaults: readonly ControllerDefinition[]) => [...defaults, doubler, halver];
    await using server = new ApiServer({ ...options, controllers: { definitions, mode: 'stepped' } });
    await server.start();
    using order = controlOrder(server, { seed });
    order.controllers(['doubler', 'halver']).shuffle();
    await create(server.client(), '1');
    await server.settle();
    expect((await server.client().get(configMap, 'number', where)).data?.['value']).toBe('2');
  };
  await expect(exploreOrders({ seeds: 20 }, run)).rejects.toThrow(
    /^the order of seed \d+ fails; \{ seeds: \[\d+\] \} repeats it/,
  );
});

it('produces the same output each time', async () => {
  const { hash } = await assertDeterministic(
    async ({ follow, seed, record }) => {
      const server = follow(makeServer(seed));
      await server.start();
      await create(server.client(), '1');
      await server.settle();
      record('certificate', await server.issueClientCertificate({ username: 'jane' }));
    },
    { seed: 7, replays: 3 },
  );
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});
