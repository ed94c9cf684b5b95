import { ApiServer, configMap } from '../../dist/index.js';
import { interleaved, leastRatio, processorMicroseconds, row } from '../measure.mjs';

const CALLS = 1_000;
const where = { namespace: 'default' };

/**
 * Rows of what something that a test adds to a server costs a GET, of a client in process and of one that gets bytes. One server takes turns.
 * @param add adds it to the server; returns a function that removes it
 * @param topicOf returns the topic of a row by the way of the client
 */
export async function addedCost({ add, topicOf, target, rounds }) {
  const { server, ...ways } = await start();
  const rows = [];
  for (const [way, get] of Object.entries(ways)) {
    const found = await interleaved(
      {
        without: () => processorMicroseconds(get, CALLS),
        async withIt() {
          const remove = add(server);
          const cost = await processorMicroseconds(get, CALLS);
          remove();
          return cost;
        },
      },
      { rounds },
    );
    rows.push(
      row({
        topic: topicOf(way),
        measured: (leastRatio(found.withIt, found.without) - 1) * 100,
        target,
        better: 'less',
        unit: '%',
        detail: `${Math.min(...found.without).toFixed(2)} µs without, ${Math.min(...found.withIt).toFixed(2)} µs with it`,
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
