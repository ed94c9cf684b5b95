import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { level, memory } from '../dist/exports/storage.js';
import { ApiServer, configMap } from '../dist/index.js';
import { interleaved, leastRatio, median, ratio, row } from './measure.mjs';
import { costOfWrites, createConfigMap } from './requests.mjs';
import { startServer } from './servers/process.mjs';

const AT_ONCE = 16;
const CREATES = 400;
const READS = 4000;
/** About the duration of a disk flush, in milliseconds. */
const REST = 1;
const ROUNDS = 9;
/**
 * Creates and rounds that do not count. The engine compiles what a create uses for some seconds, on threads whose processor time counts; the
 * rows are about a server that has been running for longer than that.
 */
const WARM_UP_CREATES = 16_000;
const WARM_UP_ROUNDS = 6;
/** The milliseconds of a round over HTTPS. */
const ROUND = 1000;
const OBJECTS = 100_000;
const REOPENINGS = 3;
const namespace = 'default';

/** Writes and reads of a server that stores in a folder, compared with memory, and the time to open a large folder. */
export default async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-storage-'));
  try {
    return [...(await againstMemory(folder)), await overHttps(folder), ...(await reopening(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function againstMemory(folder) {
  const storages = {
    memory: memory(),
    rested: memory(),
    machine: level({ path: join(folder, 'machine'), durability: 'machine' }),
    process: level({ path: join(folder, 'process'), durability: 'process' }),
  };
  const servers = {};
  for (const [name, storage] of Object.entries(storages)) {
    servers[name] = new ApiServer({ storage, controllers: [] });
    await servers[name].start();
    await servers[name].load([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
    ]);
  }
  const names = Object.keys(servers);
  const creates = Object.fromEntries(names.map((name) => [name, []]));
  const gets = Object.fromEntries(names.map((name) => [name, []]));
  const lists = Object.fromEntries(names.map((name) => [name, []]));
  const createMany = (name, prefix, count) =>
    processorTime(
      count,
      AT_ONCE,
      (i) => servers[name].client().create(configMap, sample(`${prefix}-${i}`), { namespace }),
      name === 'rested' ? REST : 0,
    );
  for (const name of names) await createMany(name, 'warm-up', WARM_UP_CREATES);
  // The variants alternate, so that other work on the machine affects all of them. The first rounds warm up the reads.
  for (let round = 0; round < ROUNDS + 2; round++)
    for (const name of names) {
      const client = servers[name].client();
      const create = await createMany(name, round, CREATES);
      const get = await processorTime(READS, 1, (i) => client.get(configMap, `${round}-${i % CREATES}`, { namespace }));
      const list = await processorTime(40, 1, () => client.list(configMap, { namespace, limit: 500 }));
      if (round < 2) continue;
      creates[name].push(create);
      gets[name].push(get);
      lists[name].push(list);
    }
  for (const server of Object.values(servers)) await server.close();
  const against = (topic, times, name, target) =>
    row({
      topic,
      measured: topic.startsWith('create') ? ratio(times[name], times.memory) : leastRatio(times[name], times.memory),
      target,
      better: 'less',
      detail: `${least(times[name])} against ${least(times.memory)} µs of processor time`,
    });
  return [
    against('create, 16 at a time, machine against memory', creates, 'machine', 1.5),
    against('create, 16 at a time, process against memory', creates, 'process', 1.5),
    // After a pause, caches are cold. This part of both costs above is therefore caused by waiting, not by the folder.
    against('create, 16 at a time, memory that rests 1 ms', creates, 'rested'),
    against('GET, a folder against memory', gets, 'machine', 1.1),
    against('LIST of 500, a folder against memory', lists, 'machine', 1.1),
  ];
}

/** Compares the program with and without a folder by the processor time of its process. */
async function overHttps(folder) {
  const servers = {
    memory: await startServer('./program.mjs'),
    machine: await startServer('./program.mjs', `--data-dir=${join(folder, 'program')}`),
  };
  try {
    const cost = (name) => () => costOfWrites(servers[name], createConfigMap, ROUND, AT_ONCE);
    const contenders = { memory: cost('memory'), machine: cost('machine') };
    for (const run of Object.values(contenders)) for (let i = 0; i < WARM_UP_ROUNDS; i++) await run();
    const costs = await interleaved(contenders, { rounds: ROUNDS });
    return row({
      topic: 'create over HTTPS, 16 at a time, --data-dir against memory',
      measured: ratio(costs.machine, costs.memory),
      target: 1.5,
      better: 'less',
      detail: `${median(costs.machine).toFixed(0)} against ${median(costs.memory).toFixed(0)} µs of processor time`,
    });
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

async function reopening(folder) {
  const storage = level({ path: join(folder, 'large'), durability: 'process' });
  const store = await storage(wiring);
  for (let i = 0; i < OBJECTS; i += 1000)
    await Promise.all(
      Array.from({ length: 1000 }, (_, j) =>
        store.guaranteedUpdate(`/registry/pods/default/pod-${i + j}`, () => ({ action: 'put', value: pod(i + j) })),
      ),
    );
  await store.close();
  const times = [];
  const processor = [];
  for (let i = 0; i < REOPENINGS; i++) {
    const begin = performance.now();
    const before = process.cpuUsage();
    const again = await storage(wiring);
    times.push(performance.now() - begin);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
    if (again.count('/registry/') !== OBJECTS) throw new Error('objects are missing');
    await again.close();
  }
  return [
    row({
      topic: '100,000 objects reopen',
      measured: Math.min(...times) / 1000,
      target: 2,
      better: 'less',
      unit: 's',
      detail: `of ${JSON.stringify(pod(1)).length} bytes each; ${least(processor)} ms of processor time`,
    }),
  ];
}

const wiring = {
  clock: { now: () => Date.now(), setTimer: () => () => {} },
  stamp: (value, revision) => ({ ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } }),
  equals: () => false,
};

/**
 * Returns the microseconds of processor time of one call, with a pause of some milliseconds after each group of concurrent calls. It
 * includes the threads that write to the disk.
 */
async function processorTime(calls, atOnce, call, rest = 0) {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, calls - i) }, (_, j) => call(i + j)));
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
  // Calls that never wait leave their garbage to the next turn of the event loop, which would belong to the next contender.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const least = (times) => Math.min(...times).toFixed(1);

const sample = (name) => ({
  metadata: { name, labels: { app: 'bench', tier: 'front' } },
  data: { 'settings.json': '{"colour":"red","size":12}', mode: 'fast' },
});

function pod(i) {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: `pod-${i}`,
      namespace,
      uid: `3f6d8a4e-0000-4000-8000-${String(i).padStart(12, '0')}`,
      creationTimestamp: '2030-01-01T00:00:00Z',
      labels: { app: 'bench', shard: String(i % 100) },
      annotations: { note: 'note '.repeat(60) },
      managedFields: [
        {
          manager: 'bench',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2030-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:shard': {} } } },
        },
      ],
    },
    spec: {
      containers: [{ name: 'main', image: `registry.example.com/team/image:${i}`, resources: {}, args: ['--verbose'] }],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      terminationGracePeriodSeconds: 30,
    },
    status: { phase: 'Running', podIP: '10.0.0.1', startTime: '2030-01-01T00:00:00Z' },
  };
}
