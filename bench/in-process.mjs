import { builtinResources } from '../dist/exports/kinds.js';
import { ApiServer } from '../dist/index.js';
import { callsPerSecond, interleaved, median, millisecondsOf, ratio, row } from './measure.mjs';
import { letters } from './objects.mjs';
import { loadWebernetes } from './webernetes.mjs';

const LISTED = 10_000;
const namespace = 'default';
const { Cluster } = await loadWebernetes();

/**
 * Creates, gets and lists in process, compared with @ngrok/webernetes. It has no ConfigMaps, so both store pods, its main kind, and events,
 * its kind with the least work, of about 1 KB each. Its cluster is not started, so nothing else runs in it.
 */
export default async function measure() {
  return [...(await compare('Pod', pod)), ...(await compare('Event', event))];
}

async function compare(kind, make) {
  const [ours, theirs] = [await startOurs(kind, make), await startTheirs(kind, make)];
  const rates = async (verb) => {
    const { ours: a, theirs: b } = await interleaved({
      ours: () => callsPerSecond(ours[verb]),
      theirs: () => callsPerSecond(theirs[verb]),
    });
    return { measured: ratio(a, b), detail: `${whole(a)} against ${whole(b)} per second` };
  };
  const created = await rates('create');
  const got = await rates('get');
  await ours.close();

  const [full, theirFull] = [await startOurs(kind, make), await startTheirs(kind, make)];
  for (let i = 1; i < LISTED; i++) {
    await full.create();
    await theirFull.create();
  }
  const lists = await interleaved({ ours: listsOf(full), theirs: listsOf(theirFull) });
  await full.close();
  return [
    row({ topic: `creates per second of ${kind} against webernetes`, target: 5, better: 'more', ...created }),
    row({ topic: `gets per second of ${kind} against webernetes`, target: 8, better: 'more', ...got }),
    row({
      topic: `list of ${LISTED} of ${kind} against webernetes`,
      measured: ratio(lists.theirs, lists.ours),
      target: 30,
      better: 'more',
      detail: `${median(lists.ours).toFixed(2)} ms against ${median(lists.theirs).toFixed(0)} ms`,
    }),
  ];
}

/** Returns a function that measures a list. A write before each list prevents that a cached response is returned. */
function listsOf(contender) {
  let count = LISTED;
  return async () => {
    await contender.create();
    return millisecondsOf(() => contender.list(++count));
  };
}

async function startOurs(name, make) {
  const server = new ApiServer();
  await server.start();
  const client = server.client();
  const kind = builtinResources.find((definition) => definition.kind === name && definition.groupStem === '');
  let next = 0;
  const create = () => client.create(kind, make(next++));
  await create();
  return {
    create,
    get: () => client.get(kind, 'bench-0', { namespace }),
    list: async (count) => expectCount((await client.list(kind, { namespace })).items, count),
    close: () => server.close(),
  };
}

async function startTheirs(name, make) {
  const { corev1 } = new Cluster({ nodes: 1 }).api;
  await corev1.createNamespace({ body: { metadata: { name: namespace } } });
  let next = 0;
  const create = () => corev1[`createNamespaced${name}`]({ namespace, body: make(next++) });
  await create();
  return {
    create,
    get: () => corev1[`readNamespaced${name}`]({ namespace, name: 'bench-0' }),
    list: async (count) => expectCount((await corev1[`listNamespaced${name}`]({ namespace })).items, count),
  };
}

// The objects are created once, because their creation is not measured.
const TEXTS = Array.from({ length: 64 }, (_, seed) => letters(seed, 500));
const text = (number) => TEXTS[number % TEXTS.length];

const metadata = (number) => ({
  name: `bench-${number}`,
  namespace,
  labels: { app: 'bench', shard: String(number % 16) },
});

function pod(number) {
  const container = (name) => ({
    name,
    image: `registry.example.com/${name}:1.2.3`,
    args: ['--port=8080', text(number).slice(0, 100)],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  });
  const spec = { containers: [container('front'), container('back')], volumes: [{ name: 'data', emptyDir: {} }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: metadata(number), spec };
}

function event(number) {
  const involvedObject = { kind: 'Pod', namespace, name: 'bench', apiVersion: 'v1' };
  const about = { reason: 'Measured', message: text(number), type: 'Normal', count: 1 };
  return { apiVersion: 'v1', kind: 'Event', metadata: metadata(number), involvedObject, ...about };
}

/** Checks the responses, so that neither is faster because it returns less. */
function expectCount(items, count) {
  if (items.length !== count) throw new Error(`${items.length} items instead of ${count}`);
}

const whole = (numbers) => Math.round(median(numbers)).toLocaleString('en');
