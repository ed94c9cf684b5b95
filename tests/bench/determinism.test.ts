import { expect, it } from 'vitest';
import { runWorkload } from '../../bench/support/determinism/workload.mjs';
import { Informer } from '../../src/exports/client.js';
import { replicaSet } from '../../src/exports/kinds.js';
import { ApiServer, configMap, secret } from '../../src/index.js';
import { advance, assertDeterministic, controlOrder, injectFaults } from '../../src/testing/index.js';
import { propertyRuns } from '../support/property-runs.js';

const kit = { ApiServer, Informer, advance, configMap, controlOrder, injectFaults, replicaSet, secret };

it('replays of a random workload produce the same bytes', async () => {
  const run = async (replays: number, seed: number) =>
    await assertDeterministic((replay) => runWorkload(kit, replay), { seed, replays });
  const { entries } = await run(Math.max(2, propertyRuns(8)), 1);
  expect(entries).toBeGreaterThan(400);
  for (let seed = 2; seed < 2 + propertyRuns(3); seed++) await run(Math.max(2, propertyRuns(4)), seed);
}, 60_000);
