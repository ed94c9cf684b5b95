import { Connection, writeRequest } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { letters } from './objects.mjs';
import { startServer } from './servers/process.mjs';

const OBJECTS = 16;
const ROUND = 1000;
const COLLECTION = '/api/v1/namespaces/default/configmaps';

/**
 * Processor time of the server for a write of a 1 KB object over HTTPS, against a bare node:https server that sends back
 * what it was sent; each alone in its process. Every connection writes an object of its own, and every write changes it.
 * Once with writes one after the other, as a client makes them; and once with as many at a time as keep both servers
 * from ever having to wait: then the bare one wakes nobody up, which is most of what a request costs it.
 */
export default async function measure() {
  const ours = await startServer('./ours.mjs', String(OBJECTS));
  const bare = await startServer('./bare.mjs', ours.cert, ours.key);
  const servers = { ours, bare: { ...bare, ca: ours.ca, cert: ours.cert, key: ours.key } };
  try {
    const rows = [];
    for (const write of WRITES) {
      // Until the engine has compiled what there is to compile.
      for (let i = 0; i < 3; i++) for (const server of Object.values(servers)) await costOf(server, write, OBJECTS);
      rows.push(await compare(servers, write, { connections: 1, target: 4 }));
      rows.push(await compare(servers, write, { connections: OBJECTS }));
    }
    return rows;
  } finally {
    await bare.stop();
    await ours.stop();
  }
}

async function compare(servers, write, { connections, target }) {
  const found = await interleaved({
    ours: () => costOf(servers.ours, write, connections),
    bare: () => costOf(servers.bare, write, connections),
  });
  return row({
    topic: target ? `HTTPS ${write.topic}, cpu against an echo` : `  the same, ${connections} at a time`,
    measured: ratio(found.ours, found.bare),
    target,
    better: 'less',
    detail: `${median(found.ours).toFixed(0)} against ${median(found.bare).toFixed(0)} µs`,
  });
}

const WRITES = [
  {
    topic: 'merge patch of 1 KB',
    contentType: 'application/merge-patch+json',
    body: (object, turn) => ({ metadata: { labels: { turn: `${turn}` } }, data: values(object, turn) }),
  },
  {
    topic: 'merge patch of a label',
    contentType: 'application/merge-patch+json',
    body: (_, turn) => ({ metadata: { labels: { turn: `${turn}` } } }),
  },
  {
    topic: 'apply of 1 KB',
    contentType: 'application/apply-patch+yaml',
    query: '?fieldManager=bench&force=true',
    body: (object, turn) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c-${object}`, labels: { turn: `${turn}` } },
      data: values(object, turn),
    }),
  },
];

const values = (object, turn) => ({ a: `${turn} ${FILLING[object]}`, b: FILLING[object + 1] });
const FILLING = Array.from({ length: OBJECTS + 1 }, (_, seed) => letters(seed, 420));

/** Microseconds of the server's processor time for a write, on average over a while. */
async function costOf(server, { contentType, body, query = '' }, count) {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(server, COLLECTION)));
  const before = await server.ask({ question: 'processorTime' });
  const end = performance.now() + ROUND;
  let writes = 0;
  const writeOn = async (connection, object) => {
    do {
      const json = JSON.stringify(body(object, ++writes));
      const answer = await connection.answer(
        writeRequest('PATCH', `${COLLECTION}/c-${object}${query}`, contentType, json),
      );
      if (!answer.includes(' 200 ')) throw new Error(answer.toString());
    } while (performance.now() < end);
  };
  await Promise.all(connections.map(writeOn));
  const used = (await server.ask({ question: 'processorTime' })) - before;
  for (const connection of connections) connection.close();
  return used / writes;
}
