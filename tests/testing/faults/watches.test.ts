import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, configMap, isConflict, isExpired } from '../../../src/index.js';
import type { FakeClock, Faults } from '../../../src/testing/index.js';
import { made, startFaulty, where } from './start-faulty.js';

let server: ApiServer;
let faults: Faults;
let clock: FakeClock;

beforeEach(async () => {
  ({ server, faults, clock } = await startFaulty());
});
afterEach(() => server.close());

const change = (name: string, n: string) =>
  faults.observer().update(configMap, name, (draft) => void (draft.data = { n }), where);

describe('a watch with a fault', () => {
  const follow = (client = server.client(), options = {}) => {
    const seen: string[] = [];
    const watch = client.watch(configMap, { ...where, ...options });
    const over = (async () => {
      for await (const { type, object } of watch) seen.push(`${type} ${object.metadata.name ?? ''}`);
    })();
    over.catch(() => {});
    return { seen, watch, over };
  };

  it('ends: by its timeout, with a lost connection, or as expired', async () => {
    for (const how of ['timeout', 'lost', 'expired'] as const) {
      const { seen, watch, over } = follow();
      await watch.opened();
      await faults.observer().create(configMap, made(how), where);
      await expect.poll(() => seen).toContain(`ADDED ${how}`);
      const end = faults.on({ verb: 'watch' }).endWatch(how);
      if (how === 'timeout') await over;
      if (how === 'lost') await expect(over).rejects.toThrow('the connection was lost');
      if (how === 'expired') await expect(over).rejects.toSatisfy(isExpired);
      expect(end.fired).toBe(1);
      expect(faults.openWatches()).toEqual([]);
    }
  });

  it('that opens next ends if none is open, or ends after some events', async () => {
    faults.on({ resource: 'configmaps' }).endWatch('lost', { afterEvents: 2 });
    const { seen, watch, over } = follow();
    await watch.opened();
    expect(faults.openWatches({ resource: 'configmaps' })).toMatchObject([{ verb: 'watch', namespace: 'default' }]);
    for (const name of ['a', 'b', 'c']) await faults.observer().create(configMap, made(name), where);
    await expect(over).rejects.toThrow('the connection was lost');
    expect(seen).toEqual(['ADDED a', 'ADDED b']);
    const next = follow();
    await next.watch.opened();
    next.watch.close();
    await next.over;
  });

  it('ends at the first of several planned ends', async () => {
    for (const [first, second] of [
      ['lost', 'timeout'],
      ['timeout', 'lost'],
    ] as const) {
      const { seen, watch, over } = follow(server.client(), { labelSelector: `ends=${first}` });
      await watch.opened();
      faults.on({ verb: 'watch' }).endWatch(first, { afterEvents: 1 });
      const later = faults.on({ verb: 'watch' }, { optional: true }).endWatch(second, { afterEvents: 3 });
      const labels = { ends: first };
      for (const n of [1, 2, 3])
        await faults.observer().create(configMap, { metadata: { name: `${first}-${n}`, labels } }, where);
      if (first === 'timeout') await over;
      else await expect(over).rejects.toThrow('the connection was lost');
      expect(seen).toEqual([`ADDED ${first}-1`]);
      expect(later.fired).toBe(0);
    }
  });

  it('breaks off after some bytes, between two events', async () => {
    const { metadata } = await faults.observer().create(configMap, made('first'), where);
    const event = JSON.stringify({
      type: 'ADDED',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { n: '1' } },
    });
    faults.on({ verb: 'watch' }).cut(Math.floor(event.length * 1.5));
    const { seen, watch, over } = follow();
    await watch.opened();
    for (const name of ['a', 'b', 'c']) await faults.observer().create(configMap, made(name), where);
    await expect(over).rejects.toThrow('the connection was lost');
    expect(seen).toEqual(['ADDED first']);
  });

  it('has no bookmarks', async () => {
    const bookmarks = { allowWatchBookmarks: true, timeoutSeconds: 300 };
    const { seen, watch } = follow(server.client(), bookmarks);
    await watch.opened();
    clock.advance(60_000);
    await expect.poll(() => seen).toEqual(['BOOKMARK ']);
    const drop = faults.on({ verb: 'watch' }).dropBookmarks();
    clock.advance(120_000);
    await expect.poll(() => drop.fired).toBe(1);
    await faults.observer().create(configMap, made('a'), where);
    await expect.poll(() => seen).toEqual(['BOOKMARK ', 'ADDED a']);
    drop.end();
    clock.advance(60_000);
    await expect.poll(() => seen).toEqual(['BOOKMARK ', 'ADDED a', 'BOOKMARK ']);
    watch.close();
  });

  it('misses as many bookmarks as the fault says, whether it opens before or after the fault', async () => {
    const open = async () => {
      const followed = follow(server.client(), { allowWatchBookmarks: true, timeoutSeconds: 300 });
      await followed.watch.opened();
      return followed;
    };
    const before = await open();
    const drop = faults.on({ verb: 'watch' }, { times: 2 }).dropBookmarks();
    before.watch.close();
    const after = await open();
    for (const fired of [1, 2]) {
      clock.advance(60_000);
      await expect.poll(() => drop.fired).toBe(fired);
    }
    expect(after.seen).toEqual([]);
    clock.advance(60_000);
    await expect.poll(() => after.seen).toEqual(['BOOKMARK ']);
    after.watch.close();
  });

  it('misses all bookmarks if it is the watch that the fault selects by its number', async () => {
    const drop = faults.on({ verb: 'watch', nth: 2 }).dropBookmarks();
    const watches: ReturnType<typeof follow>[] = [];
    for (const name of ['first', 'second']) {
      const options = { allowWatchBookmarks: true, timeoutSeconds: 300, fieldSelector: `metadata.name=${name}` };
      watches.push(follow(server.client(), options));
      await watches.at(-1)?.watch.opened();
    }
    for (const fired of [1, 2]) {
      clock.advance(60_000);
      await expect.poll(() => drop.fired).toBe(fired);
    }
    await expect.poll(() => watches.map(({ seen }) => seen)).toEqual([['BOOKMARK ', 'BOOKMARK '], []]);
    for (const { watch } of watches) watch.close();
  });

  it('does not reach its planned end if the fault ends before', async () => {
    const { seen, watch } = follow();
    await watch.opened();
    const end = faults.on({ verb: 'watch' }, { optional: true }).endWatch('lost', { afterEvents: 2 });
    await faults.observer().create(configMap, made('a'), where);
    await expect.poll(() => seen).toEqual(['ADDED a']);
    end.end();
    for (const name of ['b', 'c']) await faults.observer().create(configMap, made(name), where);
    await expect.poll(() => seen).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
    expect(end.fired).toBe(0);
    watch.close();
  });

  it('ends though an earlier watch was refused before it opened', async () => {
    const end = faults.on({ verb: 'watch' }).endWatch('lost');
    faults.on({ verb: 'watch', nth: 1 }).answer(503);
    await expect(follow().watch.opened()).rejects.toThrow('unable to handle');
    await expect(follow().over).rejects.toThrow('the connection was lost');
    expect(end.fired).toBe(1);
    const next = follow();
    await next.watch.opened();
    next.watch.close();
    await next.over;
  });
});

describe('a partition', () => {
  it('silences one client until it heals', async () => {
    const a = server.client({ userAgent: 'a' });
    const b = server.client({ userAgent: 'b' });
    const seen: string[] = [];
    const watches = [a, b].map((client) => client.watch(configMap, where));
    await Promise.all(watches.map((watch) => watch.opened()));
    for (const [i, watch] of watches.entries())
      void (async () => {
        for await (const { object } of watch) seen.push(`${'ab'[i]} ${object.metadata.name}`);
      })();
    const partition = faults.on({ userAgent: 'a' }).partition();
    const asking = a.get(configMap, 'x', where);
    await b.create(configMap, made('x'), where);
    await expect.poll(() => seen).toEqual(['b x']);
    expect(partition.fired).toBe(2);
    partition.end();
    expect((await asking).metadata.name).toBe('x');
    await expect.poll(() => seen).toEqual(['b x', 'a x']);
    for (const watch of watches) watch.close();
  });

  it('and the end of a watch have the same defaults as data', async () => {
    const watch = await server.client({ userAgent: 'a' }).watch(configMap, where).opened();
    const partition = faults.add({ match: { userAgent: 'a' }, action: { type: 'partition' } });
    const asking = server.client({ userAgent: 'a' }).list(configMap, where);
    await partition.arrived();
    partition.end();
    await asking;
    faults.add({ match: { userAgent: 'a' }, action: { type: 'endWatch' } });
    // With the default `timeout`, the iteration ends without an error.
    for await (const event of watch) expect(event).toBeUndefined();
  });

  it('hides the ends that the server sends, but not a lost connection', async () => {
    const ending = async (how: 'timeout' | 'expired' | 'lost') => {
      const watch = await server.client().watch(configMap, where).opened();
      const partition = faults.on({ resource: 'configmaps' }).partition();
      const seen: string[] = [];
      const over = (async () => {
        for await (const { type } of watch) seen.push(type);
      })().then(
        () => seen.push('end'),
        (error: Error) => seen.push(error.message),
      );
      faults.on({ verb: 'watch' }).endWatch(how);
      await server.settle();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const during = [...seen];
      partition.end();
      await over;
      return { during, after: seen };
    };
    expect(await ending('lost')).toEqual({ during: ['the connection was lost'], after: ['the connection was lost'] });
    for (const how of ['timeout', 'expired'] as const) {
      const { during, after } = await ending(how);
      expect(during).toEqual([]);
      expect(after).toContain(how === 'timeout' ? 'end' : 'The resourceVersion for the provided watch is too old.');
    }
  });

  it('breaks the open requests of one client', async () => {
    const a = server.client({ userAgent: 'a' });
    const watch = await a.watch(configMap, where).opened();
    const partition = faults.on({ userAgent: 'a' }).partition('break');
    await expect(watch[Symbol.asyncIterator]().next()).rejects.toThrow('the connection was lost');
    await expect(a.list(configMap)).rejects.toThrow('the connection was lost');
    await expect(a.watch(configMap).opened()).rejects.toThrow('the connection was lost');
    partition.end();
    await a.list(configMap);
  });
});

describe('a server with stale reads', () => {
  it('serves one earlier state consistently', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    const before = await client.list(configMap, where);
    await change('a', '2');
    await faults.observer().create(configMap, made('b'), where);
    faults.on({ resource: 'configmaps' }, { times: 'always' }).stale(2);
    expect((await client.get(configMap, 'a', where)).data).toEqual({ n: '1' });
    expect(await client.list(configMap, where)).toEqual(before);
    await expect(client.get(configMap, 'b', where)).rejects.toMatchObject({ code: 404 });
    // A write goes to the storage that all servers share, and so the server that lags behind sees everything up to it.
    await client.create(configMap, made('c'), where);
    expect((await client.get(configMap, 'a', where)).data).toEqual({ n: '2' });
    const old = await client.get(configMap, 'a', where);
    await change('a', '3');
    await expect(client.replace(configMap, { ...old, data: {} }, where)).rejects.toSatisfy(isConflict);
  });

  it('lags as far as the largest of its lags, and not as far as all of them together', async () => {
    const all = ['a', 'b', 'c'];
    for (const name of all) await faults.observer().create(configMap, made(name), where);
    const names = async () => (await server.client().list(configMap, where)).items.map(({ metadata }) => metadata.name);
    const [one, two] = [1, 2].map((by) => faults.on({ verb: 'list' }, { times: 'always' }).stale(by));
    expect(await names()).toEqual(expect.arrayContaining(['a']));
    expect(await names()).not.toContain('b');
    two?.end();
    expect(await names()).toEqual(expect.arrayContaining(['a', 'b']));
    expect(await names()).not.toContain('c');
    one?.end();
    expect(await names()).toEqual(expect.arrayContaining(all));
  });

  it('waits for a version that it does not have, and gives up', async () => {
    const client = server.client();
    const made1 = await client.create(configMap, made('a'), where);
    const { resourceVersion = '' } = made1.metadata;
    const stale = faults.on({ verb: 'get' }, { times: 'always' }).stale(1);
    const tooNew = client.get(configMap, 'a', { ...where, resourceVersion });
    await expect.poll(() => stale.fired).toBe(1);
    clock.advance(3_000);
    await expect(tooNew).rejects.toMatchObject({
      code: 504,
      message: `Timeout: Too large resource version: ${resourceVersion}, current: ${Number(resourceVersion) - 1}`,
    });
    const waits = client.get(configMap, 'a', { ...where, resourceVersion });
    await expect.poll(() => stale.fired).toBe(2);
    await faults.observer().create(configMap, made('b'), where);
    expect((await waits).metadata.name).toBe('a');
    const heals = client.get(configMap, 'b', { ...where, resourceVersion: String(Number(resourceVersion) + 1) });
    await expect.poll(() => stale.fired).toBe(3);
    stale.end();
    expect((await heals).metadata.name).toBe('b');
  });

  it('sends a watch the events up to its state', async () => {
    const client = server.client();
    const { metadata } = await client.create(configMap, made('a'), where);
    const stale = faults.on({ verb: ['list', 'watch'] }, { times: 'always' }).stale({
      resourceVersion: metadata.resourceVersion ?? '',
    });
    const seen: string[] = [];
    const watch = await client.watch(configMap, { ...where, resourceVersion: '0' }).opened();
    void (async () => {
      for await (const { type, object } of watch) seen.push(`${type} ${object.metadata.name}`);
    })();
    await change('a', '2');
    await faults.observer().create(configMap, made('b'), where);
    await faults.observer().delete(configMap, 'a', where);
    await expect.poll(() => seen).toEqual(['ADDED a']);
    expect((await client.list(configMap, where)).items).toHaveLength(1);
    stale.end();
    await expect.poll(() => seen).toEqual(['ADDED a', 'MODIFIED a', 'ADDED b', 'DELETED a']);
    watch.close();
  });
});
