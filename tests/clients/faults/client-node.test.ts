import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
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

/* How the calls and the informer of @kubernetes/client-node react to each fault: a column of the table in docs/guides/faults.md. */

const guide = guideColumn('client-node');
const ADMIN = { ...MAPS, user: 'admin' };
const HANGUP = 'socket hang up';
const CUT = 'Premature close';

let opened: FaultyServer;
let core: CoreV1Api;
let config: KubeConfig;
beforeAll(async () => {
  opened = await openFaultyServer();
  config = await configOf(opened);
  core = config.makeApiClient(CoreV1Api);
});
afterEach(() => {
  opened.faults.verify();
  opened.faults.clear();
});
afterAll(() => opened[Symbol.asyncDispose]());

async function configOf({ listener }: FaultyServer): Promise<KubeConfig> {
  const made = new KubeConfig();
  made.loadFromString(await listener.kubeconfig());
  return made;
}

const on = (verb: string) => opened.faults.on({ ...ADMIN, verb });
const read = () => core.readNamespacedConfigMap({ ...where, name: 'a' });
const create = (name: string) => core.createNamespacedConfigMap({ ...where, body: { metadata: { name } } });
const replace = () => core.replaceNamespacedConfigMap({ ...where, name: 'a', body: { metadata: { name: 'a' } } });
const watches = () => opened.faults.openWatches(ADMIN);

/** Creates an informer. `sees` resolves when it has received a value of the config map `a`. */
function informerOf(from: KubeConfig) {
  const api = from.makeApiClient(CoreV1Api);
  const path = '/api/v1/namespaces/default/configmaps';
  const informer = makeInformer<V1ConfigMap>(from, path, () => api.listNamespacedConfigMap(where));
  const errors: string[] = [];
  const seen: string[] = [];
  let isRunning = false;
  informer.on('connect', () => void (isRunning = true));
  informer.on('error', (error: unknown) => {
    isRunning = false;
    errors.push(String(error));
  });
  for (const event of ['add', 'update'] as const) informer.on(event, ({ data }) => seen.push(data?.['value'] ?? ''));
  return {
    informer,
    errors,
    seen,
    sees: (value: string) => expect.poll(() => seen).toContain(value),
    async [Symbol.asyncDispose]() {
      // An informer that is stopped while it opens a watch leaves that watch open.
      if (isRunning && from === config) await expect.poll(watches).toHaveLength(1);
      await informer.stop();
      // After a watch that was refused with 410, the informer has lost track of its open one, so the server ends that.
      opened.faults.on(ADMIN, { optional: true }).endWatch('timeout').end();
      if (from === config) await expect.poll(watches).toEqual([]);
    },
  };
}

/** Starts an informer and waits until it watches. */
async function startInformer() {
  const started = informerOf(config);
  await started.informer.start();
  await expect.poll(watches).toHaveLength(1);
  return started;
}

/**
 * Injects a fault into the list of an informer, and another one into a watch. Returns the two errors with which it stopped, once it has
 * been started again and has seen a later write.
 */
async function informerStopsAt(set: (builder: FaultBuilder) => Fault): Promise<string> {
  set(on('list'));
  await using made = informerOf(config);
  const { informer, errors, sees } = made;
  await informer.start();
  expect(errors).toHaveLength(1);
  await informer.start();
  await expect.poll(watches).toHaveLength(1);
  set(on('watch'));
  opened.faults.on(ADMIN).endWatch('timeout');
  await expect.poll(() => errors).toHaveLength(2);
  await expect.poll(watches).toEqual([]);
  const value = newName();
  await opened.write(value);
  await informer.start();
  await sees(value);
  return errors.join('\n');
}

it(
  guide.title(
    '`answer(401)`, `answer(403)`, `answer(404)`',
    'a call rejects; the informer reports an `error` and stops until `start()`',
  ),
  async () => {
    for (const code of [401, 403, 404] as const) {
      on('get').answer(code);
      await expect(read()).rejects.toMatchObject({ code });
    }
    expect(await informerStopsAt((builder) => builder.answer(403))).toMatch(/HTTP-Code: 403[\s\S]*Forbidden/);
  },
);

it(guide.title('`conflict()`', 'a call rejects'), async () => {
  on('update').conflict();
  await expect(replace()).rejects.toMatchObject({ code: 409 });
  on('create').conflict();
  await expect(create('taken')).rejects.toMatchObject({ code: 409, body: expect.stringContaining('AlreadyExists') });
});

it(
  guide.title(
    '`answer(410)`',
    'a call rejects; the informer lists again if its watch is refused, and stops if its list is refused',
  ),
  async () => {
    on('get').answer(410);
    await expect(read()).rejects.toMatchObject({ code: 410 });
    await using made = await startInformer();
    const { errors, sees } = made;
    on('watch').answer(410);
    opened.faults.on(ADMIN).endWatch('timeout');
    await opened.write('listed again');
    await sees('listed again');
    expect(errors).toEqual([]);
    await expect.poll(watches).toHaveLength(1);
    on('list').answer(410);
    opened.faults.on(ADMIN).endWatch('expired');
    await expect.poll(() => errors.join()).toContain('HTTP-Code: 410');
    expect(watches()).toEqual([]);
  },
);

it(
  guide.title(
    '`answer(429)`, `retryAfter` with any status',
    'a call rejects at once; neither a call nor the informer waits and tries again',
  ),
  async () => {
    const fault = opened.faults.on({ ...ADMIN, verb: 'get' }, { times: 2 }).answer(429, { retryAfter: 1 });
    await expect(read()).rejects.toMatchObject({ code: 429 });
    expect(fault.fired).toBe(1);
    await expect(read()).rejects.toMatchObject({ code: 429 });
    expect(await informerStopsAt((builder) => builder.answer(429))).toMatch(/HTTP-Code: 429[\s\S]*Too Many Requests/);
    on('get').answer(503, { retryAfter: 1 });
    await expect(read()).rejects.toMatchObject({ code: 503 });
  },
);

it(
  guide.title(
    '`answer(500)`, `answer(503)`, `answer(504)`',
    'a call rejects; the informer reports an `error` and stops until `start()`',
  ),
  async () => {
    for (const code of [500, 503, 504] as const) {
      on('get').answer(code);
      await expect(read()).rejects.toMatchObject({ code });
    }
    expect(await informerStopsAt((builder) => builder.answer(503))).toMatch(/HTTP-Code: 503[\s\S]*Service Unavailable/);
  },
);

it(guide.title('`delay`', 'waits'), async () => {
  on('get').delay(50);
  const began = performance.now();
  await read();
  expect(performance.now() - began).toBeGreaterThanOrEqual(49);
  for (const verb of ['list', 'watch']) on(verb).delay(50);
  await using made = await startInformer();
  await opened.write('delayed');
  await made.sees('delayed');
  expect(made.errors).toEqual([]);
});

it(guide.title('`hold()`', 'waits'), async () => {
  const hold = on('get').hold();
  const reading = read();
  await hold.arrived({ timeout: 60_000 });
  hold.end();
  expect((await reading).metadata?.name).toBe('a');
});

it(
  guide.title(
    '`refuse()`',
    'a call rejects with `socket hang up`; the informer reports an `error` and stops until `start()`',
  ),
  async () => {
    const name = newName();
    on('create').refuse();
    await expect(create(name)).rejects.toThrow(HANGUP);
    expect(await opened.exists(name)).toBe(false);
    expect(await informerStopsAt((builder) => builder.refuse())).toMatch(/socket hang up[\s\S]*socket hang up/);
  },
);

it(
  guide.title(
    '`loseAnswer()`',
    'a call rejects with `socket hang up`, although the server executed the write; the informer reacts as to `refuse()`',
  ),
  async () => {
    const name = newName();
    on('create').loseAnswer();
    await expect(create(name)).rejects.toThrow(HANGUP);
    expect(await opened.exists(name)).toBe(true);
    expect(await informerStopsAt((builder) => builder.loseAnswer())).toMatch(/socket hang up[\s\S]*socket hang up/);
  },
);

it(
  guide.title(
    '`cut`',
    'a call rejects with `Premature close`, although the server executed the write; the informer reacts as to `refuse()`',
  ),
  async () => {
    const name = newName();
    on('create').cut(10);
    await expect(create(name)).rejects.toThrow(CUT);
    expect(await opened.exists(name)).toBe(true);
    on('list').cut(10);
    await using made = informerOf(config);
    const { informer, errors } = made;
    await informer.start();
    expect(errors.join()).toContain(CUT);
    on('watch').cut(10);
    await informer.start();
    await expect.poll(watches).toHaveLength(1);
    await opened.write('cut');
    await expect.poll(() => errors).toHaveLength(2);
    expect(errors[1]).toContain(CUT);
    expect(watches()).toEqual([]);
  },
);

it(guide.title("`endWatch('timeout')`", 'the informer watches again'), async () => {
  await using made = await startInformer();
  opened.faults.on(ADMIN).endWatch('timeout');
  await opened.write('after the timeout');
  await made.sees('after the timeout');
  expect(made.errors).toEqual([]);
});

it(guide.title("`endWatch('lost')`", 'the informer reports an `error` and stops until `start()`'), async () => {
  await using made = await startInformer();
  opened.faults.on(ADMIN).endWatch('lost');
  await expect.poll(() => made.errors.join()).toContain(CUT);
  expect(watches()).toEqual([]);
  await opened.write('after the loss');
  await made.informer.start();
  await made.sees('after the loss');
});

it(guide.title("`endWatch('expired')`", 'the informer lists again'), async () => {
  await using made = await startInformer();
  const lists = () => opened.requests.filter({ ...ADMIN, verb: 'list' }).length;
  const before = lists();
  opened.faults.on(ADMIN).endWatch('expired');
  await opened.write('after the end');
  await made.sees('after the end');
  expect(lists()).toBe(before + 1);
  expect(made.errors).toEqual([]);
});

it(
  guide.title(
    '`dropBookmarks()`',
    'nothing changes: the informer requests no bookmarks, so it lists again after its resourceVersion expires in any case',
  ),
  async () => {
    const watchUntilEnd = async (other: FaultyServer) => {
      await using made = informerOf(await configOf(other));
      await made.informer.start();
      await made.sees('end');
      expect(made.errors).toEqual([]);
    };
    expect(await countLists(watchUntilEnd, false)).toEqual({ lists: 2, bookmarks: 0 });
    expect(await countLists(watchUntilEnd, true)).toEqual({ lists: 2, bookmarks: 0 });
  },
);

it(guide.title('`stale`', 'returns the old state; the informer catches up through its watch'), async () => {
  const { metadata } = await opened.write('before');
  const { resourceVersion = '' } = metadata;
  await opened.write('after');
  on('get').stale({ resourceVersion });
  expect((await read()).data).toEqual({ value: 'before' });
  const readFrom = async (behind: FaultyServer) =>
    (await configOf(behind)).makeApiClient(CoreV1Api).readNamespacedConfigMap({ ...where, name: 'a' });
  expect((await readOneVersionBehind(readFrom)).data).toEqual({ value: 'before' });
  on('list').stale({ resourceVersion });
  await using made = await startInformer();
  await made.sees('after');
  expect(made.seen.filter((value) => value !== '')).toEqual(['before', 'after']);
});

it(
  guide.title("`partition('hang')`", 'waits; the informer receives no events, and receives all of them afterwards'),
  async () => {
    await using made = await startInformer();
    const partition = opened.faults.on({ user: 'admin' }).partition();
    const waiting = read();
    await opened.write('unseen');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(made.seen).not.toContain('unseen');
    partition.end();
    expect((await waiting).data).toEqual({ value: 'unseen' });
    await made.sees('unseen');
    expect(made.errors).toEqual([]);
  },
);

it(
  guide.title(
    "`partition('break')`",
    'a call rejects with `socket hang up`; the informer reports an `error` and stops until `start()`',
  ),
  async () => {
    await using made = await startInformer();
    const partition = opened.faults.on({ user: 'admin' }).partition('break');
    await expect(read()).rejects.toThrow(HANGUP);
    await expect.poll(() => made.errors.join()).toContain(CUT);
    await made.informer.start();
    await expect.poll(() => made.errors.join()).toContain(HANGUP);
    partition.end();
    await opened.write('unheard');
    await made.informer.start();
    await made.sees('unheard');
  },
);

it(guide.title("`failStorage('unavailable')`", 'a call rejects with the 500; open watches continue'), async () => {
  await using made = await startInformer();
  const failing = opened.faults.on({ user: 'admin' }, { times: 'always' }).failStorage();
  await expect(read()).rejects.toThrow('etcdserver: request timed out');
  await expect(create(newName())).rejects.toThrow('etcdserver: request timed out');
  await opened.write('by another');
  await made.sees('by another');
  expect(made.errors).toEqual([]);
  failing.end();
});

it(
  guide.title(
    "`failStorage('full')`",
    'a write that needs room rejects with the 500; reads, watches and deletions still work',
  ),
  async () => {
    await using made = await startInformer();
    const name = newName();
    await create(name);
    opened.faults.on({ user: 'admin' }, { times: 'always' }).failStorage('full');
    await expect(create(newName())).rejects.toThrow('etcdserver: mvcc: database space exceeded');
    await read();
    await core.deleteNamespacedConfigMap({ ...where, name });
    await opened.write('by yet another');
    await made.sees('by yet another');
  },
);

it('has a test for each row of the guide', () => {
  expect(guide.untested()).toEqual([]);
});
