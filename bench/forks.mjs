import { execFileSync } from 'node:child_process';
import { ApiServer, configMap as kind } from '../dist/index.js';
import { interleaved, median, processorMicroseconds, row } from './measure.mjs';
import { configMap } from './objects.mjs';

const OBJECTS = 10_000;
const FORKS = 200;
const RUNS = 3;
const where = { namespace: 'default' };

/**
 * Targets for a process that creates a server and 1,000 forks, each of which served a request: seconds, processor seconds, resident
 * megabytes.
 */
const THOUSAND = `
  const { ApiServer, configMap } = await import(${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)});
  const server = new ApiServer();
  await server.start();
  const before = process.cpuUsage();
  const began = performance.now();
  const forks = [];
  for (let i = 0; i < 1000; i++) {
    const fork = server.fork();
    await fork.client().get(configMap, 'orch-root-ca.crt', { namespace: 'default' });
    forks.push(fork);
  }
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify([elapsed / 1e3, (user + system) / 1e6, process.memoryUsage().rss / 2 ** 20]));
  process.exit();
`;

/** The cost of a fork of a server with many objects, before and after its first use. The memory needs `node --expose-gc`. */
export default async function measure() {
  const [small, large] = [await filled(0), await filled(OBJECTS)];
  const costs = await interleaved({
    small: () => processorMicroseconds(async () => void small.fork(), FORKS),
    large: () => processorMicroseconds(async () => void large.fork(), FORKS),
    used: () => processorMicroseconds(() => useFork(large), FORKS / 4),
    restored: () => restoreUsed(large),
    usedAgain: () => processorMicroseconds(() => restoreAndUse(large), FORKS / 4),
    started: () => processorMicroseconds(startAndClose, FORKS / 4),
  });
  const unused = await memoryOf(large, () => {});
  const used = await memoryOf(large, async (fork) => fork.client().get(kind, 'c-7', where));
  await small.close();
  await large.close();
  const thousand = Array.from({ length: RUNS }, () => JSON.parse(node(THOUSAND)));
  const [seconds, ofProcessor, megabytes] = [0, 1, 2].map((part) => Math.min(...thousand.map((run) => run[part])));
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
    row({
      topic: '1,000 isolated servers, each a fork that answered one GET',
      measured: seconds,
      target: 2,
      better: 'less',
      unit: 's',
      detail: `${ofProcessor.toFixed(2)} s of two cores; least of ${RUNS} processes`,
    }),
    row({ topic: '  resident', measured: megabytes, target: 400, better: 'less', unit: 'MB' }),
    row({
      topic: `restore of a used server at ${OBJECTS} objects`,
      measured: median(costs.restored),
      target: 200,
      better: 'less',
      unit: 'µs',
    }),
    row({ topic: '  and one GET, cpu against a start', measured: perStart('usedAgain'), detail: against('usedAgain') }),
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

/** Returns the median of the microseconds of a restore. The request before each, which creates the replaced parts, is not measured. */
async function restoreUsed(server) {
  const costs = [];
  for (let i = 0; i < FORKS / 4; i++) {
    await server.client().get(kind, 'c-7', where);
    await server.settle();
    await new Promise(setImmediate);
    const before = process.cpuUsage();
    await server.restore(server.snapshot());
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return median(costs);
}

async function restoreAndUse(server) {
  await server.restore(server.snapshot());
  await server.client().get(kind, 'c-7', where);
}

const node = (text) => execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });

async function startAndClose() {
  const server = new ApiServer();
  await server.start();
  await server.close();
}

/** Returns the kilobytes that a fork holds after some use. */
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
