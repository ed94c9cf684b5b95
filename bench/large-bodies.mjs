import { anonymous } from '../dist/exports/authentication.js';
import { alwaysAllow } from '../dist/exports/authorization.js';
import { ApiServer } from '../dist/index.js';
import { row } from './measure.mjs';

const ROUNDS = 3;
/** The maximum milliseconds of one turn of the event loop, which is the time that another client waits. */
const TARGET = 300;
const PATH = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const APPLY_TYPE = 'application/apply-patch+yaml';

/** How long one large body delays all other requests: the longest turn of the event loop while it is served. */
export default async function measure() {
  const rows = [];
  for (const shape of SHAPES) {
    let best = { longest: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      const server = new ApiServer({
        dialect: 'k8s',
        controllers: [],
        authentication: [anonymous()],
        authorization: [alwaysAllow()],
      });
      await server.start();
      await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }]);
      const requests = shape.requests();
      const last = requests.pop();
      for (const request of requests) {
        const status = await send(server, request);
        if (status >= 400) throw new Error(`${shape.name}: what comes before is answered with ${status}`);
      }
      globalThis.gc?.();
      const measured = await turnsOf(() => send(server, last));
      if (measured.longest < best.longest) best = measured;
      await server.close();
    }
    rows.push(
      row({
        topic: `large body: ${shape.name}`,
        measured: best.longest,
        target: TARGET,
        better: 'less',
        unit: 'ms',
        detail: `the longest turn, CPU; took ${Math.round(best.waited)} ms; ${Math.round(best.used)} ms of CPU in all, answered ${best.status}`,
      }),
    );
  }
  return rows;
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

async function send(server, { method, name = '', type, text, query = '' }) {
  const bytes = new TextEncoder().encode(text);
  const { status } = await server.handle({
    method,
    path: name === '' ? PATH : `${PATH}/${name}`,
    query,
    pause: soon,
    headers: headersOf(type),
    body: { type: 'bytes', read: async () => bytes },
  });
  return status;
}

const headersOf = (type) => ({
  get: (name) => (name === 'content-type' ? type : undefined),
  all: (name) => (name === 'content-type' ? [type] : []),
  names: () => [],
});

/** Runs an action beside an empty loop of turns. Measures processor time, because other processes share the machine. */
async function turnsOf(run) {
  let [running, longest, waited] = [true, 0, 0];
  let [before, usedBefore] = [performance.now(), processorTime()];
  const turns = (async () => {
    for (; running; await soon()) {
      const [now, used] = [performance.now(), processorTime()];
      longest = Math.max(longest, used - usedBefore);
      waited = Math.max(waited, now - before);
      [before, usedBefore] = [now, used];
    }
  })();
  await soon();
  const from = processorTime();
  const status = await run();
  const used = processorTime() - from;
  await soon();
  running = false;
  await turns;
  return { status, longest, waited, used };
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const keys = (count) => Array.from({ length: count }, (_, n) => [`key-${n}`, 'v']);
const object = (count) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  data: Object.fromEntries(keys(count)),
});
const withMeta = (metadata) => JSON.stringify({ ...object(1), metadata: { name: 'a', ...metadata } });
const create = (text, type = JSON_TYPE) => ({ method: 'POST', type, text });
const apply = (text) => ({ method: 'PATCH', name: 'a', type: APPLY_TYPE, text, query: 'fieldManager=m' });
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';
const yaml = (count) =>
  `${head}data:\n${keys(count)
    .map(([key, value]) => `  ${key}: ${value}\n`)
    .join('')}`;
const one = (name, make) => ({ name, requests: () => [make()] });

// Objects of more than 1.5 MiB are not stored, so requests that change an object use a smaller one.
const SHAPES = [
  one('JSON, 130,000 keys', () => create(JSON.stringify(object(130_000)))),
  one('JSON, 3 MB of unknown fields', () =>
    create(JSON.stringify({ ...object(1), ...Object.fromEntries(keys(180_000)) })),
  ),
  one('JSON, 100,000 labels', () => create(withMeta({ labels: Object.fromEntries(keys(100_000)) }))),
  one('JSON, 100,000 finalizers', () => create(withMeta({ finalizers: keys(100_000).map(([key]) => `a.b/${key}`) }))),
  {
    name: 'JSON, replacing 80,000 keys',
    requests: () => [
      create(JSON.stringify(object(80_000))),
      { ...create(JSON.stringify(object(75_000))), method: 'PUT', name: 'a' },
    ],
  },
  {
    name: 'JSON patch of one of 80,000 keys',
    requests: () => [
      create(JSON.stringify(object(80_000))),
      {
        method: 'PATCH',
        name: 'a',
        type: 'application/merge-patch+json',
        text: JSON.stringify({ data: { 'key-1': 'w'.repeat(140_000) } }),
      },
    ],
  },
  one('YAML, 20,000 keys', () => create(yaml(20_000), YAML_TYPE)),
  one('YAML, 40,000 keys', () => create(yaml(40_000), YAML_TYPE)),
  one('YAML, a flow list of 1 MB', () => create(`${head}data: [${'a,'.repeat(500_000)}]`, YAML_TYPE)),
  one('YAML, a flow list of 0.19 MB', () => create(`${head}data: [${'a,'.repeat(95_000)}]`, YAML_TYPE)),
  one('YAML, lists in lists', () => create(`${head}data: ${'['.repeat(900)}${'[],'.repeat(60_000)}`, YAML_TYPE)),
  one('YAML, comments', () => create(`${head}data:\n${'#\n'.repeat(90_000)}`, YAML_TYPE)),
  one('YAML, one quoted text of 1 MB', () => create(`${head}data:\n  a: "${'\\n'.repeat(500_000)}"\n`, YAML_TYPE)),
  one('YAML, one folded text of 1 MB', () =>
    create(`${head}data:\n  a: >\n${'    b\n\n'.repeat(140_000)}\n`, YAML_TYPE),
  ),
  one('apply of 40,000 keys', () => apply(JSON.stringify(object(40_000)))),
  one('apply of 130,000 keys', () => apply(JSON.stringify(object(130_000)))),
  {
    name: 'apply without one key of 40,000',
    requests: () => [apply(JSON.stringify(object(40_000))), apply(JSON.stringify(object(39_999)))],
  },
];
