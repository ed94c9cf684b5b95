import { ApiServer } from '../dist/index.js';
import { measureLoad } from './https.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const PATH = '/api/v1/namespaces/default/configmaps/c-0';
const CONNECTIONS = 16;
const SCRAPES = 50;

/** What it costs to count, and to show what was counted. */
export default async function measure() {
  return [await scrape(), await counting()];
}

/** Processor time of a scrape, for each thousand series. */
async function scrape() {
  const server = new ApiServer({ metrics: true });
  await server.start();
  const admin = { user: { username: 'admin', groups: ['system:masters'] } };
  const ask = async (path) => await (await server.fetch(new Request(`https://server${path}`), admin)).text();
  for (const kind of ['configmaps', 'secrets', 'pods', 'services', 'endpoints', 'events', 'nodes'])
    await ask(`/api/v1/${kind}`);
  const lines = (await ask('/metrics')).split('\n').filter((line) => line !== '' && line[0] !== '#').length;
  const costs = [];
  for (let round = 0; round < 6; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < SCRAPES; i++) await ask('/metrics');
    const { user, system } = process.cpuUsage(before);
    if (round > 0) costs.push((user + system) / 1000 / SCRAPES / (lines / 1000));
  }
  await server.close();
  return row({
    topic: 'scrape, processor time for 1,000 series',
    measured: median(costs),
    target: 5,
    better: 'less',
    unit: 'ms',
    detail: `${lines} series`,
  });
}

/** What metrics and a log of every request's metadata add to a GET over HTTPS. */
async function counting() {
  const plain = await startServer('./ours.mjs', '1');
  const counted = await startServer('./ours.mjs', '1', 'counted');
  try {
    const costs = { plain: [], counted: [] };
    const load = (name, server) => () => measureLoad(server, server, PATH, CONNECTIONS, costs[name]);
    await interleaved({ plain: load('plain', plain), counted: load('counted', counted) }, { rounds: 5 });
    return row({
      topic: 'GET with metrics and audit, processor time',
      measured: ratio(costs.counted, costs.plain),
      target: 1.15,
      better: 'less',
      detail: `${Math.round(median(costs.counted))} against ${Math.round(median(costs.plain))} µs`,
    });
  } finally {
    await plain.stop();
    await counted.stop();
  }
}
