import { Connection, Http2Connection } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

/** Many short runs of each variant, alternating, in several processes. */
const PROCESSES = 4;
const ROUNDS = 60;
const MILLISECONDS = 120;
const WARM_UP = 1500;
const CONNECTIONS = 8;
const PATH = '/api/v1/namespaces/default/configmaps/c-0';
/** The variants of a server, and the maximum ratio of a GET's cost to that of a server without them. */
const ADDED = {
  metrics: { topic: 'metrics' },
  audit: { topic: 'an audit log' },
  both: { topic: 'metrics and an audit log', target: 1.15 },
};
const PROTOCOLS = { 'HTTP/2': Http2Connection, 'HTTP/1.1': Connection };

/** Measures what metrics and an audit log of level Metadata add to the processor time of a GET over HTTPS. */
export default async function measure() {
  const rows = [];
  for (const [protocol, client] of Object.entries(PROTOCOLS)) rows.push(...(await measureProtocol(protocol, client)));
  return rows;
}

async function measureProtocol(protocol, client) {
  const found = {};
  for (let i = 0; i < PROCESSES; i++)
    for (const [name, costs] of Object.entries(await costsOfAll(client)))
      found[name] = [...(found[name] ?? []), ...costs];
  const { plain } = found;
  return Object.entries(ADDED).map(([name, { topic, target }]) =>
    row({
      topic: `HTTPS GET over ${protocol} with ${topic}, cpu against one without`,
      measured: ratio(found[name], plain),
      target,
      better: 'less',
      detail: `${median(found[name]).toFixed(1)} against ${median(plain).toFixed(1)} µs, medians of ${plain.length} alternating runs`,
    }),
  );
}

/** Returns the costs of all rounds of one process, by variant. */
async function costsOfAll(client) {
  const process = await startServer('./watched-over.mjs');
  try {
    const runs = {};
    for (const name of ['plain', ...Object.keys(ADDED)]) {
      const open = () => client.open(process[name], PATH);
      const connections = await Promise.all(Array.from({ length: CONNECTIONS }, open));
      const { length } = await connections[0].answer();
      runs[name] = (milliseconds = MILLISECONDS) => costOf(process, connections, length, milliseconds);
    }
    for (const run of Object.values(runs)) await run(WARM_UP);
    return await interleaved(runs, { rounds: ROUNDS });
  } finally {
    await process.stop();
  }
}

/** Returns the microseconds of the server's processor time per response. */
async function costOf(process, connections, length, milliseconds) {
  const before = await process.ask({ question: 'processorTime' });
  const counts = await Promise.all(connections.map((connection) => connection.repeat(length, milliseconds)));
  const used = (await process.ask({ question: 'processorTime' })) - before;
  return used / counts.reduce((sum, count) => sum + count, 0);
}
