import { MemoryLevel } from 'memory-level';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ApiServer, configMap, defineResource, namespace, secret } from '../../src/index.js';
import { coreEvent } from '../../src/resources/core/event/event.js';
import { serviceAccount } from '../../src/resources/core/index.js';
import { level } from '../../src/store/level/level.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { createFakeRandom } from '../../src/testing/fake-random.js';
import { fetchFrom } from '../support/ask.js';
import { orchDefinitionOf } from '../support/definitions.js';
import { startServer } from '../support/servers.js';

const inDefault = { namespace: 'default' };

/** Starts a server with fixed time and random values, so that its forks can be compared. */
async function determined() {
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  const server = await startServer({ clock, random: createFakeRandom(7), controllers: { mode: 'stepped' } });
  return { server, clock };
}

const widgets = orchDefinitionOf('widgets', 'Widget', {
  schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  },
});

const gadget = defineResource({
  group: 'example.org',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Cluster',
  schema: z.object({ spec: z.object({ size: z.int() }) }),
});

describe('fork', () => {
  it('has the same objects, versions and uids, and makes no writes by itself', async () => {
    await using server = await startServer();
    await server.client().create(configMap, { metadata: { name: 'a' }, data: { x: '1' } }, inDefault);
    await server.settle();
    await using fork = server.fork();
    expect(await fork.client().get(configMap, 'a', inDefault)).toEqual(
      await server.client().get(configMap, 'a', inDefault),
    );
    await fork.settle();
    expect(await fork.save()).toBe(await server.save());
    expect(fork.snapshot().objects()).toEqual(server.snapshot().objects());
  });

  it('does not see later writes to the other server', async () => {
    await using server = await startServer();
    await using fork = server.fork();
    await server.client().create(configMap, { metadata: { name: 'of-server' } }, inDefault);
    await fork.client().create(configMap, { metadata: { name: 'of-fork' } }, inDefault);
    const names = async (one: typeof fork) =>
      (await one.client().list(configMap, inDefault)).items.map(({ metadata }) => metadata.name);
    expect(await names(server)).toEqual(['of-server', 'orch-root-ca.crt']);
    expect(await names(fork)).toEqual(['of-fork', 'orch-root-ca.crt']);
    await using second = fork.fork();
    await fork.close();
    expect(await names(second)).toEqual(['of-fork', 'orch-root-ca.crt']);
  });

  it('has the history: watches continue from versions before the fork', async () => {
    await using server = await startServer();
    const client = server.client();
    const { metadata } = await client.list(configMap, inDefault);
    await client.create(configMap, { metadata: { name: 'a' } }, inDefault);
    await client.update(configMap, 'a', (draft) => void (draft.data = { x: '1' }), inDefault);
    await using fork = server.fork();
    await client.delete(configMap, 'a', inDefault);
    const watch = fork.client().watch(configMap, { ...inDefault, resourceVersion: metadata.resourceVersion ?? '' });
    const seen: string[] = [];
    for await (const { type, object } of watch) {
      seen.push(`${type} ${object.metadata.name} ${object.data?.x ?? '-'}`);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['ADDED a -', 'MODIFIED a 1']);
    expect(await fork.client().get(configMap, 'a', inDefault)).toMatchObject({ data: { x: '1' } });
  });

  it('lets the first requests wait until it serves everything', async () => {
    await using server = await startServer();
    await server.install(widgets);
    const widget = server.kind('example.com/v1', 'Widget');
    await server.client().create(widget, { metadata: { name: 'w' }, spec: { size: 3 } }, inDefault);
    await using fork = server.fork();
    const client = fork.client();
    const get = () => client.get(widget, 'w', inDefault);
    const first = [get()];
    // Further requests arrive in every turn of the event loop while the fork starts.
    for (let i = 0; i < 200; i++) {
      await Promise.resolve();
      first.push(get());
    }
    for (const each of await Promise.all(first)) expect(each).toMatchObject({ spec: { size: 3 } });
  });

  it('serves installed kinds and definitions, without the calls of install', async () => {
    await using server = await startServer();
    await server.install([gadget, widgets]);
    const widget = server.kind('example.com/v1', 'Widget');
    await server.client().create(widget, { metadata: { name: 'w' }, spec: { size: 3 } }, inDefault);
    await server.client().create(gadget, { metadata: { name: 'g' }, spec: { size: 4 } });
    await using fork = server.fork();
    expect(fork.kind('example.com/v1', 'Widget').plural).toBe('widgets');
    expect(await fork.client().get(widget, 'w', inDefault)).toMatchObject({ spec: { size: 3 } });
    expect(await fork.client().get(gadget, 'g')).toMatchObject({ spec: { size: 4 } });
    await fork.uninstall(gadget);
    await using second = fork.fork();
    await expect(second.client().get(gadget, 'g')).rejects.toMatchObject({ code: 404 });
    expect(await server.client().get(gadget, 'g')).toMatchObject({ spec: { size: 4 } });
  });

  it('has the keys: tokens and client certificates of the server stay valid', async () => {
    await using server = await startServer({ serviceAccountTokens: { apiAudiences: ['api'] } });
    const review = { apiVersion: 'authentication.orch.io/v1', kind: 'TokenRequest', spec: { audiences: ['api'] } };
    const asked = await fetchFrom(server, '/api/v1/namespaces/default/serviceaccounts/default/token', {
      method: 'POST',
      body: review,
      user: { username: 'admin', groups: ['system:masters'] },
    });
    const { status } = (await asked.json()) as { status: { token: string } };
    await using fork = server.fork();
    const headers = { authorization: `Bearer ${status.token}` };
    expect((await fetchFrom(fork, '/api', { headers })).status).toBe(200);
    expect(await fork.certificateAuthority()).toEqual(await server.certificateAuthority());
  });

  it('has a clock and a random source of its own that continue from the same moment', async () => {
    const { server, clock } = await determined();
    await using _ = server;
    const ofFork = clock.fork();
    await using one = server.fork({ clock: ofFork });
    await using other = server.fork();
    const create = { metadata: { generateName: 'a-' } };
    const made = await one.client().create(configMap, create, inDefault);
    expect(await other.client().create(configMap, create, inDefault)).toEqual(made);
    expect(await server.client().create(configMap, create, inDefault)).toEqual(made);
    ofFork.advance(60_000);
    expect(clock.now()).toBe(ofFork.now() - 60_000);
    const later = await one.client().create(namespace, { metadata: { name: 'later' } });
    expect(later.metadata.creationTimestamp).toBe('2026-11-21T12:01:00Z');
  });

  it('deletes expired objects when the server would', async () => {
    const { server, clock } = await determined();
    await using _ = server;
    const about = { involvedObject: { namespace: 'default' }, reason: 'Tested', type: 'Normal' } as never;
    await server.client().create(coreEvent, { metadata: { name: 'e' }, ...(about as object) } as never, inDefault);
    clock.advance(30 * 60_000);
    const ofFork = clock.fork();
    await using fork = server.fork({ clock: ofFork });
    expect(await fork.client().get(coreEvent, 'e', inDefault)).toBeDefined();
    ofFork.advance(29 * 60_000);
    expect(await fork.client().get(coreEvent, 'e', inDefault)).toBeDefined();
    ofFork.advance(2 * 60_000);
    await expect
      .poll(() =>
        fork
          .client()
          .get(coreEvent, 'e', inDefault)
          .catch(({ code }) => code),
      )
      .toBe(404);
    expect(await server.client().get(coreEvent, 'e', inDefault)).toBeDefined();
  });

  it('deletes an expired object at the same moment as the server, to the millisecond', async () => {
    const { server, clock } = await determined();
    await using _ = server;
    const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } };
    clock.advance(700);
    await server.client().create(coreEvent, event, inDefault);
    const later = clock.fork();
    await using fork = server.fork({ clock: later });
    await fork.settle();
    const isThere = async (one: typeof fork) => (await one.client().list(coreEvent, inDefault)).items.length === 1;
    for (const by of [3_599_999, 1]) {
      clock.advance(by);
      later.advance(by);
      await Promise.all([server.settle(), fork.settle()]);
      expect([await isThere(server), await isThere(fork)]).toEqual([by > 1, by > 1]);
    }
  });

  it('has the timers of the server, and leaves none when it is closed or restored', async () => {
    const { server, clock } = await determined();
    await using _ = server;
    const later = clock.fork();
    const fork = server.fork({ clock: later });
    await server.settle();
    await fork.settle();
    const names = (one: typeof fork) => one.pending().timers.map(({ name }) => name);
    expect(names(fork).sort()).toEqual(names(server).sort());
    expect(names(fork)).toContain('end of old history');
    const body = { metadata: { name: 'a' } };
    await fetchFrom(fork, '/api/v1/namespaces/default/configmaps', { method: 'POST', body, user: { username: 'a' } });
    await fork.restore(fork.snapshot());
    expect(later.timers()).toEqual([]);
    await fetchFrom(fork, '/api/v1/namespaces/default/configmaps', { method: 'POST', body, user: { username: 'a' } });
    await fork.close();
    expect(later.timers()).toEqual([]);
  });

  it('keeps the pending work of stepped controllers', async () => {
    const { server } = await determined();
    await using _ = server;
    await server.client().create(namespace, { metadata: { name: 'n' } });
    const accounts = async (one: typeof server) => (await one.client().list(serviceAccount, { namespace: 'n' })).items;
    await using fork = server.fork();
    expect(await accounts(fork as typeof server)).toEqual([]);
    await server.settle();
    expect(await accounts(server)).toHaveLength(1);
    expect(await accounts(fork as typeof server)).toEqual([]);
    await fork.settle();
    expect(await accounts(fork as typeof server)).toHaveLength(1);
  });

  it('is refused before the start', () => {
    expect(() => new ApiServer().fork()).toThrow('the server has not been started');
  });

  it('fails like a closed server', async () => {
    await using server = await startServer();
    const fork = server.fork();
    await fork.close();
    await expect(fork.client().get(configMap, 'a', inDefault)).rejects.toThrow('the server is closed');
    expect(() => fork.snapshot()).toThrow('the server is closed');
    expect(() => fork.fork()).toThrow('the server is closed');
  });
});

describe('restore', () => {
  it('returns the server to the state, and lets clients list again', async () => {
    await using server = await startServer();
    const client = server.client();
    await client.create(configMap, { metadata: { name: 'kept' }, data: { x: '1' } }, inDefault);
    await client.create(configMap, { metadata: { name: 'removed' } }, inDefault);
    await server.settle();
    const before = server.snapshot();
    const saved = await server.save();
    const { metadata } = await client.list(configMap, inDefault);
    const watch = client.watch(configMap, { ...inDefault, resourceVersion: metadata.resourceVersion ?? '' });
    const events: string[] = [];
    const ended = (async () => {
      for await (const { type, object } of watch) events.push(`${type} ${object.metadata.name}`);
    })().catch(({ code }) => events.push(`error ${code}`));
    await client.update(configMap, 'kept', (draft) => void (draft.data = { x: '2' }), inDefault);
    await client.delete(configMap, 'removed', inDefault);
    await client.create(configMap, { metadata: { name: 'added' } }, inDefault);
    const restored = server.restore(before);
    // A request that arrives during the restoration waits until it is complete.
    const during = await client.get(configMap, 'kept', inDefault);
    await restored;
    await ended;
    expect(during.data).toEqual({ x: '1' });
    await server.settle();
    expect(await server.save()).toBe(saved);
    expect(server.snapshot().revision).toBe(before.revision);
    expect(events.at(-1)).toBe('error 410');
    await client.create(configMap, { metadata: { name: 'after' } }, inDefault);
    await server.restore(before);
    await expect(client.get(configMap, 'after', inDefault)).rejects.toMatchObject({ code: 404 });
  });

  it('lets a read of at least a future version wait for three seconds', async () => {
    const { server, clock } = await determined();
    const before = server.snapshot();
    const client = server.client();
    const { metadata } = await client.create(configMap, { metadata: { name: 'undone' } }, inDefault);
    await server.restore(before);
    const { resourceVersion = '' } = metadata;
    const answers: string[] = [];
    const listing = client
      .list(configMap, { ...inDefault, resourceVersion, resourceVersionMatch: 'NotOlderThan' })
      .catch((error: Error) => answers.push(error.message));
    await expect.poll(() => String(server.pending())).toContain(`wait for revision ${resourceVersion}`);
    clock.advance(2_999);
    await client.get(namespace, 'default');
    expect(answers).toEqual([]);
    clock.advance(1);
    await listing;
    expect(answers).toEqual([`Timeout: Too large resource version: ${resourceVersion}, current: ${before.revision}`]);
    await server.close();
  });

  it('goes back to any revision of the history', async () => {
    await using server = await startServer();
    const client = server.client();
    const versions: string[] = [];
    for (const x of ['1', '2', '3']) {
      const applied = await client.apply(configMap, { metadata: { name: 'a', namespace: 'default' }, data: { x } });
      versions.push(applied.metadata.resourceVersion ?? '');
    }
    await server.rewind(Number(versions[1]));
    expect(await client.get(configMap, 'a', inDefault)).toMatchObject({ data: { x: '2' } });
    const listed = await client.list(configMap, {
      ...inDefault,
      resourceVersion: versions[0] ?? '',
      resourceVersionMatch: 'Exact',
    });
    expect(listed.items.find(({ metadata }) => metadata.name === 'a')?.data).toEqual({ x: '1' });
    await expect(server.rewind(Number(versions[2]) + 100)).rejects.toThrow(/future/);
  });

  it('resets all parts of the server, which are created when next used', async () => {
    const events: string[] = [];
    const server = await startServer({ clock: createFakeClock('2026-11-21T12:00:00Z') });
    for (const event of ['started', 'closing', 'closed'] as const) server.on(event, () => events.push(event));
    const { revision } = server.snapshot();
    await server.client().create(configMap, { metadata: { name: 'a' } }, inDefault);
    const after = server.snapshot();
    await server.client().delete(configMap, 'a', inDefault);
    await server.restore(after);
    expect(events).toEqual([]);
    expect(server.pending().isAtRest).toBe(true);
    expect(server.snapshot().revision).toBe(after.revision);
    await server.rewind(revision);
    expect(server.snapshot().revision).toBe(revision);
    await server.restore(after);
    await server.client().get(configMap, 'a', inDefault);
    expect(events).toEqual(['started']);
    await server.restore(after);
    await server.close();
    expect(events.slice(-2)).toEqual(['closing', 'closed']);
    await expect(server.restore(after)).rejects.toThrow('closed');
  });

  it('waits for a start in progress', async () => {
    await using server = await startServer();
    const before = server.snapshot();
    await server.client().create(configMap, { metadata: { name: 'a' } }, inDefault);
    const after = server.snapshot();
    await server.restore(before);
    const [read] = await Promise.all([server.client().list(configMap, inDefault), server.restore(after)]);
    expect(read.items.map(({ metadata }) => metadata.name)).not.toContain('a');
    await expect(server.client().get(configMap, 'a', inDefault)).resolves.toBeDefined();
  });

  it('lets requests wait at every stage of the start that follows', async () => {
    await using server = await startServer();
    const before = server.snapshot();
    await server.client().create(configMap, { metadata: { name: 'a' } }, inDefault);
    const after = server.snapshot();
    for (let stage = 0; stage < 20; stage++) {
      await server.restore(before);
      const read = server.client().get(configMap, 'a', inDefault);
      const outcome = read.then(
        () => 'after',
        ({ code }: { readonly code?: number }) => (code === 404 ? 'before' : 'failed'),
      );
      for (let turn = 0; turn < stage; turn++) await null;
      await server.restore(after);
      expect(['before', 'after']).toContain(await outcome);
      await expect(server.client().get(configMap, 'a', inDefault)).resolves.toBeDefined();
    }
  });

  it('is refused once the server closes, which ends as usual', async () => {
    for (const begin of ['drain', 'close'] as const) {
      const server = await startServer();
      const before = server.snapshot();
      const events: string[] = [];
      server.on('closed', () => events.push('closed'));
      const begun = server[begin]();
      await expect(server.restore(before)).rejects.toThrow('the server is closed');
      await begun;
      await server.close();
      expect(events).toEqual(['closed']);
    }
  });

  it('returns an unused fork to another state', async () => {
    await using server = await startServer();
    await using fork = server.fork();
    await server.client().create(configMap, { metadata: { name: 'a' } }, inDefault);
    await fork.restore(server.snapshot());
    await expect(fork.client().get(configMap, 'a', inDefault)).resolves.toBeDefined();
  });

  it('names an invalid argument, as a fork does', async () => {
    await using server = await startServer();
    const thrown = async (call: () => unknown) => {
      const error: unknown = await Promise.resolve()
        .then(call)
        .catch((reason: unknown) => reason);
      return String(error);
    };
    const noSnapshot = 'TypeError: restore: the argument must be a snapshot: server.snapshot() returns one';
    expect(await thrown(() => server.restore({} as never))).toBe(noSnapshot);
    expect(await thrown(() => server.restore(undefined as never))).toBe(noSnapshot);
    expect(await thrown(() => server.fork(null as never))).toBe('TypeError: fork: the options must be an object');
    expect(await thrown(() => server.fork({ clok: 1 } as never))).toContain('no option clok; did you mean "clock"?');
    expect(await thrown(() => server.fork({ clock: {} as never }))).toBe(
      'TypeError: fork: option clock: must have now(), setTimer()',
    );
    await expect(server.client().list(configMap, inDefault)).resolves.toBeDefined();
  });

  it('refuses a server that stores its data in a folder', async () => {
    await using server = await startServer({ storage: level({ database: new MemoryLevel() as never }) });
    await server.client().create(secret, { metadata: { name: 's' } }, inDefault);
    await expect(server.restore(server.snapshot())).rejects.toThrow('only a server with its storage in memory');
    await using fork = server.fork();
    expect(await fork.client().get(secret, 's', inDefault)).toBeDefined();
    await fork.client().delete(secret, 's', inDefault);
    expect(await server.client().get(secret, 's', inDefault)).toBeDefined();
  });
});
