import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import type { Client } from '../../../src/client/client.js';
import { Informer } from '../../../src/client/informer/informer.js';
import { remoteClient } from '../../../src/client/remote/remote-client.js';
import { listen } from '../../../src/http/index.js';
import { kubeconfigClient } from '../../../src/kubeconfig/kubeconfig-client.js';
import { type ConfigMap, configMap, namespace } from '../../../src/resources/core/index.js';
import {
  createFakeClock,
  type FakeClock,
  type Faults,
  injectFaults,
  recordRequests,
} from '../../../src/testing/index.js';
import { openServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const maps = { resource: 'configmaps', userAgent: 'informer' };

/** The ways in which the client of an informer connects to its server. */
const WAYS: Record<string, (server: ApiServer) => Promise<{ client: Client; close?: () => Promise<void> }>> = {
  'in process': async (server) => ({ client: server.client({ userAgent: 'informer' }) }),
  'over HTTPS': async (server) => {
    const listener = await listen(server);
    const text = await listener.kubeconfig();
    const client = await kubeconfigClient({ text, dialect: 'k8s', userAgent: 'informer' });
    return { client, close: () => listener.close() };
  },
};

/** Records the calls of handlers as lines that a test can wait for. */
class Calls {
  readonly lines: string[] = [];
  #wake = () => {};

  constructor(informer: Informer<ConfigMap>) {
    const text = ({ metadata, data }: ConfigMap) => `${metadata.name}=${data?.['n'] ?? ''}`;
    informer.addEventHandler({
      onAdd: (object, isInInitialList) => this.#add(`${isInInitialList ? 'initial' : 'add'} ${text(object)}`),
      onUpdate: (old, next) => this.#add(`update ${text(old)} ${text(next)}`),
      onDelete: (object, isFinalStateUnknown) =>
        this.#add(`delete ${text(object)}${isFinalStateUnknown ? ' unseen' : ''}`),
    });
  }

  /** Reads the lines up to a given one; the time limit of the test applies. */
  async upTo(line: string): Promise<string[]> {
    for (;;) {
      const at = this.lines.indexOf(line);
      if (at >= 0) return this.lines.splice(0, at + 1);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #add(line: string): void {
    this.lines.push(line);
    this.#wake();
  }
}

describe.each(Object.entries(WAYS))('an informer %s', (_, open) => {
  let server: ApiServer;
  let faults: Faults;
  let test: Client;
  let close: (() => Promise<void>) | undefined;
  let informer: Informer<ConfigMap>;
  let calls: Calls;
  let errors: string[];

  const create = (name: string, n = '1') => test.create(configMap, { metadata: { name }, data: { n } }, where);
  const change = (name: string, n: string) => test.patch(configMap, name, { data: { n } }, where);
  const remove = (name: string) => test.delete(configMap, name, where);

  beforeEach(async () => {
    server = await openServer();
    faults = injectFaults(server);
    test = faults.observer();
    await test.create(namespace, { metadata: { name: 'default' } }).catch(() => {});
    const way = await open(server);
    close = way.close;
    errors = [];
    informer = new Informer(way.client, configMap, {
      ...where,
      indexers: { byN: ({ data }) => Object.values(data ?? {}) },
      onError: (error) => errors.push(String(error)),
    });
    calls = new Calls(informer);
  });
  afterEach(async () => {
    informer.close();
    await close?.();
    await server.close();
    faults.verify();
  });

  it('lists, then follows changes, and has the objects in its cache', async () => {
    await create('a');
    await create('b', '2');
    expect(informer.hasSynced).toBe(false);
    await informer.start().synced();
    expect(informer.hasSynced).toBe(true);
    expect(calls.lines.splice(0)).toEqual(['initial a=1', 'initial b=2']);

    await create('c', '2');
    await change('a', '2');
    expect(await calls.upTo('update a=1 a=2')).toEqual(['add c=2', 'update a=1 a=2']);
    const names = (objects: readonly ConfigMap[]) => objects.map(({ metadata }) => metadata.name).sort();
    expect(names(informer.list())).toEqual(['a', 'b', 'c']);
    expect(names(informer.list({ namespace: 'default' }))).toEqual(['a', 'b', 'c']);
    expect(informer.list({ namespace: 'other' })).toEqual([]);
    expect(names(informer.byIndex('byN', '2'))).toEqual(['a', 'b', 'c']);
    expect(informer.byIndex('byN', '1')).toEqual([]);
    expect(() => informer.byIndex('byM', '1')).toThrow('no index "byM"');
    expect(informer.get('a')).toBe(informer.getByKey('default/a'));
    expect(Object.isFrozen(informer.get('a')?.data)).toBe(true);

    await remove('b');
    expect(await calls.upTo('delete b=2')).toEqual(['delete b=2']);
    expect(informer.get('b')).toBeUndefined();
    expect(names(informer.byIndex('byN', '2'))).toEqual(['a', 'c']);
    expect(errors).toEqual([]);
  });

  it('calls a handler that is added later for the cached objects, and does not call a removed one', async () => {
    await create('a');
    await informer.start().synced();
    const later: string[] = [];
    const stop = informer.addEventHandler({
      onAdd: ({ metadata }, initial) => later.push(`${metadata.name} ${initial}`),
    });
    expect(later).toEqual(['a true']);
    await create('b');
    await calls.upTo('add b=1');
    expect(later).toEqual(['a true', 'b false']);
    stop();
    await create('c');
    await calls.upTo('add c=1');
    expect(later).toHaveLength(2);
  });

  it('continues after a lost watch', async () => {
    await create('a');
    await informer.start().synced();
    await create('b');
    await calls.upTo('add b=1');
    const refused = faults.on({ ...maps, verb: 'list' }, { optional: true }).refuse();
    faults.on({ ...maps, verb: 'watch' }).endWatch('lost');
    await remove('a');
    await create('c');
    expect(await calls.upTo('add c=1')).toEqual(['delete a=1', 'add c=1']);
    expect(refused.fired).toBe(0); // The informer did not need another list.
  });

  it('lists again when its version has expired, and reports the deletions that it missed', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    await informer.start().synced();
    calls.lines.length = 0;
    const held = faults.on({ ...maps, verb: 'list' }).hold();
    await opened();
    faults.on({ ...maps, verb: 'watch' }).endWatch('expired');
    await held.arrived({ timeout: 60_000 });
    await remove('a');
    await change('b', '2');
    await remove('c');
    await create('c', '3');
    await create('e');
    held.end();
    const seen = await calls.upTo('add e=1');
    expect(seen).toEqual(['delete a=1 unseen', 'update b=1 b=2', 'delete c=1 unseen', 'add c=3', 'add e=1']);
    expect(informer.get('a')).toBeUndefined();
    expect(informer.list()).toHaveLength(4);
    expect(errors).toEqual([]);
  });

  it('never goes back to the older state of a server that is behind', async () => {
    await create('a');
    await informer.start().synced();
    await change('a', '2');
    await calls.upTo('update a=1 a=2');
    const { metadata } = await create('late');
    await calls.upTo('add late=1');
    const before = String(Number(metadata.resourceVersion) - 2);
    const requests = recordRequests(server);
    const stale = faults.on(maps, { times: 'always' }).stale({ resourceVersion: before });
    faults.on({ ...maps, verb: 'watch' }).endWatch('expired');
    const list = faults.on({ ...maps, verb: 'list' }).delay(0);
    while (list.fired === 0) await new Promise((resolve) => setImmediate(resolve));
    stale.end();
    await change('a', '3');
    expect(await calls.upTo('update a=2 a=3')).toEqual(['update a=2 a=3']);
    expect(informer.get('late')).toBeDefined();
    const lists = [...requests].filter(({ verb, userAgent }) => verb === 'list' && userAgent.startsWith('informer'));
    expect(lists[0]?.query).toContain('resourceVersionMatch=NotOlderThan');
  });

  it('retries a list that is refused, and reports what it waits for', async () => {
    await create('a');
    faults.on({ ...maps, verb: 'list' }).answer(403);
    await informer.start().synced();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('forbidden');
    expect(informer.lastError).toBeUndefined();
    expect(calls.lines).toEqual(['initial a=1']);
  });

  it('follows a server that was restored to an earlier state', async () => {
    await create('a');
    const before = server.snapshot();
    await create('b');
    await informer.start().synced();
    await opened();
    await server.restore(before);
    await calls.upTo('delete b=1 unseen');
    await create('c');
    expect((await calls.upTo('add c=1')).at(-1)).toBe('add c=1');
  });

  /** Resolves when the watch of the informer is open, which shows by a change that it receives. */
  async function opened(): Promise<void> {
    await create('open');
    await calls.upTo('add open=1');
    await remove('open');
    await calls.upTo('delete open=1');
  }
});

describe('an informer', () => {
  let server: ApiServer;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = createFakeClock();
    server = await openServer({ clock });
    await server
      .client()
      .create(namespace, { metadata: { name: 'default' } })
      .catch(() => {});
  });
  afterEach(() => server.close());

  it('waits longer after each failure, by the clock of the server', async () => {
    const faults = injectFaults(server);
    const times: number[] = [];
    const fault = faults.on({ ...maps, verb: 'list' }, { times: 8 }).refuse();
    const informer = new Informer(server.client({ userAgent: 'informer' }), configMap, {
      onError: () => times.push(clock.monotonic()),
    });
    const synced = informer.start().synced();
    for (let last = -1; times.length < 8; ) {
      await new Promise((resolve) => setImmediate(resolve));
      if (times.length === last) clock.advance(100);
      last = times.length;
    }
    const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(waits[0]).toBe(0);
    for (const [i, wait] of waits.slice(1).entries()) {
      const least = Math.min(800 * 2 ** i, 30_000);
      expect(wait).toBeGreaterThanOrEqual(least);
      expect(wait).toBeLessThanOrEqual(2 * least + 200);
    }
    expect(fault.fired).toBe(8);
    informer.close();
    await expect(synced).rejects.toThrow(/^configmaps had not synced before the informer was closed: .*lost/);
  });

  it('opens another watch if one sends nothing beyond its timeout', async () => {
    const faults = injectFaults(server);
    const informer = new Informer(server.client({ userAgent: 'informer' }), configMap, where).start();
    const calls = new Calls(informer);
    await informer.synced();
    await server.client().create(configMap, { metadata: { name: 'a' } }, where);
    await calls.upTo('add a=');
    const partition = faults.on({ ...maps, verb: 'watch' }).partition();
    await faults.observer().create(configMap, { metadata: { name: 'b' } }, where);
    for (let i = 0; i < 70; i++) {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    partition.end();
    await calls.upTo('add b=');
    informer.close();
  });

  it('reads long lists in pages, or at once if their version expires meanwhile', async () => {
    const creations = Array.from({ length: 501 }, (_, i) =>
      server.client().create(configMap, { metadata: { name: `m${i}` } }, where),
    );
    await Promise.all(creations);
    const faults = injectFaults(server);
    const one = new Informer(server.client({ userAgent: 'informer' }), configMap, where).start();
    await one.synced();
    expect(one.list()).toHaveLength(501);
    faults.on({ ...maps, verb: 'list', nth: 2 }).answer(410);
    const other = new Informer(server.client({ userAgent: 'informer' }), configMap, where).start();
    await other.synced();
    expect(other.list()).toHaveLength(501);
    faults.verify();
    one.close();
    other.close();
  });

  it('belongs to one fork', async () => {
    await server.client().create(configMap, { metadata: { name: 'a' } }, where);
    await using fork = server.fork();
    const ofFork = new Informer(fork.client(), configMap, where).start();
    const ofServer = new Informer(server.client(), configMap, where).start();
    await Promise.all([ofFork.synced(), ofServer.synced()]);
    const calls = new Calls(ofFork);
    await server.client().create(configMap, { metadata: { name: 'b' } }, where);
    await fork.client().create(configMap, { metadata: { name: 'c' } }, where);
    expect(await calls.upTo('add c=')).toEqual(['initial a=', 'add c=']);
    ofFork.close();
    ofServer.close();
  });

  it('calls no handler after it is stopped, and leaves no timer behind', async () => {
    const stop = new AbortController();
    const timers = clock.pendingTimers;
    const informer = new Informer(server.client(), configMap, { ...where, signal: stop.signal }).start();
    const calls = new Calls(informer);
    await informer.synced();
    await server.client().create(configMap, { metadata: { name: 'a' } }, where);
    await calls.upTo('add a=');
    stop.abort();
    await server.client().create(configMap, { metadata: { name: 'b' } }, where);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls.lines).toEqual([]);
    expect(clock.pendingTimers).toBeLessThanOrEqual(timers + 1); // This is the timer of the history.
    expect(informer.get('a', where)).toBeDefined();
  });

  it('continues after a handler or an index function throws, and reports the error', async () => {
    const errors: unknown[] = [];
    const indexers = {
      broken: () => {
        throw new Error('index');
      },
    };
    const informer = new Informer(server.client(), configMap, {
      ...where,
      indexers,
      onError: (error) => errors.push(error),
    });
    informer.addEventHandler({
      onAdd: () => {
        throw new Error('handler');
      },
    });
    informer.addEventHandler({ onAdd: async () => Promise.reject(new Error('promise')) });
    const calls = new Calls(informer);
    await informer.start().synced();
    await server.client().create(configMap, { metadata: { name: 'a' } }, where);
    await calls.upTo('add a=');
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors.map(String).sort()).toEqual(['Error: handler', 'Error: index', 'Error: promise']);
    expect(informer.byIndex('broken', 'x')).toEqual([]);
    informer.close();
  });

  it('refuses invalid arguments', async () => {
    const client = await remoteClient({ server: 'https://127.0.0.1:1' });
    expect(() => new Informer(client, configMap, { index: {} } as object)).toThrow(TypeError);
    const informer = new Informer(client, configMap);
    await expect(informer.synced()).rejects.toThrow('start the informer');
    informer.start();
    await expect(informer.synced({ signal: AbortSignal.abort() })).rejects.toThrow('had not synced before the signal');
    informer.close();
  });
});
