import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ControllerDefinition } from '../../../src/controllers/controller.js';
import { configMap, secret } from '../../../src/index.js';
import { advance, createFakeClock, createFakeRandom, type FakeClock } from '../../../src/testing/index.js';
import { propertyRuns } from '../../support/property-runs.js';
import { startServer } from '../../support/servers.js';

const START = '2030-01-01T00:00:00Z';
const where = { namespace: 'default' };

async function started(
  mode: 'stepped' | 'automatic',
  mine: ControllerDefinition[] = [],
  clock: FakeClock = createFakeClock(START),
) {
  const server = await startServer({
    dialect: 'k8s',
    clock,
    random: createFakeRandom(1),
    controllers: { definitions: (defaults) => [...defaults, ...mine], mode },
  });
  await server.settle();
  return { clock, server, client: server.client() };
}

/** Creates a ConfigMap ten seconds after the previous one, named after the second at which it does. */
const ticking: ControllerDefinition = {
  name: 'ticking',
  follow({ queue }) {
    queue.add('tick');
    return () => {};
  },
  async reconcile(key, { host, client, queue }) {
    const second = (host.clock.now() - Date.parse(START)) / 1000;
    if (second > 0) await client.create(configMap, { metadata: { name: `at-${second}` } }, where);
    queue.addAfter(key, 10_000);
  },
};

it.each(['stepped', 'automatic'] as const)('lets controllers settle after each timer, %s', async (mode) => {
  const { clock, server, client } = await started(mode, [ticking]);
  await using _ = server;
  await advance(server, 35_000);
  const made = (await client.list(configMap, where)).items.filter(({ metadata }) => metadata.name?.startsWith('at-'));
  expect(made.map(({ metadata }) => [metadata.name, metadata.creationTimestamp])).toEqual([
    ['at-10', '2030-01-01T00:00:10Z'],
    ['at-20', '2030-01-01T00:00:20Z'],
    ['at-30', '2030-01-01T00:00:30Z'],
  ]);
  expect(clock.now()).toBe(Date.parse(START) + 35_000);
});

it('retries by the backoff of the clock', async () => {
  const tries: number[] = [];
  const failing: ControllerDefinition = {
    name: 'failing',
    follow({ queue }) {
      queue.add('a');
      return () => {};
    },
    reconcile(_key, { host }) {
      tries.push(host.clock.now() - Date.parse(START));
      return Promise.reject(new Error('no'));
    },
  };
  const { server } = await started('stepped', [failing]);
  await using _ = server;
  await advance(server, 100);
  expect(tries).toEqual([0, 5, 15, 35, 75]);
});

it.each([
  ['quickly', 0],
  // The work is so slow that it reaches the limit of reconciliations only after `advance` has stopped waiting for it.
  ['slowly', 3000],
])('reports a controller that causes its own work, %s', async (_speed, slowRuns) => {
  let runs = 0;
  const { server, client } = await started('stepped', [
    {
      name: 'endless',
      follow: ({ host, queue }) => host.lister('', 'secrets').onChange(() => queue.add('a')),
      async reconcile(key, { queue }) {
        const end = performance.now() + (runs++ < slowRuns ? 0.15 : 0);
        while (performance.now() < end);
        queue.add(key);
      },
    },
  ]);
  await using _ = server;
  await client.create(secret, { metadata: { name: 'a' } }, where);
  await expect(advance(server, 1000)).rejects.toMatchObject({
    reason: 'endless',
    message: expect.stringContaining('controller endless with the key "a" causes its own work'),
    reconciled: expect.toSatisfy((count: number) => count > 5000),
  });
});

it('continues when work waits for the clock itself', async () => {
  const done: number[] = [];
  const { server } = await started('automatic', [
    {
      name: 'waiting',
      follow({ queue, host }) {
        host.clock.setTimer(() => queue.add('a'), 1000, false, 'start');
        return () => {};
      },
      async reconcile(_key, { host }) {
        await new Promise<void>((resolve) => host.clock.setTimer(resolve, 2000, true, 'pause'));
        done.push(host.clock.now() - Date.parse(START));
      },
    },
  ]);
  await using _ = server;
  await advance(server, 10_000);
  expect(done).toEqual([3000]);
});

it('moves the clock of a fork, and of no other server', async () => {
  const { clock, server } = await started('stepped', [ticking]);
  await using _ = server;
  await using fork = server.fork();
  await advance(fork, 10_000);
  expect(fork.clock.now()).toBe(Date.parse(START) + 10_000);
  expect(clock.now()).toBe(Date.parse(START));
  expect(await fork.client().get(configMap, 'at-10', where)).toMatchObject({ metadata: { name: 'at-10' } });
});

it('moves servers with one clock together', async () => {
  const { clock, server } = await started('stepped', [ticking]);
  const other = await started('stepped', [ticking], clock);
  await using _ = server;
  await using _other = other.server;
  await advance([server, other.server], 20_000);
  for (const each of [server, other.server])
    expect(await each.client().get(configMap, 'at-20', where)).toMatchObject({ metadata: { name: 'at-20' } });
  await using fork = server.fork();
  await expect(advance([server, fork], 1)).rejects.toThrow('different clocks');
});

it('refuses a clock that cannot be moved, and invalid times', async () => {
  await using server = await startServer();
  await expect(advance(server, 1)).rejects.toThrow('createFakeClock');
  await expect(advance(server, -1)).rejects.toThrow(TypeError);
  await expect(advance(server, Number.NaN)).rejects.toThrow(TypeError);
});

it('fires timers for the same time one by one, in the order in which they were set', () => {
  const clock = createFakeClock(START);
  const fired: string[] = [];
  clock.setTimer(() => fired.push('b'), 20, false, 'b');
  clock.setTimer(() => fired.push('a'), 10);
  clock.setTimer(() => fired.push('c'), 20, false, 'c');
  expect(clock.timers().map(({ name }) => name)).toEqual(['timer', 'b', 'c']);
  expect(clock.fireNext(5)).toBeUndefined();
  expect([clock.fireNext(100), clock.fireNext(100)]).toEqual([10, 10]);
  expect(fired).toEqual(['a', 'b']);
  expect(clock.fireNext(0)).toBe(0);
  expect(fired).toEqual(['a', 'b', 'c']);
});

it('fires timers in the order of their times, whatever was set and canceled between', () => {
  const step = fc.oneof(
    fc.record({ set: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ cancel: fc.nat(20) }),
    fc.record({ pass: fc.nat(4) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const clock = createFakeClock(0);
      const fired: number[] = [];
      const expected: number[] = [];
      const timers: { at: number; cancel: () => void; isDone: boolean }[] = [];
      for (const one of steps)
        if ('set' in one) {
          const number = timers.length;
          const cancel = clock.setTimer(() => fired.push(number), one.set);
          timers.push({ at: clock.now() + one.set, cancel, isDone: false });
        } else if ('cancel' in one) {
          const timer = timers[one.cancel];
          timer?.cancel();
          if (timer) timer.isDone = true;
        } else {
          clock.advance(one.pass);
          const due = [...timers.entries()].filter(([, { at, isDone }]) => !isDone && at <= clock.now());
          for (const [number, timer] of due.sort(([, a], [, b]) => a.at - b.at)) {
            timer.isDone = true;
            expected.push(number);
          }
        }
      expect(fired).toEqual(expected);
      expect(clock.pendingTimers).toBe(timers.filter(({ isDone }) => !isDone).length);
    }),
    { numRuns: propertyRuns(500) },
  );
});
