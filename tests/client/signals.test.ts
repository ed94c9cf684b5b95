import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remoteClient } from '../../src/client/remote/remote-client.js';
import { ApiServer, type Client, configMap, isForbidden, type TypedChange } from '../../src/index.js';
import type { ConfigMap } from '../../src/resources/core/index.js';
import { createFakeClock } from '../../src/testing/index.js';
import { collectGarbage } from '../support/collect-garbage.js';

const where = { namespace: 'default' };
const clock = createFakeClock();
const server = new ApiServer({
  clock,
  // This write waits.
  admission: (defaults) => [
    ...defaults,
    () => ({
      name: 'Slow',
      handles: ({ resource }) => resource.resource === 'configmaps',
      validate: async ({ name }) => {
        await Promise.resolve();
        if (name === 'bad') throw new Error('bad');
      },
    }),
  ],
});
const stop = new AbortController();
const { signal } = stop;
beforeAll(async () => {
  await server.start();
  await server.client().create(configMap, { metadata: { name: 'first' } }, where);
});
afterAll(() => server.close());

/** A program uses one signal for its whole life, so nothing that has ended may keep a listener on the signal. */
describe('a signal for many calls', () => {
  const calls: Record<string, (client: Client) => Promise<unknown>> = {
    'a list': (client) => client.list(configMap, { ...where, signal }),
    'a write': (client) => client.update(configMap, 'first', () => {}, { ...where, signal }),
    'a refused write': (client) =>
      client.create(configMap, { metadata: { name: 'bad' } }, { ...where, signal }).catch(() => {}),
    'a watch that was closed': async (client) => (await client.watch(configMap, { ...where, signal }).opened()).close(),
    'a watch that was never opened': async (client) => client.watch(configMap, { ...where, signal }).close(),
    'a watch that was left': async (client) => {
      for await (const { type } of client.watch(configMap, { ...where, resourceVersion: '0', signal })) return type;
      return undefined;
    },
    'a watch that was refused': async (client) => {
      const watch = client.watch(configMap, { ...where, labelSelector: '!!', signal });
      await expect(watch.opened()).rejects.toThrow('unable to parse');
    },
  };
  it.each(Object.entries(calls))('has no listeners left after %s', async (_name, call) => {
    const client = server.client();
    const timers = clock.pendingTimers;
    for (let i = 0; i < 3; i++) await call(client);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(clock.pendingTimers).toBeLessThanOrEqual(timers);
  });
});

it('a signal ends the watch that it was passed to', async () => {
  const own = new AbortController();
  const watch = await server
    .client()
    .watch(configMap, { ...where, signal: own.signal })
    .opened();
  own.abort();
  const seen: TypedChange<ConfigMap>[] = [];
  for await (const change of watch) seen.push(change);
  expect(seen).toEqual([]);
});

it('a forbidden watch is refused, and its signal has no listeners left', async () => {
  const jane = server.client({ user: { username: 'jane', groups: ['system:authenticated'] } });
  await expect(jane.watch(configMap, { ...where, signal }).opened()).rejects.toSatisfy(isForbidden);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('a signal ends a call that waits for its retry', async () => {
  const own = new AbortController();
  const refuse = async () => new Response('{}', { status: 429, headers: { 'retry-after': '60' } });
  const remote = await remoteClient({
    server: 'https://server',
    dialect: 'k8s',
    fetch: refuse,
    clock: createFakeClock(),
  });
  const listed = remote.list(configMap, { ...where, signal: own.signal });
  await Promise.resolve();
  own.abort();
  await expect(listed).rejects.toThrow('aborted');
  expect(getEventListeners(own.signal, 'abort')).toHaveLength(0);
});

it('a signal ends a watch by fetch, whether or not its caller keeps the request', async () => {
  const aborting = new AbortController();
  const user = { username: 'admin', groups: ['system:masters'] };
  const open = async () => {
    const request = new Request('http://server/api/v1/configmaps?watch=1', { signal: aborting.signal });
    return (await server.fetch(request, { user })).body;
  };
  const body = await open();
  const reading = (async () => {
    for await (const _ of body ?? []);
  })();
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  aborting.abort();
  await reading;
});
