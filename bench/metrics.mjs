import { ApiServer } from '../dist/index.js';
import { median, row } from './measure.mjs';

const SCRAPES = 50;

/** The cost of a scrape; the topic `audit` measures the cost of recording. */
export default async function measure() {
  return [await scrape()];
}

/** Returns the processor time of a scrape per thousand series. */
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
