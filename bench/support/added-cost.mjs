import { ApiServer, configMap } from '../../dist/index.js';
import { interleaved, median, processorMicroseconds, ratio, row } from '../measure.mjs';

const CALLS = { 'in process': 6_000, 'by fetch': 1_000 };
const where = { namespace: 'default' };

/** The number of pairs of runs, one without and one with the addition. */
const PAIRS = 200;
/** The number of calls before a run that are not counted, in which the engine adapts to the change. */
const UNCOUNTED = 64;

/**
 * Returns rows with the cost that an addition to a server adds to a GET of an in-process client and of one that receives bytes. One server
 * alternates between both states, and the row is the median of the pairs.
 * @param add adds it to the server; returns a function that removes it
 * @param topicOf returns the topic of a row by the kind of client
 */
export async function addedCost({ add, topicOf, target }) {
  const { server, ...ways } = await start();
  const rows = [];
  for (const [way, get] of Object.entries(ways)) {
    const cost = async () => {
      await processorMicroseconds(get, UNCOUNTED);
      return await processorMicroseconds(get, CALLS[way]);
    };
    const costWithIt = async () => {
      const remove = add(server);
      const found = await cost();
      remove();
      return found;
    };
    const found = await interleaved({ without: cost, withIt: costWithIt }, { rounds: PAIRS });
    rows.push(
      row({
        topic: topicOf(way),
        measured: (ratio(found.withIt, found.without) - 1) * 100,
        target,
        better: 'less',
        unit: '%',
        detail: `medians ${median(found.without).toFixed(2)} µs without, ${median(found.withIt).toFixed(2)} µs with it`,
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
