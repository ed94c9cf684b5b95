import { ApiServer, configMap as kind } from '../dist/index.js';
import { interleaved, median, processorMicroseconds, row } from './measure.mjs';
import { configMap } from './objects.mjs';

const OBJECTS = 10_000;
const FORKS = 200;
const where = { namespace: 'default' };

/** What a fork of a server with many objects costs until it is used, and when it is. Needs `node --expose-gc` for the memory. */
export default async function measure() {
  const [small, large] = [await filled(0), await filled(OBJECTS)];
  const costs = await interleaved({
    small: () => processorMicroseconds(async () => void small.fork(), FORKS),
    large: () => processorMicroseconds(async () => void large.fork(), FORKS),
    used: () => processorMicroseconds(() => useFork(large), FORKS / 4),
    restored: () => processorMicroseconds(() => large.restore(large.snapshot()), FORKS / 4),
    started: () => processorMicroseconds(startAndClose, FORKS / 4),
  });
  const unused = await memoryOf(large, () => {});
  const used = await memoryOf(large, async (fork) => fork.client().get(kind, 'c-7', where));
  await small.close();
  await large.close();
  const against = (name) => `${median(costs[name]).toFixed(0)} µs; a start ${median(costs.started).toFixed(0)} µs`;
  const perStart = (name) => median(costs[name]) / median(costs.started);
  return [
    row({
      topic: `fork at ${OBJECTS} objects`,
      measured: median(costs.large),
      target: 200,
      better: 'less',
      unit: 'µs',
    }),
    row({
      topic: '  against one without objects',
      measured: median(costs.large) / median(costs.small),
      target: 1.3,
      better: 'less',
    }),
    row({ topic: '  until it is used', measured: unused, target: 100, better: 'less', unit: 'KB' }),
    row({ topic: '  that answers one GET, cpu against a start', measured: perStart('used'), detail: against('used') }),
    row({ topic: '  that has answered it', measured: used, unit: 'KB' }),
    row({ topic: 'restore, cpu against a start', measured: perStart('restored'), detail: against('restored') }),
  ];
}

async function filled(objects) {
  const server = new ApiServer();
  await server.start();
  for (let i = 0; i < objects; i++) await server.client().create(kind, configMap(`c-${i}`, 'default', i));
  await server.settle();
  return server;
}

async function useFork(server) {
  const fork = server.fork();
  await fork.client().get(kind, 'orch-root-ca.crt', where);
  await fork.close();
}

async function startAndClose() {
  const server = new ApiServer();
  await server.start();
  await server.close();
}

/** Kilobytes that a fork holds after some use. */
async function memoryOf(server, use) {
  const before = held();
  const forks = Array.from({ length: FORKS }, () => server.fork());
  for (const fork of forks) await use(fork);
  const bytes = held() - before;
  for (const fork of forks) await fork.close();
  return bytes / FORKS / 1024;
}

function held() {
  if (!globalThis.gc) throw new Error('run node with --expose-gc');
  for (let i = 0; i < 3; i++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
