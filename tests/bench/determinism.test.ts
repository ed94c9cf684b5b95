import { expect, it } from 'vitest';
import { runWorkload } from '../../bench/support/determinism/workload.mjs';
import { Informer } from '../../src/exports/client.js';
import { replicaSet } from '../../src/exports/kinds.js';
import { ApiServer, configMap, secret } from '../../src/index.js';
import { advance, assertDeterministic, controlOrder, injectFaults } from '../../src/testing/index.js';
import { propertyRuns } from '../support/property-runs.js';

const kit = { ApiServer, Informer, advance, configMap, controlOrder, injectFaults, replicaSet, secret };

const seeds = Array.from({ length: propertyRuns(5) }, (_, i) => i + 1);
// A test for each workload, as a busy machine may need a minute for all of them.
it.each(seeds)('replays of a random workload produce the same bytes, with the seed %d', async (seed) => {
  const run = { seed, replays: Math.max(2, propertyRuns(4)) };
  const { entries } = await assertDeterministic((replay) => runWorkload(kit, replay), run);
  expect(entries).toBeGreaterThan(400);
});
