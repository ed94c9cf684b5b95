import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Informer } from '../../../src/exports/client.js';
import { type ApiServer, type Client, configMap, secret } from '../../../src/index.js';
import { advance, controlOrder, createFakeClock, injectFaults, type Order } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
let server: ApiServer;
let order: Order;
let test: Client;
const ending: (() => void)[] = [];

beforeEach(async () => {
  const clock = createFakeClock();
  server = await startServer({
    dialect: 'k8s',
    clock,
    controllers: { mode: 'stepped' },
    certificates: { root: false },
  });
  order = controlOrder(server);
  test = server.client({ userAgent: 'test' });
});
afterEach(async () => {
  for (const end of ending.splice(0)) end();
  await server.close();
});

const create = (name: string) => test.create(configMap, { metadata: { name } }, where);
/** Lets the readers of events in this process run. */
const turn = async () => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Watches ConfigMaps, and returns the list of what the watch has received. Several watches may share one list. */
async function follow(userAgent: string, seen: string[] = [], react?: (name: string) => Promise<unknown>) {
  const watch = await server
    .client({ userAgent })
    .watch(configMap, { ...where, resourceVersion: '0' })
    .opened();
  ending.push(() => watch.close());
  void (async () => {
    for await (const { type, object } of watch) {
      if (object.metadata.name === 'kube-root-ca.crt') continue;
      seen.push(`${userAgent} ${type} ${object.metadata.name}`);
      await react?.(object.metadata.name ?? '');
    }
    seen.push(`${userAgent} has no more events`);
  })().catch((error: Error) => seen.push(`${userAgent} ${error.message}`));
  await turn();
  return seen;
}

describe('a hold of watch events', () => {
  it('keeps the events of matching watches, and of no others, until they are released in the order of their arrival', async () => {
    const hold = order.watches({ userAgent: 'operator/*', resource: 'configmaps' }).hold();
    const seen = await follow('operator/1');
    await follow('operator/2', seen);
    await follow('other', seen);
    await create('a');
    await create('b');
    await turn();
    expect(seen).toEqual(['other ADDED a', 'other ADDED b']);
    const event = (userAgent: string, name: string) => ({
      watcher: expect.objectContaining({ controller: '', userAgent, path: '/api/v1/namespaces/default/configmaps' }),
      type: 'ADDED',
      namespace: 'default',
      name,
      resourceVersion: expect.stringMatching(/^\d+$/),
    });
    const all = [
      event('operator/1', 'a'),
      event('operator/2', 'a'),
      event('operator/1', 'b'),
      event('operator/2', 'b'),
    ];
    expect(hold.waiting()).toEqual(all);
    expect(order.waiting()).toEqual(all);

    seen.length = 0;
    expect(hold.release()).toEqual(all.slice(0, 1));
    await turn();
    expect(seen).toEqual(['operator/1 ADDED a']);
    expect(hold.release(2)).toEqual(all.slice(1, 3));
    await turn();
    expect(seen).toEqual(['operator/1 ADDED a', 'operator/2 ADDED a', 'operator/1 ADDED b']);
    expect(hold.releaseAll()).toEqual(all.slice(3));
    expect(hold.releaseAll()).toEqual([]);
    await create('c');
    await turn();
    expect(hold.waiting()).toHaveLength(2);
    hold.end();
    await create('d');
    await turn();
    expect(seen.slice(3)).toEqual([
      'operator/2 ADDED b',
      'other ADDED c',
      'operator/1 ADDED c',
      'operator/2 ADDED c',
      ...['operator/1', 'operator/2', 'other'].map((name) => `${name} ADDED d`),
    ]);
  });

  it('affects open watches, and is part of pending without keeping the server from settling', async () => {
    const seen = await follow('operator');
    const hold = order.watches({ userAgent: 'operator' }).hold();
    await create('a');
    await server.settle({ clients: ['operator'], quiet: 5 });
    await advance(server, 1000);
    expect(seen).toEqual([]);
    const pending = server.pending();
    expect(pending.held).toMatchObject([{ controller: '', userAgent: 'operator', events: 1 }]);
    expect([pending.isAtRest, pending.watches]).toEqual([true, []]);
    expect(String(pending)).toContain(
      'watch of /api/v1/namespaces/default/configmaps by system:apiserver (operator): 1 events are held back',
    );
    hold[Symbol.dispose]();
    await server.settle({ clients: ['operator'], quiet: 5 });
    expect(seen).toEqual(['operator ADDED a']);
    expect(server.pending().held).toEqual([]);
  });

  it('holds what an informer learns', async () => {
    const informer = new Informer(server.client({ userAgent: 'operator' }), configMap, where).start();
    ending.push(() => informer.close());
    await informer.synced();
    const hold = order.watches({ userAgent: 'operator' }).hold();
    await create('a');
    await turn();
    expect(informer.get('a')).toBeUndefined();
    hold.release();
    await turn();
    expect(informer.get('a')).toBeDefined();
  });

  it('keeps 1,000 events for a watch; beyond that, the server treats it as a client that does not read', async () => {
    await server.close();
    server = await startServer({
      dialect: 'k8s',
      clock: createFakeClock(),
      storage: (await import('../../../src/exports/storage.js')).memory({ history: { maxEvents: 100 } }),
      certificates: { root: false },
    });
    order = controlOrder(server);
    test = server.client();
    const seen = await follow('slow');
    const hold = order.watches({ userAgent: 'slow' }).hold();
    await create('a');
    for (let n = 0; n < 3000; n++)
      await test.update(configMap, 'a', (draft) => void (draft.data = { n: String(n) }), where);
    expect(hold.waiting()).toHaveLength(1000);
    hold.end();
    await turn();
    expect(seen).toHaveLength(1001);
    expect(seen.at(-1)).toBe('slow has no more events');
  });

  it('ends with the server, and with the client', async () => {
    const seen = await follow('operator');
    order.watches().hold();
    await create('a');
    ending.pop()?.();
    await turn();
    expect([order.waiting(), seen]).toEqual([[], ['operator has no more events']]);
    await follow('another', seen);
    await create('b');
    const closed = server.close();
    await turn();
    await closed;
    expect(seen).toContain('another ADDED b');
  });
});

describe('a delay', () => {
  it('sends each event some time after its arrival, by the clock of the server', async () => {
    const seen = await follow('operator');
    const delay = order.watches().delay(1000);
    await create('a');
    await advance(server, 600);
    await create('b');
    expect(server.pending().timers.map(({ name }) => name)).toContain(
      'delay of the watch of /api/v1/namespaces/default/configmaps',
    );
    await advance(server, 399);
    expect(seen).toEqual([]);
    await advance(server, 1);
    expect(seen).toEqual(['operator ADDED a']);
    await advance(server, 600);
    expect(seen).toEqual(['operator ADDED a', 'operator ADDED b']);
    await create('c');
    delay.end();
    await turn();
    expect(seen).toHaveLength(3);
    expect(server.pending().timers.filter(({ name }) => name.startsWith('delay'))).toEqual([]);
  });
});

describe('a shuffle', () => {
  const run = async (seed: number) => {
    order.end();
    order = controlOrder(server, { seed });
    const seen: string[] = [];
    for (const name of ['one', 'two', 'three']) await follow(name, seen);
    using _ = order.watches({ resource: 'configmaps' }).shuffle();
    for (const name of ['a', 'b', 'c']) await create(name);
    await turn();
    expect(seen).toEqual([]);
    expect(server.pending().watches).toHaveLength(3);
    await server.settle();
    const delivered = [...seen];
    for (const end of ending.splice(0)) end();
    for (const name of ['a', 'b', 'c']) await test.delete(configMap, name, where);
    await server.settle();
    return delivered;
  };

  it('delivers one event at a time in the order of the seed, and never out of order for one watcher', async () => {
    const orders = new Set<string>();
    for (let seed = 1; seed <= 6; seed++) {
      const seen = await run(seed);
      expect(seen).toHaveLength(9);
      for (const name of ['one', 'two', 'three'])
        expect(seen.filter((line) => line.startsWith(`${name} `))).toEqual(
          ['a', 'b', 'c'].map((each) => `${name} ADDED ${each}`),
        );
      expect(await run(seed)).toEqual(seen);
      orders.add(seen.join());
    }
    expect(orders.size).toBeGreaterThan(3);
  });

  it('waits until the client has processed an event, and its consequences', async () => {
    const seen = await follow('slow', [], async (name) => {
      if (name !== 'a') return;
      for (let i = 0; i < 20; i++) await turn();
      await server.client({ userAgent: 'slow' }).create(secret, { metadata: { name: 'made' } }, where);
      seen.push('slow made a secret');
    });
    await follow('fast', seen);
    order.watches().shuffle();
    await create('a');
    await create('b');
    await server.settle();
    expect(seen.indexOf('slow made a secret')).toBe(seen.indexOf('slow ADDED a') + 1);
    expect(seen).toHaveLength(5);
  });

  it('continues past a client that waits for a later event', async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    const seen = await follow('waits', [], () => until);
    await follow('releases', seen, async () => release());
    order.watches().shuffle();
    await create('a');
    await server.settle();
    expect(seen.toSorted()).toEqual(['releases ADDED a', 'waits ADDED a']);
  });
});

it('the rule that was set last decides', async () => {
  const seen = await follow('operator');
  const all = order.watches().hold();
  const one = order.watches({ userAgent: 'operator' }).delay(0);
  await create('a');
  await turn();
  expect(seen).toEqual(['operator ADDED a']);
  one.end();
  await create('b');
  await turn();
  expect(all.waiting()).toHaveLength(1);
  order.end();
  await turn();
  expect(seen).toEqual(['operator ADDED a', 'operator ADDED b']);
});

it('works together with faults, in any order', async () => {
  for (const isFirst of [true, false]) {
    order.end();
    if (isFirst) order = controlOrder(server);
    using faults = injectFaults(server);
    if (!isFirst) order = controlOrder(server);
    const hold = order.watches({ resource: 'configmaps' }).hold();
    const seen = await follow('operator');
    faults.on({ userAgent: 'operator' }).endWatch('lost', { afterEvents: 1 });
    await create('a');
    await turn();
    expect(seen).toEqual([]);
    hold.release();
    await turn();
    await turn();
    expect(seen).toEqual(['operator ADDED a', 'operator the connection was lost']);
    faults.on({ verb: 'watch' }).cut(100);
    await expect(follow('operator')).resolves.toEqual([]);
    faults.on({ verb: 'create' }).conflict();
    await expect(create('b')).rejects.toMatchObject({ code: 409 });
    await test.delete(configMap, 'a', where);
    hold.end();
  }
});

it('refuses invalid values', () => {
  const wrong: [() => unknown, string][] = [
    [() => controlOrder(server), 'the order of this server is already controlled'],
    [() => controlOrder(server, { seed: 0.5 }), 'the seed must be a whole number: 0.5'],
    [() => order.watches({ users: 'x' } as object), 'did you mean "user"?'],
    [() => order.watches({ verb: 'watch' } as object), 'there is no option verb'],
    [() => order.watches({ nth: 1 } as object), 'there is no option nth'],
    [() => order.watches(null as never), 'a matcher must be an object'],
    [() => order.watches([] as never), 'a matcher must be an object'],
    [() => order.watches({ controller: [] }), 'watches: controller must be a string'],
    [() => order.watches().delay(-1), 'delay: the time must be a number of milliseconds, not -1'],
    [() => order.watches().hold().release(0), 'integer of at least 1, not 0'],
    [() => order.controllers(7 as never), 'controllers: names must be a string'],
    [
      () => order.controllers(['generic-garbage-colector']),
      'no controller has the name "generic-garbage-colector"; did you mean "generic-garbage-collector"?',
    ],
    [() => order.controllers('garbage*'), 'controllers: names: no controller has the name "garbage*"'],
    [() => order.controllers('garbage*'), 'the server has '],
    [() => order.controllers(''), 'no controller has the name ""'],
    [() => order.watches({ controller: 'typo' }), 'watches: controller: no controller has the name "typo"'],
  ];
  for (const [make, message] of wrong) expect(make).toThrow(message);
});
