import { Connection, parseAnswer } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const ROUND = 2000;
const LISTED = 10_000;

/** Answers per second over HTTPS, against a bare node:https server that sends the same bytes; each alone in its process. */
export default async function measure() {
  return [
    ...(await compare({ topic: 'GET', path: '/api/v1/namespaces/default/configmaps/c-0', objects: 100, connections: 16, target: 0.6 })),
    ...(await compare({ topic: `LIST of ${LISTED}`, path: '/api/v1/namespaces/default/configmaps', objects: LISTED, connections: 2, target: 0.5 })),
  ];
}

async function compare({ topic, path, objects, connections, target }) {
  const ours = await startServer('./ours.mjs', String(objects));
  const bare = await startServer('./bare.mjs', ours.cert, ours.key);
  try {
    const one = await Connection.open(ours, path);
    const answer = await one.answer();
    one.close();
    await bare.ask({ question: 'answer', ...parseAnswer(answer) });
    const cost = { ours: [], bare: [] };
    const load = (name, server) => () => measureLoad(server, { ...ours, port: server.port }, path, connections, cost[name]);
    const rates = await interleaved({ ours: load('ours', ours), bare: load('bare', bare) }, { rounds: 5 });
    return [
      row({
        topic: `HTTPS ${topic}, answers per second against node:https`,
        measured: ratio(rates.ours, rates.bare),
        target,
        better: 'more',
        detail: `${whole(rates.ours)} against ${whole(rates.bare)} per second, ${answer.length} bytes`,
      }),
      row({
        topic: `HTTPS ${topic}, server's processor time against node:https`,
        measured: ratio(cost.ours, cost.bare),
        better: 'less',
        detail: `${whole(cost.ours)} against ${whole(cost.bare)} µs`,
      }),
    ];
  } finally {
    await bare.stop();
    await ours.stop();
  }
}

async function measureLoad(server, target, path, count, costs) {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(target, path)));
  const lengths = await Promise.all(connections.map((connection) => connection.answer()));
  const before = await server.ask({ question: 'processorTime' });
  const begin = performance.now();
  const answers = await Promise.all(connections.map((connection) => connection.repeat(lengths[0].length, ROUND)));
  const seconds = (performance.now() - begin) / 1000;
  const used = (await server.ask({ question: 'processorTime' })) - before;
  for (const connection of connections) connection.close();
  const total = answers.reduce((sum, number) => sum + number, 0);
  costs.push(used / total);
  return total / seconds;
}

const whole = (numbers) => Math.round(median(numbers)).toLocaleString('en');
