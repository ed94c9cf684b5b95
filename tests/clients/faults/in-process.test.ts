import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Informer } from '../../../src/exports/client.js';
import { configMap } from '../../../src/index.js';
import type { Fault, FaultBuilder } from '../../../src/testing/index.js';
import {
  countLists,
  type FaultyServer,
  MAPS,
  newName,
  openFaultyServer,
  readOneVersionBehind,
  where,
} from './faulty-server.js';
import { guideColumn } from './guide-column.js';

/* How the typed client and its informer react to each fault: a column of the table in docs/guides/faults.md. */

const guide = guideColumn('`server.client()`, `Informer`');
const robot = { username: 'robot', groups: ['system:masters'] };
const ROBOT = { ...MAPS, user: 'robot' };
const LOST = 'the connection was lost';
const TWICE_LOST = /the connection was lost[\s\S]*the connection was lost/;

let opened: FaultyServer;
beforeAll(async () => {
  opened = await openFaultyServer();
});
afterEach(() => {
  opened.faults.verify();
  opened.faults.clear();
});
afterAll(() => opened[Symbol.asyncDispose]());

const client = () => opened.server.client({ user: robot });
const on = (verb: string) => opened.faults.on({ ...MAPS, verb });
const get = () => client().get(configMap, 'a', where);
const create = (name: string) => client().create(configMap, { metadata: { name } }, where);
const update = () => client().update(configMap, 'a', (draft) => void (draft.data = { value: newName() }), where);
const values = async (from: AsyncIterable<{ readonly object: object }>) => {
  for await (const _ of from);
};

/** Starts an informer and waits until it watches; `sees` resolves when it has a value of the config map `a`. */
async function startInformer() {
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push(String(error));
  const informer = new Informer(client(), configMap, { ...where, onError }).start();
  await informer.synced();
  await expect.poll(() => opened.faults.openWatches(ROBOT)).toHaveLength(1);
  const sees = (value: string) => expect.poll(() => informer.get('a')?.data?.['value'], { timeout: 5000 }).toBe(value);
  return { errors, sees, informer, [Symbol.dispose]: () => informer.close() };
}

/** Injects a fault into the list of an informer, and another one into its watch. Returns their failures once each has seen a later write. */
async function informerMeets(set: (builder: FaultBuilder) => Fault): Promise<string> {
  const failures: string[] = [];
  // The first retry follows at once, so that an informer that fails once does not wait.
  for (const verb of ['list', 'watch']) {
    set(on(verb));
    using informer = await startInformer();
    const value = newName();
    await opened.write(value);
    await informer.sees(value);
    failures.push(...informer.errors);
  }
  return failures.join('\n');
}

it(
  guide.title('`answer(401)`, `answer(403)`, `answer(404)`', 'throws the error; the informer tries again'),
  async () => {
    for (const code of [401, 403, 404] as const) {
      on('get').answer(code);
      await expect(get()).rejects.toMatchObject({ code });
    }
    expect(await informerMeets((builder) => builder.answer(403))).toMatch(/forbidden[\s\S]*forbidden/);
  },
);

it(
  guide.title('`conflict()`', '`update` reads and writes again, up to 100 times; other calls throw the error'),
  async () => {
    const conflict = opened.faults.on({ ...MAPS, verb: 'update' }, { times: 2 }).conflict();
    await update();
    expect(conflict.fired).toBe(2);
    const always = opened.faults.on({ ...MAPS, verb: 'update' }, { times: 'always' }).conflict();
    await expect(update()).rejects.toMatchObject({ code: 409 });
    expect(always.fired).toBe(100);
    always.end();
    on('create').conflict();
    await expect(create('taken')).rejects.toMatchObject({ status: { reason: 'AlreadyExists' } });
  },
);

it(guide.title('`answer(410)`', 'throws the error; the informer lists again'), async () => {
  on('get').answer(410);
  await expect(get()).rejects.toMatchObject({ code: 410 });
  expect(await informerMeets((builder) => builder.answer(410))).toBe('');
});

it(
  guide.title(
    '`answer(429)`, `retryAfter` with any status',
    'throws the error; the informer tries again after the time in `Retry-After`',
  ),
  async () => {
    on('get').answer(429);
    await expect(get()).rejects.toMatchObject({ code: 429, status: { details: { retryAfterSeconds: 1 } } });
    on('list').answer(503, { retryAfter: 1 });
    const began = performance.now();
    using _ = await startInformer();
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
  },
);

it(
  guide.title('`answer(500)`, `answer(503)`, `answer(504)`', 'throws the error; the informer tries again'),
  async () => {
    for (const code of [500, 503, 504] as const) {
      on('get').answer(code);
      await expect(get()).rejects.toMatchObject({ code });
    }
    expect(await informerMeets((builder) => builder.answer(500))).toMatch(/a test lets[\s\S]*a test lets/);
  },
);

it(guide.title('`delay`', 'waits'), async () => {
  on('get').delay(50);
  const began = performance.now();
  await get();
  expect(performance.now() - began).toBeGreaterThanOrEqual(49);
  expect(await informerMeets((builder) => builder.delay(50))).toBe('');
});

it(guide.title('`hold()`', 'waits until its `signal` fires'), async () => {
  const hold = on('get').hold();
  await expect(client().get(configMap, 'a', { ...where, signal: AbortSignal.timeout(50) })).rejects.toThrow('aborted');
  const waiting = get();
  hold.end();
  expect((await waiting).metadata.name).toBe('a');
});

it(guide.title('`refuse()`', 'throws `the connection was lost`; the informer tries again'), async () => {
  const name = newName();
  on('create').refuse();
  await expect(create(name)).rejects.toThrow(LOST);
  expect(await opened.exists(name)).toBe(false);
  expect(await informerMeets((builder) => builder.refuse())).toMatch(TWICE_LOST);
});

it(
  guide.title(
    '`loseAnswer()`',
    'throws `the connection was lost`, although the server executed the write; the informer tries again',
  ),
  async () => {
    const name = newName();
    on('create').loseAnswer();
    await expect(create(name)).rejects.toThrow(LOST);
    expect(await opened.exists(name)).toBe(true);
    expect(await informerMeets((builder) => builder.loseAnswer())).toMatch(TWICE_LOST);
  },
);

it(
  guide.title(
    '`cut`',
    'throws `the connection was lost`, although the server executed the write; the informer tries again',
  ),
  async () => {
    const name = newName();
    on('create').cut(10);
    await expect(create(name)).rejects.toThrow(LOST);
    expect(await opened.exists(name)).toBe(true);
    expect(await informerMeets((builder) => builder.cut(10))).toMatch(TWICE_LOST);
  },
);

it(guide.title("`endWatch('timeout')`", 'the iteration ends; the informer watches again'), async () => {
  const watch = await client().watch(configMap, where).opened();
  opened.faults.on(ROBOT).endWatch('timeout');
  await values(watch);
  using informer = await startInformer();
  opened.faults.on(ROBOT).endWatch('timeout');
  await opened.write('after the timeout');
  await informer.sees('after the timeout');
  expect(informer.errors).toEqual([]);
});

it(
  guide.title("`endWatch('lost')`", 'the iteration throws `the connection was lost`; the informer watches again'),
  async () => {
    const watch = await client().watch(configMap, where).opened();
    opened.faults.on(ROBOT).endWatch('lost');
    await expect(values(watch)).rejects.toThrow(LOST);
    using informer = await startInformer();
    opened.faults.on(ROBOT).endWatch('lost');
    await opened.write('after the loss');
    await informer.sees('after the loss');
    expect(informer.errors).toEqual([expect.stringContaining(LOST)]);
  },
);

it(guide.title("`endWatch('expired')`", 'the iteration throws the 410; the informer lists again'), async () => {
  const watch = await client().watch(configMap, where).opened();
  opened.faults.on(ROBOT).endWatch('expired');
  await expect(values(watch)).rejects.toMatchObject({ code: 410 });
  using informer = await startInformer();
  const lists = () => opened.requests.filter({ ...ROBOT, verb: 'list' }).length;
  const before = lists();
  opened.faults.on(ROBOT).endWatch('expired');
  await opened.write('after the end');
  await informer.sees('after the end');
  expect(lists()).toBe(before + 1);
});

it(
  guide.title(
    '`dropBookmarks()`',
    'nothing happens at first; an informer whose resourceVersion expires meanwhile lists again',
  ),
  async () => {
    const watchUntilEnd = async ({ server }: FaultyServer) => {
      using informer = new Informer(server.client(), configMap, where).start();
      await expect.poll(() => informer.get('a')?.data?.['value']).toBe('end');
    };
    expect(await countLists(watchUntilEnd, false)).toEqual({ lists: 1, bookmarks: 1 });
    expect(await countLists(watchUntilEnd, true)).toEqual({ lists: 2, bookmarks: 1 });
  },
);

it(guide.title('`stale`', 'returns the old state; the informer catches up through its watch'), async () => {
  const { metadata } = await opened.write('before');
  const { resourceVersion = '' } = metadata;
  await opened.write('after');
  on('get').stale({ resourceVersion });
  expect((await get()).data).toEqual({ value: 'before' });
  const readFrom = ({ server }: FaultyServer) => server.client({ user: robot }).get(configMap, 'a', where);
  expect((await readOneVersionBehind(readFrom)).data).toEqual({ value: 'before' });
  const seen: (string | undefined)[] = [];
  const note = ({ data }: { readonly data?: Readonly<Record<string, string>> }) => seen.push(data?.['value']);
  on('list').stale({ resourceVersion });
  const informer = new Informer(client(), configMap, where);
  informer.addEventHandler({ onAdd: note, onUpdate: (_, next) => note(next) });
  informer.start();
  await expect.poll(() => seen.filter((value) => value !== undefined)).toEqual(['before', 'after']);
  informer.close();
});

it(
  guide.title("`partition('hang')`", 'waits; the informer receives no events, and receives all of them afterwards'),
  async () => {
    using informer = await startInformer();
    await opened.write('seen');
    await informer.sees('seen');
    const partition = opened.faults.on({ user: 'robot' }).partition();
    const waiting = get();
    await opened.write('unseen');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(informer.informer.get('a')?.data).toEqual({ value: 'seen' });
    partition.end();
    expect((await waiting).data).toEqual({ value: 'unseen' });
    await informer.sees('unseen');
    expect(informer.errors).toEqual([]);
  },
);

it(guide.title("`partition('break')`", 'throws `the connection was lost`; the informer tries again'), async () => {
  using informer = await startInformer();
  const partition = opened.faults.on({ user: 'robot' }).partition('break');
  await expect(get()).rejects.toThrow(LOST);
  await opened.write('unheard');
  await expect.poll(() => informer.errors.length).toBeGreaterThan(1);
  partition.end();
  await informer.sees('unheard');
});

it(guide.title("`failStorage('unavailable')`", 'throws the 500; open watches continue'), async () => {
  using informer = await startInformer();
  const failing = opened.faults.on({ user: 'robot' }, { times: 'always' }).failStorage();
  await expect(get()).rejects.toThrow('etcdserver: request timed out');
  await expect(create(newName())).rejects.toThrow('etcdserver: request timed out');
  await opened.write('by another');
  await informer.sees('by another');
  expect(informer.errors).toEqual([]);
  failing.end();
});

it(
  guide.title("`failStorage('full')`", 'writes that need room throw the 500; reads, watches and deletions still work'),
  async () => {
    using informer = await startInformer();
    const name = newName();
    await create(name);
    opened.faults.on({ user: 'robot' }, { times: 'always' }).failStorage('full');
    await expect(create(newName())).rejects.toThrow('etcdserver: mvcc: database space exceeded');
    await get();
    await client().delete(configMap, name, where);
    await opened.write('by another');
    await informer.sees('by another');
  },
);

it('has a test for each row of the guide', () => {
  expect(guide.untested()).toEqual([]);
});
