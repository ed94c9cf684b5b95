import { describe, expect, it } from 'vitest';
import { anonymous } from '../../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../../src/authorization/always-allow.js';
import { configMap } from '../../../src/index.js';
import { level } from '../../../src/store/level/level.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { ask } from '../../support/ask.js';
import { FaultyLevel } from '../../support/faulty-level.js';
import { startServer } from '../../support/servers.js';

interface Thing {
  readonly n: number;
}
const FULL = new Error('IO error: /data/000003.log: No space left on device');
const SECOND = 1000;

async function opened() {
  const database = new FaultyLevel();
  const clock = createFakeClock();
  const open = () => level({ database })<Thing>({ clock, stamp: (value) => value, equals: (a, b) => a.n === b.n });
  const store = await open();
  const put = (key: string, n = 0) => store.guaranteedUpdate(key, () => ({ action: 'put', value: { n } }));
  const keys = () => store.list('').entries.map(({ key }) => key);
  return { database, clock, open, store, put, keys };
}
/** Waits until all work has run that does not wait for timers or for the disk. */
const turns = async () => {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
};

describe('a write that is not durable yet', () => {
  it('is invisible to readers, watches and waits', async () => {
    const { database, store, put } = await opened();
    await put('/a', 1);
    const { revision } = store;
    const watch = store.watch('', revision);
    database.hold();
    const writing = put('/a', 2);
    let isReached = false;
    const waiting = Promise.resolve(store.waitFor(revision + 1)).then(() => {
      isReached = true;
    });
    await turns();
    expect([store.revision, store.get('/a')?.value.n, store.list('').entries[0]?.value.n]).toEqual([revision, 1, 1]);
    expect([watch.take(), isReached]).toEqual([[], false]);
    await store.waitFor();
    database.release();
    expect((await writing).entry?.revision).toBe(revision + 1);
    await waiting;
    expect([store.get('/a')?.value.n, watch.take().length]).toEqual([2, 1]);
  });
  it('delays other writes of its key, and only those', async () => {
    const { database, store, put } = await opened();
    database.hold();
    const order: string[] = [];
    const first = put('/a', 1).then(() => order.push('first'));
    await turns();
    const second = store
      .guaranteedUpdate('/a', (current) => ({ action: 'put', value: { n: (current?.value.n ?? 0) + 10 } }))
      .then(() => order.push('second'));
    const kept = store.guaranteedUpdate('/a', () => ({ action: 'keep' })).then(() => order.push('kept'));
    expect(await store.guaranteedUpdate('/b', () => ({ action: 'keep' }))).toMatchObject({ outcome: 'unchanged' });
    await turns();
    expect(order).toEqual([]);
    database.release();
    await Promise.all([first, second, kept]);
    expect(order[0]).toBe('first');
    expect(store.get('/a')?.value.n).toBe(11);
  });
  it('delays writes that depend on its key', async () => {
    const { database, store, put } = await opened();
    database.hold();
    const first = put('/names/a', 1);
    await turns();
    const seen: number[] = [];
    const count = () => {
      seen.push(store.count('/names/'));
      return { action: 'put', value: { n: store.count('/names/') } } as const;
    };
    const second = store.guaranteedUpdate('/count', count, { dependsOn: ['/names/'] });
    await turns();
    database.release();
    await Promise.all([first, second]);
    expect([seen, store.get('/count')?.value.n]).toEqual([[0, 1], 1]);
  });
  it('shares its flush with all concurrent writes', async () => {
    const { database, store, put } = await opened();
    const before = database.batches.length;
    database.hold();
    const writes = [put('/first')];
    await turns();
    for (let n = 0; n < 50; n++) writes.push(put(`/${n}`));
    await turns();
    database.release();
    const results = await Promise.all(writes);
    expect(database.batches.slice(before).map(({ length }) => length)).toEqual([1, 50]);
    expect(results.map(({ entry }) => entry?.revision)).toEqual(results.map((_, index) => 2 + index));
    expect(store.revision).toBe(52);
  });
  it('shares its flush with the next writes of the clients that the previous commit has answered', async () => {
    const { database, put } = await opened();
    const client = async (name: string) => {
      for (let i = 0; i < 10; i++) {
        await put(`/${name}/${i}`);
        for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
      }
    };
    const before = database.batches.length;
    database.hold();
    const early = ['a', 'b', 'c', 'd', 'e'].map(client);
    await turns();
    const late = ['f', 'g', 'h'].map(client);
    await turns();
    database.release();
    await Promise.all([...early, ...late]);
    const sizes = database.batches.slice(before).map((batch) => batch.length);
    expect(sizes).toEqual([5, ...Array(9).fill(8), 3]);
  });
  it('waits for other writes for five milliseconds at most', async () => {
    const { database, clock, put } = await opened();
    const before = database.batches.length;
    const writes: Promise<unknown>[] = [];
    const writeInEachTurn = async () => {
      for (let turn = 0; turn < 10; turn++) {
        writes.push(put(`/${writes.length}`));
        await new Promise(setImmediate);
      }
    };
    await writeInEachTurn();
    expect(database.batches.length).toBe(before);
    clock.advance(5);
    await writeInEachTurn();
    expect(database.batches[before]?.length).toBe(11);
    await Promise.all(writes);
  });
  it('is completed by close', async () => {
    const { database, open, store, put } = await opened();
    database.hold();
    const writing = put('/a', 1);
    await turns();
    const closing = store.close();
    await expect(put('/b')).rejects.toMatchObject({ code: 'closed' });
    database.release();
    await Promise.all([writing, closing]);
    const again = await open();
    expect(again.get('/a')?.value.n).toBe(1);
    await again.close();
  });
});

describe('a full disk', () => {
  it('fails this write and those behind it, while reads continue', async () => {
    const { database, store, put, keys } = await opened();
    await put('/a', 1);
    const watch = store.watch('', store.revision);
    database.fault = FULL;
    database.hold();
    const writes = [put('/b')];
    await turns();
    writes.push(put('/c'), put('/d'));
    await turns();
    database.release();
    for (const write of writes) await expect(write).rejects.toMatchObject({ code: 'storageFull' });
    await expect(put('/e')).rejects.toThrow('the disk is full (IO error: /data/000003.log: No space left on device)');
    expect([keys(), store.revision, watch.take(), watch.state]).toEqual([['/a'], 2, [], 'live']);
  });
  it.each([0, 1, 2, 3])('keeps nothing of the failed writes, of which the disk has %i', async (written) => {
    const { database, clock, open, store, put, keys } = await opened();
    await put('/a', 1);
    Object.assign(database, { fault: FULL, written });
    const failed = ['/a', '/b', '/c'].map((key) => put(key, 2));
    for (const write of failed) await expect(write).rejects.toMatchObject({ code: 'storageFull' });
    database.fault = undefined;
    clock.advance(SECOND);
    const { entry } = await put('/d', 3);
    expect([keys(), entry?.revision, store.get('/a')?.value.n]).toEqual([['/a', '/d'], 3, 1]);
    await store.close();
    const again = await open();
    expect(again.list('').entries.map(({ key, value }) => [key, value.n])).toEqual([
      ['/a', 1],
      ['/d', 3],
    ]);
    expect(
      again
        .watch('', 1)
        .take()
        .map(({ key, value }) => [key, value.n]),
    ).toEqual([
      ['/a', 1],
      ['/d', 3],
    ]);
    await again.close();
  });
  it('is retried once a second, and used again as soon as there is room', async () => {
    const { database, clock, put } = await opened();
    database.fault = FULL;
    await expect(put('/a')).rejects.toThrow('the disk is full');
    const { openings } = database;
    for (let attempt = 0; attempt < 10; attempt++) await expect(put('/a')).rejects.toThrow('the disk is full');
    expect(database.openings).toBe(openings);
    clock.advance(SECOND);
    for (let attempt = 0; attempt < 10; attempt++) await expect(put('/a')).rejects.toThrow('the disk is full');
    expect(database.openings).toBe(openings + 1);
    database.fault = undefined;
    await expect(put('/a')).rejects.toThrow('the disk is full');
    clock.advance(SECOND);
    expect((await put('/a')).outcome).toBe('created');
  });
  it('has the error of a full etcd', async () => {
    const database = new FaultyLevel();
    const clock = createFakeClock();
    await using server = await startServer({
      dialect: 'k8s',
      storage: level({ database }),
      clock,
      authentication: [anonymous()],
      authorization: [alwaysAllow()],
    });
    const where = { namespace: 'default' };
    const client = server.client();
    await client.create(configMap, { metadata: { name: 'a' } }, where);
    database.fault = FULL;
    const { status, value } = await ask(server, {
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { metadata: { name: 'b' } },
    });
    expect([status, value.message]).toEqual([500, 'etcdserver: mvcc: database space exceeded']);
    expect((await client.get(configMap, 'a', where)).metadata.name).toBe('a');
    database.fault = undefined;
    clock.advance(SECOND);
    await client.create(configMap, { metadata: { name: 'b' } }, where);
  });
});

describe('a disk with other errors', () => {
  it('makes the store unavailable with a reason', async () => {
    const { database, clock, put } = await opened();
    database.fault = new Error('IO error: Input/output error');
    await expect(put('/a')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the database cannot be written: IO error: Input/output error',
    });
    database.fault = undefined;
    clock.advance(SECOND);
    expect((await put('/a')).outcome).toBe('created');
  });
  it('is reported until the database can be opened again, even without writes', async () => {
    const { database, clock, store, put } = await opened();
    database.fault = new Error('IO error: Input/output error');
    await expect(put('/a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(store.problem).toBe('the database cannot be written: IO error: Input/output error');
    clock.advance(SECOND);
    await expect.poll(() => clock.pendingTimers).toBe(1);
    expect(store.problem).toBeDefined();
    database.fault = undefined;
    clock.advance(SECOND);
    await expect.poll(() => store.problem).toBeUndefined();
    expect((await put('/a')).outcome).toBe('created');
    await store.close();
    expect(clock.pendingTimers).toBe(0);
  });
  it('does not make the server unhealthy when the space is used up, so that reads continue', async () => {
    const { database, store, put } = await opened();
    database.fault = FULL;
    await expect(put('/a')).rejects.toMatchObject({ code: 'storageFull' });
    expect(store.problem).toBeUndefined();
  });
  it('is not used again when another process used the database meanwhile', async () => {
    const { database, clock, put, keys } = await opened();
    await put('/a');
    database.fault = new Error('IO error');
    await expect(put('/b')).rejects.toMatchObject({ code: 'unavailable' });
    database.fault = undefined;
    await database.inner.put('!opened', '2');
    await database.inner.put('v0000000000000003/of-another', 'x');
    clock.advance(SECOND);
    await expect(put('/c')).rejects.toThrow('another process has opened it meanwhile: restart the server');
    expect(await database.inner.open().then(() => database.inner.get('v0000000000000003/of-another'))).toBe('x');
    expect(keys()).toEqual(['/a']);
  });
});

describe('a disk that does not respond', () => {
  const late = { code: 'unavailable', message: 'the database did not respond within 7 seconds' };

  it('is waited for seven seconds, by its writes and by those behind them', async () => {
    const { database, clock, store, put } = await opened();
    database.hold();
    const [first, behind] = [put('/a'), turns().then(() => put('/b'))];
    await turns();
    clock.advance(7 * SECOND - 1);
    await turns();
    expect(store.problem).toBeUndefined();
    clock.advance(1);
    await expect(first).rejects.toMatchObject(late);
    await expect(behind).rejects.toMatchObject(late);
    expect(store.problem).toBe(late.message);
    await expect(put('/c')).rejects.toMatchObject(late);
    await expect(put('/a')).rejects.toMatchObject(late);
    expect(database.batches.flat().filter(({ key }) => key.startsWith('v'))).toHaveLength(1);
    database.release();
    await store.close();
  });
  it('has its late writes applied once, when it responds at last', async () => {
    const { database, clock, open, store, put, keys } = await opened();
    await put('/a', 1);
    await put('/gone');
    const { revision } = store;
    const watch = store.watch('', revision);
    const fresh: string[] = [];
    const reading = (async () => {
      for await (const { type, key, revision: at } of watch) fresh.push(`${type} ${key} ${at - revision}`);
    })();
    database.hold();
    const writes = [
      put('/a', 2),
      put('/b', 1),
      store.guaranteedUpdate('/gone', () => ({ action: 'delete' })),
      turns().then(() => put('/never')),
    ];
    await turns();
    clock.advance(7 * SECOND);
    for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected');
    expect(keys()).toEqual(['/a', '/gone']);
    database.release();
    await expect.poll(() => store.problem).toBeUndefined();
    expect(keys()).toEqual(['/a', '/b']);
    expect(store.get('/a')?.value).toEqual({ n: 2 });
    expect((await put('/a', 3)).outcome).toBe('updated');
    expect((await put('/b', 1)).outcome).toBe('unchanged');
    await store.close();
    await reading;
    expect(fresh).toEqual(['put /a 1', 'put /b 2', 'delete /gone 3', 'put /a 4']);
    expect(clock.pendingTimers).toBe(0);

    const again = await open();
    expect(again.list('').entries.map(({ key, value }) => [key, value.n])).toEqual([
      ['/a', 3],
      ['/b', 1],
    ]);
    await again.close();
  });
  it('has its late writes dropped when they fail at last', async () => {
    const { database, clock, store, put, keys } = await opened();
    database.hold();
    const writing = put('/a');
    await turns();
    clock.advance(7 * SECOND);
    await expect(writing).rejects.toMatchObject(late);
    database.fault = new Error('IO error');
    database.written = 1;
    database.release();
    await expect.poll(() => store.problem).toBe('the database cannot be written: IO error');
    database.fault = undefined;
    clock.advance(SECOND);
    await expect.poll(() => store.problem).toBeUndefined();
    expect(keys()).toEqual([]);
    expect((await put('/a')).outcome).toBe('created');
    await store.close();
  });
});
