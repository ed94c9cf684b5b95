import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/index.js';
import { advance } from '../../../src/testing/advance.js';
import { diff } from '../../../src/testing/diff.js';
import { insecureDeterministic } from '../../../src/testing/insecure-deterministic.js';
import { longProperty, propertyRuns } from '../../support/property-runs.js';
import { startServer } from '../../support/servers.js';
import { everythingOf, performAll, step } from './workload.js';

const start = (seed: number) => startServer({ dialect: 'k8s', ...insecureDeterministic({ seed }) });
const seeds = fc.integer({ min: 1, max: 1000 });
// A fork reports a budget without pods again, as a restarted controller does, so budgets are left out.
const calm = step.filter(({ action }) => action !== 'budget');
const stepsOf = (from: fc.Arbitrary<Parameters<typeof performAll>[1][number]>, maxLength: number) =>
  fc.array(from, { minLength: Math.floor(maxLength / 2), maxLength, size: 'max' });
/** The same steps fail again and are short enough to read, so a failure is not made smaller, which would take minutes. */
const runs = (usual: number) => ({ numRuns: propertyRuns(usual), endOnFailure: true });

/** Returns some versions of the history, the newest first. */
function versionsOf(server: ApiServer): number[] {
  const { revision } = server.snapshot();
  return [0, 1, 3, 21].map((back) => revision - back).filter((version) => version > 0);
}

describe('forks of random servers', longProperty(), () => {
  it('equal their original, answer as it does, and share no write with it', async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds,
        stepsOf(calm, 40),
        stepsOf(calm, 15),
        stepsOf(calm, 15),
        async (seed, before, after, others) => {
          await using server = await start(seed);
          await performAll(server, before);
          await server.settle();
          const versions = versionsOf(server);
          await using fork = server.fork() as ApiServer;
          await using forkOfFork = fork.fork() as ApiServer;
          const state = await everythingOf(server, versions);
          await fork.settle();
          expect(await everythingOf(fork, versions)).toBe(state);
          // The fork goes its own way, which neither the original nor the fork of the fork sees.
          await performAll(fork, others);
          await fork.close();
          const answers = await performAll(server, after);
          await server.settle();
          const later = await everythingOf(server, versions);
          await server.close();
          expect(await everythingOf(forkOfFork, versions)).toBe(state);
          expect(await performAll(forkOfFork, after)).toBe(answers);
          await forkOfFork.settle();
          expect(await everythingOf(forkOfFork, versions)).toBe(later);
        },
      ),
      runs(5),
    );
  });

  it('are what the original is after it was rewound', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, stepsOf(calm, 30), stepsOf(calm, 20), async (seed, before, after) => {
        await using server = await start(seed);
        await performAll(server, before);
        await server.settle();
        const { revision } = server.snapshot();
        await using fork = server.fork() as ApiServer;
        const atRest = after.filter(({ action }) => !['second', 'minutes', 'hour'].includes(action));
        await performAll(server, atRest);
        await server.rewind(revision);
        expect((await diff(fork, server, { bookkeeping: true })).text).toBe('');
        expect(await everythingOf(server, versionsOf(fork))).toBe(await everythingOf(fork, versionsOf(fork)));
      }),
      runs(5),
    );
  });
});

describe('the time of random servers', longProperty(), () => {
  it('may pass at once or in two parts', async () => {
    const time = fc.integer({ min: 0, max: 4_000_000 });
    await fc.assert(
      fc.asyncProperty(seeds, stepsOf(step, 30), time, time, async (seed, steps, first, second) => {
        await using server = await start(seed);
        await using other = await start(seed);
        for (const each of [server, other]) await performAll(each, steps);
        await advance(server, first + second);
        await advance(other, first);
        await advance(other, second);
        expect((await diff(server, other, { bookkeeping: true })).text).toBe('');
        expect(String(other.pending())).toBe(String(server.pending()));
      }),
      runs(5),
    );
  });
});
