import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ControllerDefinition } from '../../../src/exports/controllers.js';
import { ApiServer, type Client, configMap, namespace, secret } from '../../../src/index.js';
import { advance, controlOrder, createFakeClock, exploreOrders, type Order } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
let server: ApiServer;
let order: Order;
let test: Client;
let worked: string[];

/** A controller that records the keys of the ConfigMaps in the namespace, and fails for the given name. */
const noting = (name: string): ControllerDefinition => ({
  name,
  follow: ({ host, queue }) =>
    host.lister('', 'configmaps').onChange((next) => {
      if (next?.metadata.namespace === 'default') queue.add(next.metadata.name ?? '');
    }),
  async reconcile(key, { host }) {
    worked.push(`${name} ${key}${host.lister('', 'configmaps').get('default', key) ? '' : ' unseen'}`);
    if (key === 'fails') throw new Error('it fails');
  },
});

async function start() {
  worked = [];
  server = await startServer({
    dialect: 'k8s',
    clock: createFakeClock(),
    certificates: { root: false },
    controllers: { definitions: (defaults) => [...defaults, noting('one'), noting('two')], mode: 'stepped' },
  });
  await server.settle();
  worked.length = 0;
  test = server.client();
}
beforeEach(async () => {
  await start();
  order = controlOrder(server);
});
afterEach(() => server.close());

const create = (name: string) => test.create(configMap, { metadata: { name } }, where);

describe('a hold', () => {
  it('reconciles one key at a time, and names it', async () => {
    const hold = order.controllers('one').hold();
    for (const name of ['a', 'b', 'fails', 'c']) await create(name);
    await server.settle({ failures: 'ignore' });
    expect(worked).toEqual(['two a', 'two b', 'two fails', 'two c']);
    const pending = server.pending();
    expect(pending.controllers.filter(({ controller }) => controller === 'one')).toEqual(
      ['a', 'b', 'fails', 'c'].map((key) => ({ controller: 'one', key, state: 'held' })),
    );
    expect(String(pending)).toContain('controller one: key "a" is held');
    expect(hold.waiting()).toEqual(['a', 'b', 'fails', 'c'].map((key) => ({ controller: 'one', key })));

    worked.length = 0;
    expect(await hold.step()).toEqual({ controller: 'one', key: 'a' });
    expect(await hold.step('fails')).toEqual({ controller: 'one', key: 'fails', error: 'it fails' });
    expect(await hold.step('unknown')).toBeUndefined();
    await Promise.all([hold.step(), server.settle()]);
    expect(worked).toEqual(['one a', 'one fails', 'one b']);
    hold.end();
    await server.settle();
    expect(worked.slice(3)).toEqual(['one c']);
    expect(await hold.step()).toBeUndefined();
  });

  it('counts as idle for settle and advance, also when held keys failed', async () => {
    order.controllers('t*').hold();
    const all = order.controllers(['one', 'two']).hold();
    await create('fails');
    await all.step();
    await server.settle();
    await advance(server, 100);
    expect(worked).toEqual(['one fails']);
    expect(all.waiting()).toHaveLength(2);
    expect(server.pending().isAtRest).toBe(true);
    all.end();
    order.end();
    await server.settle({ failures: 'ignore' });
    expect(worked).toHaveLength(3);
  });
});

it('delays each key, by the clock of the server', async () => {
  const delay = order.controllers('one').delay(1000);
  await create('a');
  await advance(server, 500);
  await create('b');
  await server.settle();
  expect(worked).toEqual(['two a', 'two b']);
  expect(server.pending().controllers.filter(({ controller }) => controller === 'one')).toEqual([
    { controller: 'one', key: 'a', state: 'delayed', until: server.clock.now() + 500 },
    { controller: 'one', key: 'b', state: 'delayed', until: server.clock.now() + 1000 },
  ]);
  await advance(server, 500);
  expect(worked.slice(2)).toEqual(['one a']);
  delay.end();
  await server.settle();
  expect(worked.slice(2)).toEqual(['one a', 'one b']);
});

it('shuffles the keys of controllers by the seed', async () => {
  const run = async (seed: number) => {
    worked = [];
    order.end();
    order = controlOrder(server, { seed });
    order.controllers(['one', 'two']).shuffle();
    for (const name of ['a', 'b', 'c']) await create(name);
    await server.settle();
    const made = worked;
    for (const name of ['a', 'b', 'c']) await test.delete(configMap, name, where);
    await server.settle();
    return made.join(', ');
  };
  const orders = new Set<string>();
  for (let seed = 1; seed <= 6; seed++) {
    const made = await run(seed);
    expect(made.split(', ').toSorted()).toEqual(['one a', 'one b', 'one c', 'two a', 'two b', 'two c']);
    expect(await run(seed)).toBe(made);
    orders.add(made);
  }
  expect(orders.size).toBeGreaterThan(3);
});

describe('the cache of a controller', () => {
  it('shows the state before the held changes', async () => {
    await create('old');
    await create('gone');
    await server.settle();
    const hold = order.watches({ controller: 'one', resource: 'configmaps' }).hold();
    await create('new');
    await test.update(configMap, 'old', (draft) => void (draft.data = { a: '1' }), where);
    await test.delete(configMap, 'gone', where);
    worked.length = 0;
    await server.settle();
    expect(worked).toEqual(['two new', 'two old']);
    const event = (type: string, name: string) => ({
      watcher: { controller: 'one', resource: 'configmaps' },
      type,
      namespace: 'default',
      name,
    });
    expect(hold.waiting()).toMatchObject([event('ADDED', 'new'), event('MODIFIED', 'old'), event('DELETED', 'gone')]);
    expect(server.pending().held).toMatchObject([{ controller: 'one', path: 'configmaps', events: 3 }]);
    expect(String(server.pending())).toContain('cache of configmaps of controller one: 3 events are held back');

    worked.length = 0;
    hold.release(2);
    await server.settle();
    expect(worked).toEqual(['one new', 'one old']);
    hold.end();
    expect(server.pending().held).toEqual([]);
  });

  it('is stale for reads by key and by index', async () => {
    let host: Parameters<ControllerDefinition['follow']>[0]['host'] | undefined;
    const reading: ControllerDefinition = {
      name: 'reading',
      follow(context) {
        host = context.host;
        return () => {};
      },
      reconcile: async () => {},
    };
    await server.close();
    server = await startServer({
      dialect: 'k8s',
      clock: createFakeClock(),
      certificates: { root: false },
      controllers: { definitions: [reading], mode: 'stepped' },
    });
    test = server.client();
    order = controlOrder(server);
    const lister = host?.lister('', 'secrets');
    const byType = ({ metadata }: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }) =>
      Object.values(metadata.labels ?? {});
    const state = () => [
      lister?.list().map(({ metadata }) => metadata.name),
      [...(lister?.byIndex(byType, 'x') ?? [])].map(({ metadata }) => metadata.name).toSorted(),
      ['a', 'b', 'c'].map((name) => lister?.get('default', name)?.metadata.labels?.['l']),
    ];
    const label = (name: string, l: string) => ({ metadata: { name, labels: { l } } });
    await test.create(secret, label('b', 'x'), where);
    await test.create(secret, label('c', 'y'), where);
    const before = [['b', 'c'], ['b'], [undefined, 'x', 'y']];
    expect(state()).toEqual(before);
    const hold = order.watches({ controller: '*', user: 'system:serviceaccount:kube-system:reading' }).hold();
    await test.create(secret, label('a', 'x'), where);
    await test.delete(secret, 'b', where);
    await test.update(secret, 'c', (draft) => void (draft.metadata.labels = { l: 'x' }), where);
    await test.update(secret, 'c', (draft) => void (draft.metadata.labels = { l: 'z' }), where);
    expect(state()).toEqual(before);
    expect(lister?.list('other')).toEqual([]);
    hold.release();
    expect(state()).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['x', 'x', 'y'],
    ]);
    hold.release();
    expect(state()).toEqual([['a', 'c'], ['a'], ['x', undefined, 'y']]);
    hold.release();
    expect(state()).toEqual([
      ['a', 'c'],
      ['a', 'c'],
      ['x', undefined, 'x'],
    ]);
    hold.end();
    expect(state()).toEqual([['a', 'c'], ['a'], ['x', undefined, 'z']]);
  });

  it('lists again when it holds too many events', async () => {
    const hold = order.watches({ controller: 'one', resource: 'configmaps' }).hold();
    await create('b');
    await create('gone');
    await test.delete(configMap, 'gone', where);
    for (let n = 0; n < 1000; n++)
      await test.update(configMap, 'b', (draft) => void (draft.data = { n: String(n) }), where);
    expect(hold.waiting().length).toBeLessThan(10);
    await server.settle();
    expect(worked.filter((line) => line.startsWith('one'))).toEqual(['one b']);
  });

  it('lets a test show the effect of a stale cache: the garbage collector does not know a dependent yet', async () => {
    const owner = await create('owner');
    const { uid = '' } = owner.metadata;
    await server.settle();
    const hold = order.watches({ controller: 'generic-garbage-collector', resource: 'secrets' }).hold();
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await test.create(secret, { metadata: { name: 'owned', ownerReferences } }, where);
    await test.delete(configMap, 'owner', { ...where, propagationPolicy: 'Background' });
    await server.settle();
    expect(await test.get(secret, 'owned', where)).toBeDefined();
    hold.end();
    await server.settle();
    await expect(test.get(secret, 'owned', where)).rejects.toMatchObject({ code: 404 });
  });

  it('is held from the start of the server on, and after a restore', async () => {
    await server.close();
    server = new ApiServer({
      dialect: 'k8s',
      clock: createFakeClock(),
      certificates: { root: false },
      controllers: { definitions: (defaults) => [...defaults, noting('one')], mode: 'stepped' },
    });
    order = controlOrder(server);
    const hold = order.watches({ controller: 'one' }).hold();
    const keys = order.controllers('namespace-controller').hold();
    await server.start();
    test = server.client();
    await test.create(namespace, { metadata: { name: 'shop' } });
    const snapshot = server.snapshot();
    worked = [];
    await create('a');
    await test.delete(namespace, 'shop');
    await server.settle();
    expect([worked, hold.waiting().length > 0, keys.waiting()]).toEqual([
      [],
      true,
      [{ controller: 'namespace-controller', key: 'shop' }],
    ]);
    await server.restore(snapshot);
    await create('b');
    expect(hold.waiting().map(({ name }) => name)).toContain('b');
    hold.end();
    await server.settle();
    expect(worked).toEqual(['one b']);
    expect(keys.waiting()).toEqual([]);
  });
});

it('requires stepped controllers, except for watches', async () => {
  await server.close();
  server = await startServer({ certificates: { root: false } });
  order = controlOrder(server);
  const needs = "requires a server with controllers: { mode: 'stepped' }";
  expect(() => order.controllers('one')).toThrow(needs);
  expect(() => order.watches({ controller: 'one' })).toThrow(needs);
  const seen: string[] = [];
  const watch = await server.client().watch(configMap, where).opened();
  void (async () => {
    for await (const { object } of watch) seen.push(object.metadata.name ?? '');
  })();
  order.watches().shuffle();
  await server.client().create(configMap, { metadata: { name: 'a' } }, where);
  expect(seen).toEqual([]);
  await server.settle();
  expect(seen).toEqual(['a']);
  watch.close();
});

describe('exploring', () => {
  it('runs a test once for each seed, and names the seed that fails', async () => {
    const seeds: number[] = [];
    await exploreOrders({ seeds: 3 }, (seed) => seeds.push(seed));
    expect(seeds).toEqual([1, 2, 3]);
    const cause = new Error('two orders differ');
    const failing = exploreOrders({}, async (seed) => {
      if (seed === 17) throw cause;
    });
    await expect(failing).rejects.toMatchObject({
      message: 'the order of seed 17 fails; { seeds: [17] } repeats it: two orders differ',
      cause,
    });
  });

  it('refuses invalid seeds', async () => {
    for (const seeds of [0, -1, [], [0.5]]) await expect(exploreOrders({ seeds }, () => {})).rejects.toThrow(TypeError);
  });
});
