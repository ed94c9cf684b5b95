// Runs clients of several servers on one etcd, while servers and etcd are killed and paused and connections are cut:
//   node bench/linearizability.mjs [--histories=100] [--operations=10000] [--seed=1] [--servers=3] [--clients=16] [--keys=8]
// All responses must be possible for one storage that executes one request after the other. Every watch must receive every version once, in
// order, and a list must be the state of one moment. etcd itself reports the order of versions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chance } from './support/chance.mjs';
import { checkHistory } from './support/linearizability/check-history.mjs';
import { passed, startCluster } from './support/linearizability/cluster.mjs';
import { disturb } from './support/linearizability/nemesis.mjs';
import { send } from './support/linearizability/requests.mjs';
import { readVersions } from './support/linearizability/versions.mjs';
import { runClient, startWatcher } from './support/linearizability/workload.mjs';
import { numericOptions } from './support/options.mjs';

const options = numericOptions({ histories: 100, operations: 10_000, seed: 1, servers: 3, clients: 16, keys: 8 });
/** The maximum milliseconds for the end of a history, in which servers start again and watches catch up. */
const LONGEST_END = 60_000;

// Servers and etcd end with this process, however it ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const folder = mkdtempSync(join(tmpdir(), 'linearizability-'));
const cluster = await startCluster(folder, options.servers);
const totals = { operations: 0, unknown: 0, events: 0, lost: 0, expired: 0, disturbances: 0, problems: 0 };
const kinds = {};

/** Repeats a request until it succeeds. @returns the JSON of the response */
async function insist(method, path, body, isDone = ({ status }) => status < 300) {
  for (const end = performance.now() + LONGEST_END; ; ) {
    const answer = await send(cluster.servers[0].port, method, path, body);
    if (answer.status !== undefined && answer.status > 0 && isDone(answer)) return answer.value;
    if (performance.now() > end) throw new Error(`${method} ${path} was answered with ${answer.status}`);
    await passed(100);
  }
}

async function runHistory(number) {
  const random = chance(options.seed * 1_000 + number);
  const namespace = `h-${number}`;
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const isThere = ({ status }) => status === 201 || status === 409;
  await insist('POST', '/api/v1/namespaces', { metadata: { name: namespace } }, isThere);
  const first = await insist('GET', collection);
  const from = Number(first.metadata.resourceVersion);
  const history = { operations: [], left: options.operations, newest: from, problems: [] };
  const { servers } = cluster;
  const watchers = [
    ...servers.map((server, index) =>
      startWatcher(`the watcher of server ${index}`, [server], collection, from, history),
    ),
    startWatcher('the watcher of all servers', servers, collection, from, history),
  ];
  let isOver = false;
  const disturbed = disturb(cluster, chance(options.seed * 1_000 + number + 500_000), () => isOver);
  const facts = { servers, collection, random, history, keys: options.keys };
  await Promise.all(Array.from({ length: options.clients }, (_, id) => runClient(id, facts)));
  isOver = true;
  const counts = await disturbed;
  for (const [name, count] of Object.entries(counts)) kinds[name] = (kinds[name] ?? 0) + count;

  // The last object shows the watches, and the reader of the versions, that the history is complete.
  const last = await insist('POST', collection, { metadata: { name: 'last' } }, isThere);
  const { metadata } = last.kind === 'ConfigMap' ? last : await insist('GET', `${collection}/last`);
  const until = Number(metadata.resourceVersion);
  for (const end = performance.now() + LONGEST_END; watchers.some(({ watcher }) => watcher.until < until); ) {
    if (performance.now() > end) break;
    await passed(20);
  }
  for (const { watcher, end } of watchers) {
    end();
    if (watcher.until < until && watcher.expired === 0)
      history.problems.push(`watch: ${watcher.name} came to ${watcher.until} and not to ${until}`);
  }
  const versions = await readVersions(cluster.etcdPort, `/registry/configmaps/${namespace}/`, from, until);
  const { operations } = history;
  // A watch whose version was compacted has to list again, as its client would.
  const seen = watchers.map(({ watcher }) => watcher);
  const whole = seen.filter(({ expired }) => expired === 0);
  const problems = [...history.problems, ...checkHistory({ versions, operations, watchers: whole })];
  const unknown = operations.filter(({ outcome }) => outcome === 'unknown').length;
  totals.operations += operations.length;
  totals.unknown += unknown;
  totals.problems += problems.length;
  for (const { events, lost, expired } of seen) {
    totals.events += events.length;
    totals.lost += lost;
    totals.expired += expired;
  }
  totals.disturbances += Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { problems, versions, operations, watchers: seen, unknown };
}

for (let number = 1; number <= options.histories; number++) {
  const began = performance.now();
  const { problems, versions, operations, watchers, unknown } = await runHistory(number);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `history ${number}: ${operations.length} operations, ${unknown} without an answer, ${versions.length} versions, ${problems.length} violations, ${seconds} s`,
  );
  for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
  if (problems.length === 0) continue;
  const file = join(tmpdir(), `linearizability-${options.seed}-${number}.json`);
  writeFileSync(file, JSON.stringify({ problems, versions, operations, watchers }));
  console.log(`  the history is in ${file}`);
}
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
console.log(
  `linearizability: ${options.histories} histories, ${totals.operations} operations, ${totals.unknown} without an answer, ` +
    `${totals.events} events, ${totals.lost} watches lost and ${totals.expired} expired, ${totals.disturbances} disturbances ` +
    `${JSON.stringify(kinds)}: ${totals.problems} violations`,
);
process.exit(totals.problems === 0 ? 0 : 1);
