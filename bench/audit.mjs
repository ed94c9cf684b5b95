import { Connection } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const ROUND = 1500;
const CONNECTIONS = 8;
const PATH = '/api/v1/namespaces/default/configmaps/c-0';

/** What metrics and an audit log of level Metadata add to the processor time of a GET over HTTPS; each server alone in its process. */
export default async function measure() {
  const plain = await startServer('./ours.mjs', '16');
  const watched = await startServer('./ours.mjs', '16', 'watched-over');
  try {
    const found = await interleaved({ plain: () => costOf(plain), watched: () => costOf(watched) }, { rounds: 5 });
    return [
      row({
        topic: 'HTTPS GET with metrics and audit, cpu against one without',
        measured: ratio(found.watched, found.plain),
        target: 1.15,
        better: 'less',
        detail: `${median(found.watched).toFixed(0)} against ${median(found.plain).toFixed(0)} µs`,
      }),
    ];
  } finally {
    await plain.stop();
    await watched.stop();
  }
}

/** Microseconds of the server's processor time for an answer. */
async function costOf(server) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(server, PATH)));
  const { length } = await connections[0].answer();
  const before = await server.ask({ question: 'processorTime' });
  const counts = await Promise.all(connections.map((connection) => connection.repeat(length, ROUND)));
  const used = (await server.ask({ question: 'processorTime' })) - before;
  for (const connection of connections) connection.close();
  return used / counts.reduce((sum, count) => sum + count, 0);
}
