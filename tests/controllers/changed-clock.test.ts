import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../src/client/work-queue.js';
import type { Clock } from '../../src/meta/clock.js';
import { certificateSigningRequest } from '../../src/resources/certificates/index.js';
import { configMap, namespace, secret } from '../../src/resources/core/index.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { makeRequest } from '../pki/make-request.js';
import { startServer } from '../support/servers.js';

/*
 * The time of day is set back or forward: delays keep their length, objects that have expired by the new time are deleted within an hour,
 * and others are kept.
 */
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-21T12:00:00Z');
const jumps = [
  ['back by a day', -DAY],
  ['forward by a day', DAY],
  ['back by years', -5000 * DAY],
] as const;

/** A clock whose time of day can be set independently of its monotonic time. */
function settableClock() {
  const fake = createFakeClock(START);
  let offset = 0;
  const clock: Clock = {
    now: () => fake.now() + offset,
    monotonic: () => fake.monotonic(),
    setTimer: (callback, milliseconds) => fake.setTimer(callback, milliseconds),
  };
  return { clock, advance: fake.advance, jump: (by: number) => void (offset += by) };
}

async function startWithSettableClock() {
  const { clock, advance, jump } = settableClock();
  const server = await startServer({
    dialect: 'k8s',
    clock,
    controllers: { mode: 'stepped', run: ['*', 'tokencleaner'] },
  });
  await server.settle();
  const wait = async (milliseconds: number) => {
    await server.settle();
    advance(milliseconds);
    await server.settle();
  };
  return { server, client: server.client(), clock, jump, wait, [Symbol.asyncDispose]: () => server.close() };
}

describe('the work queue', () => {
  it.each(jumps)('keeps its delays when the time is set %s', (_, by) => {
    const { clock, advance, jump } = settableClock();
    const queue = new WorkQueue(clock);
    queue.addAfter('later', 10 * SECOND);
    for (let failures = 0; failures < 40; failures++) {
      queue.hurry('failed');
      queue.take('failed');
      queue.retry('failed');
    }
    jump(by);
    advance(10 * SECOND - 1);
    expect(queue.take()).toBeUndefined();
    advance(1);
    expect([queue.take(), queue.take()]).toEqual(['later', undefined]);
    advance(50 * SECOND);
    expect(queue.take()).toBe('failed');
    queue.close();
  });
});

describe.each(jumps)('controllers when the time is set %s', (_, by) => {
  it('finish the deletion of a namespace once its content is gone', async () => {
    await using server = await startWithSettableClock();
    const { client } = server;
    await client.create(namespace, { metadata: { name: 'held' }, spec: {} });
    const where = { namespace: 'held' };
    await client.create(configMap, { metadata: { name: 'a', finalizers: ['a.b/c'] } }, where);
    await client.delete(namespace, 'held');
    await server.wait(0);
    server.jump(by);
    await server.wait(6 * SECOND);
    expect((await client.get(namespace, 'held')).status.phase).toBe('Terminating');
    await client.patch(configMap, 'a', { metadata: { finalizers: null } }, where);
    await server.wait(6 * SECOND);
    const names = (await client.list(namespace)).items.map(({ metadata }) => metadata.name);
    expect(names).not.toContain('held');
  });

  it('collect the dependents of objects deleted then', async () => {
    await using server = await startWithSettableClock();
    const { client } = server;
    const where = { namespace: 'default' };
    const { metadata } = await client.create(configMap, { metadata: { name: 'owner' } }, where);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid ?? '' };
    await client.create(configMap, { metadata: { name: 'owned', ownerReferences: [reference] } }, where);
    // The collector has seen both objects, so only its index of owners leads it to the dependent.
    await server.wait(0);
    server.jump(by);
    await client.delete(configMap, 'owner', where);
    await server.wait(0);
    const names = (await client.list(configMap, where)).items.map(({ metadata: { name } }) => name);
    expect(names).not.toContain('owned');
  });

  it('delete tokens that have expired by then within an hour, and no others', async () => {
    await using server = await startWithSettableClock();
    const { client } = server;
    const where = { namespace: 'kube-system' };
    const expires = (id: string, at: number) =>
      client.create(
        secret,
        {
          metadata: { name: `bootstrap-token-${id}` },
          type: 'bootstrap.kubernetes.io/token',
          stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', expiration: new Date(at).toISOString() },
        },
        where,
      );
    await expires('aaaaaa', START + 12 * HOUR);
    await expires('bbbbbb', START + 60 * DAY);
    await server.wait(0);
    server.jump(by);
    await server.wait(HOUR);
    const left = async () =>
      (await client.list(secret, where)).items.flatMap(({ metadata: { name = '' } }) =>
        name.startsWith('bootstrap-token-') ? [name.at(-1)] : [],
      );
    expect(await left()).toEqual(by > 0 ? ['b'] : ['a', 'b']);
    // The token expires by its own time, whatever the clock was before.
    server.jump(START + 12 * HOUR - server.clock.now());
    await server.wait(HOUR);
    expect(await left()).toEqual(['b']);
  });

  it('continue to check for old certificate requests', async () => {
    await using server = await startWithSettableClock();
    const { client } = server;
    server.jump(by);
    await client.create(certificateSigningRequest, {
      metadata: { name: 'pending' },
      spec: {
        request: btoa((await makeRequest({ commonName: 'dana' })).pem),
        signerName: 'example.com/x',
        usages: ['client auth'],
      },
    } as never);
    const names = async () => (await client.list(certificateSigningRequest)).items.map(({ metadata }) => metadata.name);
    for (let hours = 0; hours < 24; hours++) await server.wait(HOUR);
    expect(await names()).toEqual(['pending']);
    for (let hours = 0; hours < 2; hours++) await server.wait(HOUR);
    expect(await names()).toEqual([]);
  });
});
