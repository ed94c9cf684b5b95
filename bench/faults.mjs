import { ApiServer, configMap } from '../dist/index.js';
import { injectFaults } from '../dist/testing/index.js';
import { interleaved, leastRatio, processorMicroseconds, row } from './measure.mjs';

const CALLS = 1_000;
const where = { namespace: 'default' };

/** What a fault that no request meets costs a GET, of a client in process and of one that gets bytes. One server takes turns. */
export default async function measure() {
  const { server, ...ways } = await start();
  const rows = [];
  for (const [way, get] of Object.entries(ways)) {
    const { without, withFault } = await interleaved(
      {
        without: () => processorMicroseconds(get, CALLS),
        async withFault() {
          const faults = injectFaults(server);
          faults.on({ verb: 'get', resource: 'secrets' }, { optional: true }).answer(500);
          const cost = await processorMicroseconds(get, CALLS);
          faults[Symbol.dispose]();
          return cost;
        },
      },
      { rounds: 60 },
    );
    rows.push(
      row({
        topic: `GET ${way} beside a fault that it does not meet`,
        measured: (leastRatio(withFault, without) - 1) * 100,
        target: 2,
        better: 'less',
        unit: '%',
        detail: `${Math.min(...without).toFixed(2)} µs without, ${Math.min(...withFault).toFixed(2)} µs with it`,
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
