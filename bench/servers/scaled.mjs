// Runs one measurement of bench/scale.mjs: node --expose-gc scaled.mjs <part> [number ...]. Prints its result as JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymous } from '../../dist/exports/authentication.js';
import { alwaysAllow } from '../../dist/exports/authorization.js';
import { namespace as namespaceKind, pod } from '../../dist/exports/kinds.js';
import { etcd, level, memory } from '../../dist/exports/storage.js';
import { ApiServer, configMap } from '../../dist/index.js';
import { configMap as kilobyte } from '../objects.mjs';
import { startEtcd } from '../support/etcd.mjs';

const where = { namespace: 'default' };
const WRITES = 3000;

const parts = {
  /** The memory per object, and the processor time of creating, listing and reading it. */
  async objects(kind, count) {
    const server = await started({ storage: memory({ history: { maxEvents: 1000 } }), controllers: [] });
    const create = creator(server, kind);
    for (let i = 0; i < 1000; i++) await create(i);
    const [before, rss] = [held(), process.memoryUsage().rss];
    const begin = spent();
    for (let i = 1000; i < 1000 + count; i++) await create(i);
    const created = (spent() - begin) / count;
    const stored = (held() - before) / count;
    const resident = (process.memoryUsage().rss - rss) / count;
    const path = kind === 'pod' ? '/api/v1/pods' : '/api/v1/configmaps';
    const list = async () => {
      const from = spent();
      const body = await (await server.fetch(new Request(`https://localhost${path}`))).arrayBuffer();
      return { time: spent() - from, bytes: body.byteLength };
    };
    const first = await list();
    const listed = (held() - before) / count;
    await create(count + 1000);
    const second = await list();
    return {
      bytes: first.bytes / (count + 1000),
      created,
      stored,
      listed,
      resident,
      firstList: first.time / (count + 1000),
      secondList: second.time / (count + 1000),
    };
  },

  /** The memory per watch in process, and the processor time per event that it receives. */
  async watches(count) {
    const server = await started({ controllers: [] });
    const client = server.client();
    await client.create(configMap, kilobyte('changed'), where);
    const change = (i) => client.update(configMap, 'changed', (draft) => void (draft.data.a = `${i}`), where);
    const changes = async () => {
      const begin = spent();
      for (let i = 0; i < 200; i++) {
        await change(i);
        await new Promise(setImmediate);
      }
      return (spent() - begin) / 200;
    };
    await changes();
    const alone = await changes();
    const before = held();
    const readers = [];
    for (let i = 0; i < count; i++) {
      const answer = await server.fetch(new Request('https://localhost/api/v1/configmaps?watch=1&resourceVersion=0'));
      const reader = answer.body.getReader();
      readers.push(reader);
      void (async () => {
        while (!(await reader.read()).done);
      })();
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    const memoryEach = (held() - before) / count;
    await changes();
    const watched = await changes();
    for (const reader of readers) await reader.cancel();
    return { memory: memoryEach, delivery: (watched - alone) / count, write: alone };
  },

  /** Creations per second, and the processor time of each, on one storage. */
  async writes(storage, atOnce) {
    return await withStorage(storage, async (open) => {
      const server = await started({ storage: open(), controllers: [] });
      const create = creator(server, 'configMap');
      let number = 0;
      const run = async (writes) => {
        const [time, processor] = [performance.now(), spent()];
        for (let i = 0; i < writes; i += atOnce)
          await Promise.all(Array.from({ length: Math.min(atOnce, writes - i) }, () => create(number++)));
        return [writes / ((performance.now() - time) / 1000), (spent() - processor) / writes];
      };
      await run(1600);
      const [perSecond, processor] = await run(atOnce === 1 ? WRITES / 3 : WRITES);
      await server.close();
      return { perSecond, processor };
    });
  },

  /** The cost of a start with many stored objects: milliseconds, and processor time. */
  async reopening(storage, count) {
    return await withStorage(storage, async (open) => {
      const filled = await started({ storage: open(), controllers: [] });
      const create = creator(filled, 'configMap');
      for (let i = 0; i < count; i += 500)
        await Promise.all(Array.from({ length: Math.min(500, count - i) }, (_, j) => create(i + j)));
      await filled.close();
      const [begin, processor] = [performance.now(), spent()];
      const server = await started({ storage: open(), controllers: [] });
      const result = { milliseconds: performance.now() - begin, processor: (spent() - processor) / 1000 };
      await server.close();
      return result;
    });
  },

  /** The processor time that a second server on one etcd needs for each write of the first. */
  async shared() {
    return await withStorage('etcd', async (open) => {
      const [first, second] = [
        await started({ storage: open(), controllers: [] }),
        await started({ storage: open(), controllers: [] }),
      ];
      const create = creator(first, 'configMap');
      let number = 0;
      const run = async () => {
        const begin = spent();
        for (let i = 0; i < WRITES; i += 16) await Promise.all(Array.from({ length: 16 }, () => create(number++)));
        await new Promise((resolve) => setTimeout(resolve, 200));
        return (spent() - begin) / WRITES;
      };
      await run();
      const both = await run();
      await second.close();
      const alone = await run();
      await first.close();
      return { event: both - alone, write: alone };
    });
  },

  /** The processor time of controllers: for a namespace from its creation to its end, and for each dependent that is garbage-collected. */
  async controllers(count) {
    const server = await started({});
    const client = server.client();
    const during = async (work) => {
      const begin = spent();
      for (let i = 0; i < count; i++) await work(i);
      await server.settle();
      return (spent() - begin) / count;
    };
    const namespaces = (round) => (i) => client.create(namespaceKind, { metadata: { name: `n-${round}-${i}` } });
    await during(namespaces(0));
    const made = await during(namespaces(1));
    const ended = await during((i) => client.delete(namespaceKind, `n-1-${i}`));
    const owner = await client.create(configMap, kilobyte('owner'), where);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
    await during((i) => {
      const { metadata, ...rest } = kilobyte(`owned-${i}`);
      return client.create(configMap, { ...rest, metadata: { ...metadata, ownerReferences: [reference] } }, where);
    });
    const begin = spent();
    await client.delete(configMap, 'owner', where);
    await server.settle();
    const left = (await client.list(configMap, where)).items.filter(({ metadata }) =>
      metadata.name.startsWith('owned'),
    );
    if (left.length > 0) throw new Error(`${left.length} dependents are left`);
    return { made, ended, collected: (spent() - begin) / count };
  },

  /** The memory and the start of each of many servers in one process, and their cost while they are idle. */
  async clusters(count) {
    await (await started({})).close();
    const [before, rss, begin] = [held(), process.memoryUsage().rss, spent()];
    const servers = [];
    for (let i = 0; i < count; i++) servers.push(await started({}));
    for (const server of servers) await server.settle();
    const start = (spent() - begin) / count / 1000;
    const each = (held() - before) / count;
    const resident = (process.memoryUsage().rss - rss) / count;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const idle = spent();
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    return { memory: each, resident, start, idle: (spent() - idle) / 20 / count };
  },
};

async function started(options) {
  const server = new ApiServer({
    authentication: [anonymous()],
    authorization: [alwaysAllow()],
    metrics: false,
    ...options,
  });
  await server.start();
  // Pods need the default service account, which no controller creates here.
  if (options.controllers !== undefined)
    await server.load([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
    ]);
  return server;
}

/** Runs an action with a function that opens one storage repeatedly, and removes the stored data. */
async function withStorage(name, use) {
  const folder = mkdtempSync(join(tmpdir(), 'scale-'));
  const cluster = name === 'etcd' ? await startEtcd(join(folder, 'etcd')) : undefined;
  const open = {
    memory: () => memory(),
    machine: () => level({ path: join(folder, 'data') }),
    process: () => level({ path: join(folder, 'data'), durability: 'process' }),
    etcd: () => etcd({ endpoints: [cluster.endpoint] }),
  };
  try {
    return await use(open[name]);
  } finally {
    await cluster?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function creator(server, kind) {
  const client = server.client();
  return kind === 'pod'
    ? (i) => client.create(pod, ordinaryPod(i), where)
    : (i) => client.create(configMap, kilobyte(`c-${i}`, 'default', i), where);
}

/** A pod with the fields that deployments and nodes add to most pods. */
const ordinaryPod = (i) => ({
  metadata: {
    name: `web-${i}`,
    labels: { app: 'web', 'pod-template-hash': '5d9f8c7b6d', shard: String(i % 16) },
    annotations: { 'example.com/checksum': 'c0ffee'.repeat(10) },
  },
  spec: {
    containers: [
      {
        name: 'web',
        image: `registry.example.com/team/web:${i % 10}`,
        ports: [{ containerPort: 8080 }],
        env: [
          { name: 'MODE', value: 'production' },
          { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
        readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
      },
    ],
  },
});

/** Returns the microseconds of processor time of this process. */
function spent() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function held() {
  for (let i = 0; i < 3; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const [part, ...args] = process.argv.slice(2);
console.log(JSON.stringify(await parts[part](...args.map((text) => (/^\d+$/.test(text) ? Number(text) : text)))));
process.exit();
