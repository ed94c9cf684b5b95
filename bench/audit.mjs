import { Connection } from './connections.mjs';
import { interleaved, leastRatio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

/** Many short runs that take turns, in several processes of each: two of the same differ by a tenth. The least of each counts. */
const PROCESSES = 3;
const ROUNDS = 10;
const MILLISECONDS = 300;
const WARM_UP = 3000;
const CONNECTIONS = 8;
const PATH = '/api/v1/namespaces/default/configmaps/c-0';
/** What is added to a server, and how much more a GET may cost it. */
const ADDED = {
  metrics: { topic: 'metrics' },
  audit: { topic: 'an audit log' },
  'watched-over': { topic: 'metrics and an audit log', target: 1.15 },
};

/** What metrics and an audit log of level Metadata add to the processor time of a GET over HTTPS; each server alone in its process. */
export default async function measure() {
  const found = {};
  for (let i = 0; i < PROCESSES; i++)
    for (const [name, costs] of Object.entries(await costsOfAll())) found[name] = [...(found[name] ?? []), ...costs];
  const { plain } = found;
  return Object.entries(ADDED).map(([name, { topic, target }]) =>
    row({
      topic: `HTTPS GET with ${topic}, cpu against one without`,
      measured: leastRatio(found[name], plain),
      target,
      better: 'less',
      detail: `${least(found[name])} against ${least(plain)} µs, the least of ${plain.length} alternating runs in ${PROCESSES} processes`,
    }),
  );
}

/** By the name of what is added: the costs of all rounds of one process. */
async function costsOfAll() {
  const names = ['plain', ...Object.keys(ADDED)];
  const servers = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await startServer('./ours.mjs', '16', name)])),
  );
  try {
    for (const name of names) await costOf(servers[name], WARM_UP);
    const runs = Object.fromEntries(names.map((name) => [name, () => costOf(servers[name], MILLISECONDS)]));
    return await interleaved(runs, { rounds: ROUNDS });
  } finally {
    await Promise.all(names.map((name) => servers[name].stop()));
  }
}

/** Microseconds of the server's processor time for an answer. */
async function costOf(server, milliseconds) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(server, PATH)));
  const { length } = await connections[0].answer();
  const before = await server.ask({ question: 'processorTime' });
  const counts = await Promise.all(connections.map((connection) => connection.repeat(length, milliseconds)));
  const used = (await server.ask({ question: 'processorTime' })) - before;
  for (const connection of connections) connection.close();
  return used / counts.reduce((sum, count) => sum + count, 0);
}

const least = (numbers) => Math.min(...numbers).toFixed(1);
