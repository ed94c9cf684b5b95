import { expect, it } from 'vitest';
import type { ControllerDefinition } from '../../../src/controllers/controller.js';
import { ApiServer, configMap } from '../../../src/index.js';
import { advance, createFakeClock, createFakeRandom } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

const START = '2030-01-01T00:00:00Z';
const where = { namespace: 'default' };

/** A controller that queues one key for each ConfigMap. */
const following = (name: string, reconcile: ControllerDefinition['reconcile']): ControllerDefinition => ({
  name,
  follow: ({ host, queue }) =>
    host.lister('', 'configmaps').onChange((next) => next && queue.add(next.metadata.name ?? '')),
  reconcile,
});

async function started(...mine: readonly ControllerDefinition[]) {
  const clock = createFakeClock(START);
  const server = await startServer({
    dialect: 'k8s',
    clock,
    random: createFakeRandom(1),
    controllers: { definitions: (defaults) => [...defaults, ...mine], mode: 'stepped' },
  });
  await server.settle();
  return { clock, server, client: server.client() };
}

it('lists queued, delayed and failing keys of controllers', async () => {
  let fails = true;
  const failing = following('careful', async (key, { queue }) => {
    if (fails) throw new Error('the shop is closed');
    if (key === 'a') queue.addAfter('later', 60_000);
  });
  const { server, client, clock } = await started(failing);
  await using _ = server;
  const before = server.pending();
  expect(before.isAtRest).toBe(true);
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  const mine = () => server.pending().controllers.filter(({ controller }) => controller === 'careful');
  expect(mine()).toEqual([{ controller: 'careful', key: 'a', state: 'queued' }]);
  expect(server.isBusy).toBe(true);
  await server.settle();
  expect(server.isBusy).toBe(false);
  const until = Date.parse(START) + 5;
  expect(mine()).toEqual([
    { controller: 'careful', key: 'a', state: 'failing', until, attempts: 1, error: 'the shop is closed' },
  ]);
  expect(server.pending().isAtRest).toBe(false);
  expect(String(server.pending())).toContain(
    'controller careful: key "a" is failing, next try 2030-01-01T00:00:00.005Z (in 5 ms), failed 1 times: the shop is closed',
  );
  expect(server.pending().timers).toContainEqual({ name: 'controller careful: a', at: until });
  fails = false;
  clock.advance(5);
  await server.settle();
  expect(mine()).toEqual([{ controller: 'careful', key: 'later', state: 'delayed', until: until + 60_000 }]);
  expect(server.pending().isAtRest).toBe(true);
});

it('lists current work before work that waits for the clock, however much waits', async () => {
  const waiting = following('patient', async (_key, { queue }) => {
    for (let i = 0; i < 50; i++) queue.addAfter(`later-${i}`, 60_000);
  });
  const failing = following('careful', async () => {
    throw new Error('the shop is closed');
  });
  const { server, client } = await started(waiting, failing);
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  await server.settle();
  const lines = String(server.pending()).split('\n');
  expect(lines[0]).toContain('controller careful: key "a" is failing');
  expect(lines.filter((line) => /^\.\.\. and \d+ more$/.test(line))).not.toEqual([]);
});

it('lists the key that is being reconciled', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const { server, client } = await started(following('slow', () => held));
  await using _ = server;
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  const settled = server.settle();
  await expect
    .poll(() => server.pending().controllers)
    .toContainEqual({ controller: 'slow', key: 'a', state: 'running' });
  release();
  await settled;
});

it('lists watches whose client has not read or processed their events', async () => {
  const { server, client } = await started();
  await using _ = server;
  const mine = server.client({ userAgent: 'reader/1.0' });
  const watch = await mine.watch(configMap, where).opened();
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  const waiting = { path: '/api/v1/namespaces/default/configmaps', user: 'system:apiserver', userAgent: 'reader/1.0' };
  expect(server.pending().watches).toEqual([waiting]);
  const events = watch[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({
    type: 'ADDED',
    object: { metadata: { name: 'kube-root-ca.crt' } },
  });
  expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
  // The reader may still be processing the last event.
  expect(server.pending().watches).toEqual([waiting]);
  expect(server.isBusy).toBe(true);
  const next = events.next();
  await expect.poll(() => server.pending().watches).toEqual([]);
  await server.settle();
  expect(server.isBusy).toBe(false);
  watch.close();
  await next;
});

it('lists requests in flight until they have their response', async () => {
  const { server } = await started();
  await using _ = server;
  let release = (_text: string) => {};
  const body = new ReadableStream({
    start(controller) {
      release = (text) => {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      };
    },
  });
  const request = new Request('http://localhost/api/v1/namespaces/default/configmaps', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'application/json', 'user-agent': 'writer' },
  } as RequestInit);
  const answered = server.fetch(request, { user: { username: 'jane', groups: ['system:masters'] } });
  await expect
    .poll(() => server.pending().requests)
    .toEqual([{ method: 'POST', path: '/api/v1/namespaces/default/configmaps', user: 'jane', userAgent: 'writer' }]);
  expect(server.isBusy).toBe(true);
  release('{"metadata":{"name":"late"}}');
  expect((await answered).status).toBe(201);
  expect(server.pending().requests).toEqual([]);
});

it('names every timer of the clock', async () => {
  const { server, client } = await started();
  await using _ = server;
  const watch = await client.watch(configMap, { ...where, allowWatchBookmarks: true } as never).opened();
  await client.create(configMap, { metadata: { name: 'a' } }, where);
  const names = server.pending().timers.map(({ name }) => name);
  expect(names).not.toContain('timer');
  expect(names.join('\n')).toMatch(/end of the watch of \/registry\/configmaps\/default\//);
  watch.close();
  await advance(server, 0);
});

it('shows the timer of a watch that ends after the last time of a Date', async () => {
  const { server, client } = await started();
  await using _ = server;
  const watch = await client.watch(configMap, { ...where, timeoutSeconds: 1e13 }).opened();
  expect(String(server.pending())).toContain('fires +275760-09-13T00:00:00.000Z (in 10000000000000000 ms)');
  watch.close();
});

it('prints a bounded text, however long the keys are', async () => {
  const { server } = await started({
    name: 'long',
    follow({ queue }) {
      for (let i = 0; i < 100; i++) queue.addAfter(`${i}${'x'.repeat(10_000)}`, 1000);
      return () => {};
    },
    reconcile: async () => {},
  });
  await using _ = server;
  const text = String(server.pending());
  expect(text).toMatch(/\.\.\. and \d+ more/);
  expect(text.length).toBeLessThan(20_000);
});

it('fails before the start', () => {
  expect(() => new ApiServer().pending()).toThrow(TypeError);
});
