import { expect, it } from 'vitest';
import { runWorkload } from '../../bench/support/determinism/workload.mjs';
import { Informer } from '../../src/exports/client.js';
import { replicaSet } from '../../src/exports/kinds.js';
import { ApiServer, configMap, secret } from '../../src/index.js';
import { advance, assertDeterministic, controlOrder, injectFaults } from '../../src/testing/index.js';
import { propertyRuns } from '../support/property-runs.js';

const kit = { ApiServer, Informer, advance, configMap, controlOrder, injectFaults, replicaSet, secret };

const run = async (replays: number, seed: number) =>
  await assertDeterministic((replay) => runWorkload(kit, replay), {
    seed,
    replays: Math.max(2, propertyRuns(replays)),
  });

it('replays of a random workload produce the same bytes', async () => {
  expect((await run(6, 1)).entries).toBeGreaterThan(400);
});

const seeds = Array.from({ length: propertyRuns(3) }, (_, i) => i + 2);
it.each(seeds)(
  'replays of another workload produce the same bytes, with the seed %d',
  async (seed) => void (await run(4, seed)),
);
