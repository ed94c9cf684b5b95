import { Connection, writeRequest } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { letters } from './objects.mjs';
import { startServer } from './servers/process.mjs';

const CONNECTIONS = 4;
const ROUND = 1500;
const COLLECTION = '/api/v1/namespaces/default/configmaps';

/**
 * Processor time of the server for a write of a 1 KB object over HTTPS, against a bare node:https server that sends back
 * what it was sent; each alone in its process. Every connection writes an object of its own, and every write changes it.
 * The client never sleeps: waking it up costs the server that answers more than the answer, and the faster a server the
 * less often it happens.
 */
export default async function measure() {
  const ours = await startServer('./ours.mjs', String(CONNECTIONS));
  const bare = await startServer('./bare.mjs', ours.cert, ours.key);
  try {
    const rows = [];
    for (const { topic, contentType, body, query = '' } of WRITES) {
      const cost = { ours: [], bare: [] };
      const request = (object, turn) =>
        writeRequest('PATCH', `${COLLECTION}/c-${object}${query}`, contentType, JSON.stringify(body(object, turn)));
      const load = (name, server) => {
        const target = { ...ours, port: server.port };
        return async () => {
          const { writes, rate, used } = await measureLoad(server, target, request);
          cost[name].push(used / writes);
          return rate;
        };
      };
      // Until the engine has compiled what there is to compile.
      for (let i = 0; i < 2; i++) await load('ours', ours)();
      await load('bare', bare)();
      cost.ours.length = cost.bare.length = 0;
      const rates = await interleaved({ ours: load('ours', ours), bare: load('bare', bare) }, { rounds: 5 });
      const warm = (costs) => costs.slice(1);
      rows.push(
        row({
          topic: `HTTPS ${topic}, processor time against an echo`,
          measured: ratio(warm(cost.ours), warm(cost.bare)),
          target: 4,
          better: 'less',
          detail: `${median(warm(cost.ours)).toFixed(0)} against ${median(warm(cost.bare)).toFixed(0)} µs, ${whole(rates.ours)} and ${whole(rates.bare)} per second`,
        }),
      );
    }
    return rows;
  } finally {
    await bare.stop();
    await ours.stop();
  }
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

const whole = (numbers) => median(numbers).toFixed(0);
const values = (object, turn) => ({ a: `${turn} ${FILLING[object]}`, b: FILLING[object + 1] });
const FILLING = Array.from({ length: CONNECTIONS + 1 }, (_, seed) => letters(seed, 420));

/** How many writes there were in a while, how many a second, and the server's processor time for them in microseconds. */
async function measureLoad(server, target, request) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(target, COLLECTION)));
  const sleep = stayAwake();
  const before = await server.ask({ question: 'processorTime' });
  const begin = performance.now();
  let writes = 0;
  const write = async (connection, object) => {
    do {
      const answer = await connection.answer(request(object, ++writes));
      if (!answer.includes(' 200 ')) throw new Error(answer.toString());
    } while (performance.now() - begin < ROUND);
  };
  await Promise.all(connections.map(write));
  const seconds = (performance.now() - begin) / 1000;
  const used = (await server.ask({ question: 'processorTime' })) - before;
  sleep();
  for (const connection of connections) connection.close();
  return { writes, rate: writes / seconds, used };
}

/** Keeps this process running; answers how to let it sleep again. */
function stayAwake() {
  let immediate;
  const turn = () => (immediate = setImmediate(turn));
  turn();
  return () => clearImmediate(immediate);
}
