import { Connection, parseAnswer } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const ROUND = 2000;
const LISTED = 10_000;

/** Responses per second over HTTPS, compared with a bare node:https server that sends the same bytes; each in its own process. */
export default async function measure() {
  const get = '/api/v1/namespaces/default/configmaps/c-0';
  const list = '/api/v1/namespaces/default/configmaps';
  return [
    ...(await compare({ objects: 100, connections: 16 }, [{ topic: 'GET', path: get, target: 0.6 }])),
    ...(await compare({ objects: LISTED, connections: 2 }, [
      { topic: `LIST of ${LISTED}`, path: list, target: 0.5 },
      { topic: `LIST of ${LISTED} while one changes`, path: list, churn: true },
    ])),
  ];
}

async function compare({ objects, connections }, cases) {
  const ours = await startServer('./ours.mjs', String(objects));
  const bare = await startServer('./bare.mjs', ours.cert, ours.key);
  const rows = [];
  try {
    for (const { topic, path, target, churn = false } of cases) {
      const one = await Connection.open(ours, path);
      const answer = await one.answer();
      one.close();
      await bare.ask({ question: 'answer', ...parseAnswer(answer) });
      const cost = { ours: [], bare: [] };
      const load = (name, server) => async () => {
        if (churn) await ours.ask({ question: 'churn', on: name === 'ours' });
        const rate = await measureLoad(server, { ...ours, port: server.port }, path, connections, cost[name]);
        if (churn) await ours.ask({ question: 'churn', on: false });
        return rate;
      };
      const rates = await interleaved({ ours: load('ours', ours), bare: load('bare', bare) }, { rounds: 5 });
      rows.push(
        row({
          topic: `HTTPS ${topic}, rate against node:https`,
          measured: ratio(rates.ours, rates.bare),
          target,
          better: 'more',
          detail: `${whole(rates.ours)} against ${whole(rates.bare)} per second, ${answer.length} bytes`,
        }),
        row({
          topic: '  the same by processor time of the server',
          measured: ratio(cost.bare, cost.ours),
          better: 'more',
          detail: `${whole(cost.ours)} against ${whole(cost.bare)} µs`,
        }),
      );
    }
    return rows;
  } finally {
    await bare.stop();
    await ours.stop();
  }
}

/** Returns the responses per second; adds the microseconds of processor time per response to `costs`. */
export async function measureLoad(server, target, path, count, costs) {
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
