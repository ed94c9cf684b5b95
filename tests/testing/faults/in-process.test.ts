import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, configMap, isAlreadyExists, isConflict, isExpired, namespace } from '../../../src/index.js';
import { createFakeClock, type Faults, injectFaults } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const made = (name: string) => ({ metadata: { name }, data: { n: '1' } });

let server: ApiServer;
let faults: Faults;
let clock: ReturnType<typeof createFakeClock>;

beforeEach(async () => {
  clock = createFakeClock();
  server = await startServer({
    dialect: 'k8s',
    clock,
    controllers: { mode: 'stepped' },
    certificates: { root: false },
  });
  await server.settle();
  faults = injectFaults(server);
});
afterEach(() => server.close());

const stored = async () => (await faults.observer().list(configMap, where)).items.map(({ metadata }) => metadata.name);
const change = (name: string, n: string) =>
  faults.observer().update(configMap, name, (draft) => void (draft.data = { n }), where);

describe('a matcher', () => {
  it('selects by what a request is about, and by who sends it', async () => {
    const one = server.client({ userAgent: 'one/1.0' });
    const jane = server.client({ user: { username: 'jane', groups: ['system:masters'] }, userAgent: 'two' });
    await one.create(configMap, made('a'), where);
    const byAgent = faults.on({ userAgent: 'one/*', name: ['a', 'b'], verb: 'get' }).answer(500);
    await jane.get(configMap, 'a', where);
    await expect(one.get(configMap, 'a', where)).rejects.toMatchObject({ code: 500 });
    const byUser = faults.on({ user: 'jane', group: '', version: 'v1', path: '/api/v1/namespaces/*' }).answer(503);
    await one.get(configMap, 'a', where);
    await expect(jane.get(configMap, 'a', where)).rejects.toMatchObject({ code: 503 });
    const ofPart = faults.on({ resource: 'namespaces/status' }).answer(403);
    await one.get(namespace, 'default');
    await expect(one.get(namespace, 'default', { subresource: 'status' })).rejects.toMatchObject({ code: 403 });
    expect([byAgent.fired, byUser.fired, ofPart.fired]).toEqual([1, 1, 1]);
    faults.verify();
  });

  it('counts: the nth request, several of them, a number of times, always', async () => {
    const client = server.client();
    const outcome = async () => {
      const asked = await client.list(namespace).catch((error: { code: number }) => error.code);
      return typeof asked === 'number';
    };
    const outcomes = async (times: number) => {
      const all: boolean[] = [];
      for (let i = 0; i < times; i++) all.push(await outcome());
      return all;
    };
    faults.on({ verb: 'list', nth: 3 }).answer(500);
    expect(await outcomes(4)).toEqual([false, false, true, false]);
    faults.on({ verb: 'list', nth: [1, 3] }).answer(500);
    expect(await outcomes(4)).toEqual([true, false, true, false]);
    faults.on({ verb: 'list' }, { times: 2 }).answer(500);
    expect(await outcomes(3)).toEqual([true, true, false]);
    const always = faults.on({ verb: 'list' }, { times: 'always' }).answer(500);
    expect(await outcomes(2)).toEqual([true, true]);
    always.end();
    expect(await outcomes(1)).toEqual([false]);
  });

  it('draws by the seed', async () => {
    const draw = async () => {
      faults[Symbol.dispose]();
      faults = injectFaults(server, { seed: 7 });
      faults.on({ verb: 'list', probability: 0.5 }).answer(500);
      const all: boolean[] = [];
      for (let i = 0; i < 20; i++)
        all.push(
          await server
            .client()
            .list(namespace)
            .then(
              () => false,
              () => true,
            ),
        );
      return all;
    };
    const first = await draw();
    expect(first).toContain(true);
    expect(first).toContain(false);
    expect(await draw()).toEqual(first);
  });

  it('leaves the observer alone, and the server itself unless it is named', async () => {
    const all = faults.on({}, { times: 'always' }).answer(500);
    await expect(server.client().list(namespace)).rejects.toMatchObject({ code: 500 });
    await faults.observer().create(namespace, { metadata: { name: 'a' } });
    await server.settle();
    expect(all.fired).toBe(1);
    all.end();
    const ofController = faults.on({
      userAgent: 'kube-controller-manager',
      verb: 'create',
      resource: 'serviceaccounts',
    });
    const refused = ofController.answer(500);
    await faults.observer().create(namespace, { metadata: { name: 'b' } });
    await server.settle();
    expect(refused.fired).toBe(1);
  });

  it('refuses what cannot be meant', () => {
    const wrong: [() => unknown, string][] = [
      [() => faults.on({ verb: 'create' }).dropBookmarks(), 'dropBookmarks concerns watch: no create can meet it'],
      [() => faults.on({ verb: ['create', 'update'] }).stale(1), 'concerns get, list, watch'],
      [() => faults.on({ verbs: 'get' } as object).refuse(), 'there is no option verbs; did you mean "verb"?'],
      [() => faults.on({ nth: 0 }).refuse(), 'match.nth is a whole number'],
      [() => faults.on({ nth: 2 }, { times: 2 }).refuse(), 'omit times'],
      [() => faults.on({ probability: 2 }).refuse(), 'match.probability'],
      [() => faults.on({ name: [] }).refuse(), 'match.name is a text'],
      [() => faults.on({}, { times: 0 }).refuse(), 'times is a whole number'],
      [() => faults.on({}).answer(418 as 500), 'status is one of 401, 403'],
      [() => faults.on({}).delay(-1), 'milliseconds'],
      [() => faults.on({}).stale({ resourceVersion: 'x' }), 'resourceVersion is a version, not "x"'],
      [() => faults.add({ match: {}, action: { type: 'explode' as 'hold' } }), 'a fault needs an action: answer,'],
      [() => injectFaults(server), 'the server has faults already'],
    ];
    for (const [make, message] of wrong) expect(make).toThrow(message);
    expect(faults.list()).toEqual([]);
  });
});

describe('a request', () => {
  it('is answered with an error in the words of the real server', async () => {
    const client = server.client();
    const existing = await client.create(configMap, made('a'), where);
    faults.on({ verb: 'update' }).conflict();
    await expect(client.replace(configMap, existing, where)).rejects.toThrow(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes',
    );
    faults.on({ verb: 'create' }).conflict();
    await expect(client.create(configMap, made('b'), where)).rejects.toSatisfy(isAlreadyExists);
    const answers: Record<number, object> = {};
    for (const status of [401, 403, 404, 410, 429, 500, 503, 504] as const) {
      faults.on({ verb: 'get' }).answer(status, status === 503 ? { retryAfter: 7, message: 'later' } : {});
      await client.get(configMap, 'a', where).catch((error: unknown) => {
        const { code, reason, details } = error as { code: number; reason: string; details?: object };
        answers[status] = [code, reason, details];
      });
    }
    expect(answers).toEqual({
      401: [401, 'Unauthorized', undefined],
      403: [403, 'Forbidden', { kind: 'configmaps', name: 'a' }],
      404: [404, 'NotFound', { kind: 'configmaps', name: 'a' }],
      410: [410, 'Expired', undefined],
      429: [429, 'TooManyRequests', { retryAfterSeconds: 1 }],
      500: [500, 'InternalError', { causes: [{ message: 'a test lets the server fail' }] }],
      503: [503, 'ServiceUnavailable', { retryAfterSeconds: 7 }],
      504: [504, 'Timeout', {}],
    });
  });

  it('is delayed by the clock of the server, longer than its time limit', async () => {
    faults.on({ verb: 'create' }).delay(120_000);
    const creating = server.client().create(configMap, made('late'), where);
    const timers = clock.pendingTimers;
    expect(await stored()).toEqual([]);
    clock.advance(119_999);
    expect(await stored()).toEqual([]);
    clock.advance(1);
    await creating;
    expect(await stored()).toEqual(['late']);
    expect(timers).toBeGreaterThan(0);
  });

  it('is held until the fault ends, or its caller gives up', async () => {
    const hold = faults.on({ verb: 'create' }).hold();
    const creating = server.client().create(configMap, made('late'), where);
    const given = new AbortController();
    const abandoned = server.client().create(configMap, made('never'), { ...where, signal: given.signal });
    await hold.arrived({ timeout: 60_000 });
    given.abort();
    await expect(abandoned).rejects.toThrow('aborted');
    expect(await stored()).toEqual([]);
    hold.end();
    await creating;
    expect(await stored()).toEqual(['late']);
    expect(hold.fired).toBe(2);
  });

  it('is lost before the deed, or its answer after it', async () => {
    const client = server.client();
    faults.on({ verb: 'create' }).loseAnswer();
    await expect(client.create(configMap, made('done'), where)).rejects.toThrow(
      'Post "/api/v1/namespaces/default/configmaps": the connection was lost',
    );
    expect(await stored()).toEqual(['done']);
    faults.on({ verb: 'create' }).loseAnswer();
    await expect(client.create(configMap, made('done'), where)).rejects.toThrow('the connection was lost');
    faults.on({ verb: 'create' }).refuse();
    await expect(client.create(configMap, made('undone'), where)).rejects.toThrow('the connection was lost');
    faults.on({ verb: 'create' }).cut(10);
    await expect(client.create(configMap, made('cut'), where)).rejects.toThrow('the connection was lost');
    expect(await stored()).toEqual(['cut', 'done']);
  });

  it('meets faults in the order in which they were set up', async () => {
    const hold = faults.on({ verb: 'create' }).hold();
    faults.on({ verb: 'create' }).conflict();
    const later = faults.on({ verb: 'create' }, { optional: true }).refuse();
    const creating = server.client().create(configMap, made('a'), where);
    await hold.arrived({ timeout: 60_000 });
    hold.end();
    await expect(creating).rejects.toSatisfy(isAlreadyExists);
    expect(later.fired).toBe(0);
  });

  it('that is held does not delay the end of the server', async () => {
    const hold = faults.on({ verb: 'create' }).hold();
    const creating = server.client().create(configMap, made('a'), where);
    await hold.arrived({ timeout: 60_000 });
    await server.close();
    await creating;
  });
});

describe('the storage', () => {
  it('fails for writes and reads of the newest state; the past can be read', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    const fails = faults.on({ userAgent: 'client' }, { times: 'always' }).failStorage();
    const failure = { code: 500, message: 'etcdserver: request timed out' };
    await expect(client.create(configMap, made('b'), where)).rejects.toMatchObject(failure);
    await expect(client.get(configMap, 'a', where)).rejects.toMatchObject(failure);
    await expect(client.list(configMap, where)).rejects.toMatchObject(failure);
    await client.get(configMap, 'a', { ...where, resourceVersion: '0' });
    expect(await stored()).toEqual(['a']);
    expect(fails.fired).toBe(3);
    fails.end();
    await client.create(configMap, made('b'), where);
  });

  it('is full: deletions pass, and do not count as an effect', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    const full = faults.on({ userAgent: 'client' }, { times: 'always' }).failStorage('full');
    await client.delete(configMap, 'a', where);
    expect(await stored()).toEqual([]);
    expect(full.fired).toBe(0);
    expect(() => faults.verify()).toThrow();
    const failure = { code: 500, message: 'etcdserver: mvcc: database space exceeded' };
    await expect(client.create(configMap, made('b'), where)).rejects.toMatchObject(failure);
    expect(full.fired).toBe(1);
    faults.verify();
  });
});

describe('a watch', () => {
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

  it('that opens next ends, if none is open; after some events', async () => {
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

  it('breaks what one client has', async () => {
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

describe('a server that is behind', () => {
  it('serves one past state, whole', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    const before = await client.list(configMap, where);
    await change('a', '2');
    await faults.observer().create(configMap, made('b'), where);
    faults.on({ resource: 'configmaps' }, { times: 'always' }).stale(2);
    expect((await client.get(configMap, 'a', where)).data).toEqual({ n: '1' });
    expect(await client.list(configMap, where)).toEqual(before);
    await expect(client.get(configMap, 'b', where)).rejects.toMatchObject({ code: 404 });
    // Writes go to the storage that all servers share, and move what this one knows.
    await client.create(configMap, made('c'), where);
    expect((await client.get(configMap, 'a', where)).data).toEqual({ n: '2' });
    const old = await client.get(configMap, 'a', where);
    await change('a', '3');
    await expect(client.replace(configMap, { ...old, data: {} }, where)).rejects.toSatisfy(isConflict);
  });

  it('waits for a version that it does not know, and gives up', async () => {
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

  it('sends a watch what it knows', async () => {
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

describe('a fault that never fired', () => {
  it('fails the test, with what came nearest to it', async () => {
    const client = server.client({ userAgent: 'my-operator' });
    faults.on({ verb: 'update', resource: 'deployments' }).conflict();
    expect(() => faults.verify()).toThrow(
      'a fault never fired:\n  verb update, resource deployments: answer status 409\n',
    );
    expect(() => faults.verify()).toThrow('there was no request at all');
    await client.create(configMap, made('a'), where);
    await client.update(configMap, 'a', (draft) => void (draft.data = { n: '2' }), where);
    await client.update(configMap, 'a', (draft) => void (draft.data = { n: '3' }), where);
    expect(() => faults.verify()).toThrow(
      'seen: update configmaps default/a by system:apiserver, but resource is "configmaps" (2 times)',
    );
    faults.clear();
    faults.on({ verb: 'get', nth: 3 }).refuse();
    for (let i = 0; i < 2; i++) await client.get(configMap, 'a', where);
    expect(() => faults.verify()).toThrow('2 matching requests came, and none was number 3');
    faults.on({ verb: 'get' }, { optional: true }).refuse();
    expect(() => faults.verify()).toThrow('a fault never fired');
    faults.clear();
    faults.verify();
  });

  it('fails at the end of its scope', async () => {
    faults[Symbol.dispose]();
    expect(() => {
      using scope = injectFaults(server);
      scope.on({ verb: 'get' }).refuse();
    }).toThrow('a fault never fired');
    faults = injectFaults(server);
  });
});
