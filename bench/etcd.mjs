import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { etcd, memory } from '../dist/exports/storage.js';
import { ApiServer, configMap } from '../dist/index.js';
import { row } from './measure.mjs';
import { passed, startCluster } from './support/linearizability/cluster.mjs';
import { openWatch, send } from './support/linearizability/requests.mjs';

const COLLECTION = '/api/v1/namespaces/default/configmaps';
/** The number of measured writes, and of the writes before them that warm up. */
const WRITES = 400;
const WARM_UP = 100;
/** Milliseconds between two writes, which do not wait for each other. */
const PAUSE = 5;
const AT_ONCE = 16;
const CREATES = 400;
const ROUNDS = 9;
const namespace = 'default';

/**
 * The time of an event from one server to the watches of another, compared with a write and a watch of etcd alone, and the processor time
 * of a create. Without an etcd on the PATH, there are no rows.
 */
export default async function measure() {
  try {
    execFileSync('etcd', ['--version'], { stdio: 'ignore' });
  } catch {
    console.log('  there is no etcd on the PATH');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-etcd-'));
  const cluster = await startCluster(folder, 2, false);
  try {
    return [...(await latency(cluster)), await processorTimeOfCreates(cluster)];
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function latency({ etcdPort, servers }) {
  const [writer, reader] = servers;
  const viaServers = await delays({
    watch: (seen) =>
      openWatch(
        reader.port,
        `${COLLECTION}?watch=true`,
        ({ object }) => seen(object?.data?.v),
        () => {},
      ),
    write: (value) =>
      send(writer.port, 'POST', COLLECTION, { metadata: { name: `w-${value}` }, data: { v: String(value) } }),
  });
  const key = base64('/latency');
  const ofEtcd = await delays({
    watch: (seen) => watchEtcd(etcdPort, { key }, seen),
    write: (value) => send(etcdPort, 'POST', '/v3/kv/put', { key, value: base64(String(value)) }),
  });
  const detail = (times) => `half within ${at(times, 0.5)} ms, the longest ${at(times, 1)} ms`;
  return [
    row({
      topic: 'a create at one server to a watcher of another, p99',
      measured: Number(at(viaServers, 0.99)),
      target: 20,
      better: 'less',
      unit: 'ms',
      detail: detail(viaServers),
    }),
    row({
      topic: "etcd's own put to its own watch, p99",
      measured: Number(at(ofEtcd, 0.99)),
      better: 'less',
      unit: 'ms',
      detail: detail(ofEtcd),
    }),
  ];
}

/** Returns the milliseconds from each write to its event. */
async function delays({ watch, write }) {
  const sent = new Map();
  const times = [];
  const close = await watch((text) => {
    const began = sent.get(text);
    sent.delete(text);
    if (began !== undefined && Number(text) >= WARM_UP) times.push(performance.now() - began);
  });
  await passed(200);
  const written = [];
  for (let n = 0; n < WARM_UP + WRITES; n++) {
    sent.set(String(n), performance.now());
    written.push(write(n));
    await passed(PAUSE);
  }
  await Promise.all(written);
  for (let waited = 0; sent.size > 0 && waited < 50; waited++) await passed(100);
  close();
  if (sent.size > 0) throw new Error(`${sent.size} events did not come`);
  return times.sort((a, b) => a - b);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2);
const base64 = (text) => Buffer.from(text).toString('base64');

/** Watches a key of etcd through its JSON gateway. */
function watchEtcd(port, range, seen) {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/v3/watch', agent: false }, (answer) => {
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (text) => {
        const lines = `${rest}${text}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines)
          for (const { kv } of JSON.parse(line).result.events ?? []) seen(Buffer.from(kv.value, 'base64').toString());
      });
      answer.on('error', () => {});
      resolve(() => outgoing.destroy());
    });
    outgoing.on('error', () => {});
    outgoing.end(JSON.stringify({ create_request: range }));
  });
}

/** Measures creates of a server in this process, so that the processor time of etcd is not included. */
async function processorTimeOfCreates({ etcdPort }) {
  const storages = {
    etcd: etcd({ endpoints: [`http://127.0.0.1:${etcdPort}`], prefix: '/creates' }),
    memory: memory(),
  };
  const times = { etcd: [], memory: [] };
  const servers = {};
  for (const [name, storage] of Object.entries(storages)) {
    servers[name] = new ApiServer({ storage, controllers: [] });
    await servers[name].start();
    await servers[name].load([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
    ]);
  }
  // The variants alternate, so that other work on the machine affects both alike. The first rounds warm up.
  for (let round = 0; round < ROUNDS + 2; round++)
    for (const [name, server] of Object.entries(servers)) {
      const client = server.client();
      const before = process.cpuUsage();
      for (let i = 0; i < CREATES; i += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, (_, j) =>
            client.create(configMap, sample(`${round}-${i + j}`), { namespace }),
          ),
        );
      const { user, system } = process.cpuUsage(before);
      if (round >= 2) times[name].push((user + system) / CREATES);
    }
  for (const server of Object.values(servers)) await server.close();
  return row({
    topic: 'create on etcd, 16 at a time, processor time',
    measured: Math.min(...times.etcd),
    target: 450,
    better: 'less',
    unit: 'µs',
    detail: `${Math.min(...times.memory).toFixed(1)} µs in memory`,
  });
}

const sample = (name) => ({
  metadata: { name, labels: { app: 'bench', tier: 'front' } },
  data: { 'settings.json': '{"colour":"red","size":12}', mode: 'fast' },
});
