import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { Informer } from '../../../src/client/informer/informer.js';
import { remoteClient } from '../../../src/client/remote/remote-client.js';
import { configMap, namespace } from '../../../src/resources/core/index.js';
import { createFakeClock, type FakeClock, injectFaults } from '../../../src/testing/index.js';
import { openServer } from '../../support/servers.js';
import { Calls, describeInformer, maps, where } from './describe-informer.js';

describeInformer('in process', async (server) => ({ client: server.client({ userAgent: 'informer' }) }));

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
