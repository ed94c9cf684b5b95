// Runs many watches and writers for a while. Some read slowly or drop their connections, the clock jumps, and two flows request twice the
// available seats. Checks that nothing is lost, repeated or out of order, and that both flows get equal service:
//   node bench/soak.mjs [--seconds=600] [--watchers=200] [--writers=50] [--seed=1]
// Exits with 1 otherwise.
import { startServer } from './servers/process.mjs';
import { Api } from './soak/api.mjs';
import { overload, prepareFairness } from './soak/fairness.mjs';
import { Reference, SELECTIONS, Watcher } from './soak/watchers.mjs';
import { COLLECTION, judgeCounts, prepare, WRITERS } from './soak/writers.mjs';
import { chance } from './support/chance.mjs';
import { numericOptions } from './support/options.mjs';

const {
  seconds,
  watchers: watching,
  writers,
  seed,
} = numericOptions({ seconds: 600, watchers: 200, writers: 50, seed: 1 });
/** The milliseconds until the history is full, and the maximum growth of the collected heap from then on. */
const HISTORY_FULL = 330_000;
/** The maximum difference of the two flows. */
const UNFAIR = 0.1;
const HOUR = 3_600_000;
/** Milliseconds between two jumps of the clock. */
const JUMPS = 15_000;
const GROWTH = 1.25;
const SHOWN = 20;

const server = await startServer('./soaked.mjs');
const api = new Api(server);
await prepare(api);
await prepareFairness(api);
const { value: first } = await api.call('GET', `/api/v1/${COLLECTION}`);
const reference = new Reference();
reference.begin(first.items);
reference.start(api, first.metadata.resourceVersion);
const watchers = Array.from(
  { length: watching },
  // One of twenty reads slowly, and one drops its connection all the time.
  (_, i) => new Watcher(api, SELECTIONS[i % SELECTIONS.length], chance(seed * 1000 + i), ['slow', 'drops'][i % 20]),
);
await Promise.all(watchers.map((watcher) => watcher.start()));

const counts = { put: 0, patch: 0, lives: 0, pages: 0, collected: 0, applied: new Map() };
const problems = [];
const end = Date.now() + seconds * 1000;
let calls = 0;

async function write(number) {
  const names = Object.keys(WRITERS);
  const kind = names[number % names.length];
  const random = chance(seed * 2000 + number);
  for (let round = 1; Date.now() < end; round++) {
    try {
      await WRITERS[kind](api, { number, round, random }, counts);
    } catch (error) {
      problems.push(`${kind}: ${error.message}`);
      if (problems.length > 1000) return;
    }
    calls++;
    await new Promise((resolve) => setTimeout(resolve, random.below(100)));
  }
}

const heaps = [];
const begin = Date.now();
const sample = setInterval(
  async () => heaps.push({ at: Date.now() - begin, bytes: await server.ask({ question: 'heap' }) }),
  Math.max(1000, seconds * 50),
);
const jumps = chance(seed * 3000);
const jumping = setInterval(
  () => server.ask({ question: 'jump', milliseconds: jumps.below(2 * HOUR) - HOUR }),
  Math.min(JUMPS, seconds * 100),
);
const fairness = async () => {
  await new Promise((resolve) => setTimeout(resolve, seconds * 400));
  return await overload(server, seconds * 200);
};
const [{ served, refused }] = await Promise.all([
  fairness(),
  ...Array.from({ length: writers }, (_, number) => write(number)),
]);
clearInterval(sample);
clearInterval(jumping);
const [most, least] = [Math.max(...Object.values(served)), Math.min(...Object.values(served))];
if (least < most * (1 - UNFAIR)) problems.push(`unfair: ${JSON.stringify(served)}`);

// Every selector selects one of the last changes, so that each watch knows when it is complete.
const last = [];
for (const [namespace, colour] of [
  ['soak-0', 'red'],
  ['soak-1', 'blue'],
]) {
  const body = { metadata: { name: 'last', labels: { colour } } };
  last.push((await api.call('POST', `/api/v1/namespaces/${namespace}/${COLLECTION}`, body)).value);
}
await Promise.all(watchers.map((watcher) => watcher.settle(last)));
problems.push(...(await judgeCounts(api, counts)), ...reference.problems);
let events = 0;
for (const watcher of watchers) {
  events += watcher.judge(reference);
  problems.push(...(await watcher.compare()), ...watcher.problems);
}
problems.push(...(await server.ask({ question: 'faults' })));
reference.watch.drop();
api.close();
await server.stop();

const full = heaps.filter(({ at }) => at > HISTORY_FULL).map(({ bytes }) => bytes);
const grown = full.length < 4 ? 0 : Math.min(...full.slice(-2)) / Math.min(...full.slice(0, 2));
if (grown > GROWTH) problems.push(`the heap grew by ${grown.toFixed(2)} after history was full`);
for (const problem of problems.slice(0, SHOWN)) console.log(problem);
console.log(`heap in MB: ${heaps.map(({ bytes }) => Math.round(bytes / 1e6)).join(' ')}`);
console.log(
  `flows at twice the seats: ${Object.entries(served)
    .map(([flow, count]) => `${flow} ${count}`)
    .join(', ')}, ${refused} refused`,
);
console.log(
  `soak: ${seconds} s, ${calls} rounds, put ${counts.put}, patch ${counts.patch}, lives ${counts.lives}, page chains ${counts.pages}, ` +
    `collected ${counts.collected}, ${reference.changes} changes, ${events} events at ${watchers.length} watchers, ` +
    `${watchers.reduce((sum, { reconnects }) => sum + reconnects, 0)} reconnects, ${problems.length} problems`,
);
process.exit(problems.length > 0 ? 1 : 0);
