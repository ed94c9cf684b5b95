import { ApiServer, configMap } from '../dist/index.js';
import { recordRequests } from '../dist/testing/index.js';
import { interleaved, leastRatio, processorMicroseconds, row } from './measure.mjs';

const CALLS = 1_000;
const where = { namespace: 'default' };

/** What a log of requests costs a GET, of a client in process and of one that gets bytes. One server takes turns. */
export default async function measure() {
  const { server, ...ways } = await start();
  const rows = [];
  for (const [way, get] of Object.entries(ways)) {
    const { without, withLog } = await interleaved(
      {
        without: () => processorMicroseconds(get, CALLS),
        async withLog() {
          const requests = recordRequests(server);
          const cost = await processorMicroseconds(get, CALLS);
          requests.stop();
          return cost;
        },
      },
      { rounds: 120 },
    );
    rows.push(
      row({
        topic: `GET ${way} with a log of requests`,
        measured: (leastRatio(withLog, without) - 1) * 100,
        target: 5,
        better: 'less',
        unit: '%',
        detail: `${Math.min(...without).toFixed(2)} µs without, ${Math.min(...withLog).toFixed(2)} µs with it`,
      }),
    );
  }
  await server.close();
  return rows;
}

async function start() {
  const server = new ApiServer();
  await server.start();
  await server.client().create(configMap, { metadata: { name: 'a' }, data: { n: '1' } }, where);
  const client = server.client();
  const admin = { user: { username: 'admin', groups: ['system:masters'] } };
  const url = 'https://server/api/v1/namespaces/default/configmaps/a';
  return {
    server,
    'in process': () => client.get(configMap, 'a', where),
    'by fetch': async () => await (await server.fetch(new Request(url), admin)).arrayBuffer(),
  };
}
