// Repeats random workloads, which must give the same bytes in each replay and on each version of Node:
//   node bench/determinism.mjs [--replays=1000] [--seeds=10] [--seed=1] [--steps=80]
// Each seed is a workload, and is repeated replays / seeds times. If two replays differ, the run ends with the first request, event or
// object that differs. The last line is a hash of all output, which can be compared between machines.
import { createHash } from 'node:crypto';
import { Informer } from '../dist/exports/client.js';
import { replicaSet } from '../dist/exports/kinds.js';
import { ApiServer, configMap, secret } from '../dist/index.js';
import { advance, assertDeterministic, controlOrder, injectFaults } from '../dist/testing/index.js';
import { runWorkload } from './support/determinism/workload.mjs';
import { numericOptions } from './support/options.mjs';

const { replays, seeds, seed: first, steps } = numericOptions({ replays: 1000, seeds: 10, seed: 1, steps: 80 });
const kit = { ApiServer, Informer, advance, configMap, controlOrder, injectFaults, replicaSet, secret };
const each = Math.max(2, Math.ceil(replays / seeds));

const all = createHash('sha256');
const began = performance.now();
for (let seed = first; seed < first + seeds; seed++) {
  const run = (replay) => runWorkload(kit, replay, { steps });
  const { hash, entries } = await assertDeterministic(run, { seed, replays: each }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  all.update(hash);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `seed ${seed}: ${each} replays of ${entries} answers, events and objects each, ${hash} (after ${seconds} s)`,
  );
}
console.log(`Node ${process.version}: ${each * seeds} replays, ${all.digest('hex')}`);
