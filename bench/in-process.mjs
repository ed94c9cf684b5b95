import { ApiServer, builtinResources } from '../dist/index.js';
import { callsPerSecond, interleaved, median, millisecondsOf, ratio, row } from './measure.mjs';
import { letters } from './objects.mjs';
import { loadWebernetes } from './webernetes.mjs';

const LISTED = 10_000;
const namespace = 'default';
const { Cluster } = await loadWebernetes();

/**
 * Creates, gets and lists without a port, against @ngrok/webernetes doing the same. It has no config maps: both store
 * events of 1 KB, its kind with the least work of its own. Its cluster is not started, so that nothing else runs in it.
 */
export default async function measure() {
  const [ours, theirs] = [await startOurs(), await startTheirs()];
  const rates = async (verb) => {
    const found = await interleaved({
      ours: () => callsPerSecond(ours[verb]),
      theirs: () => callsPerSecond(theirs[verb]),
    });
    return {
      measured: ratio(found.ours, found.theirs),
      detail: `${whole(found.ours)} against ${whole(found.theirs)} per second`,
    };
  };
  const created = await rates('create');
  const got = await rates('get');
  await ours.close();

  const [full, theirFull] = [await startOurs(LISTED), await startTheirs(LISTED)];
  const lists = await interleaved(
    { ours: () => millisecondsOf(full.list), theirs: () => millisecondsOf(theirFull.list) },
    { rounds: 5 },
  );
  await full.close();
  return [
    row({ topic: 'creates per second against webernetes', target: 5, better: 'more', ...created }),
    row({ topic: 'gets per second against webernetes', target: 8, better: 'more', ...got }),
    row({
      topic: `list of ${LISTED} against webernetes`,
      measured: ratio(lists.theirs, lists.ours),
      target: 30,
      better: 'more',
      detail: `${median(lists.ours).toFixed(2)} ms against ${median(lists.theirs).toFixed(0)} ms`,
    }),
  ];
}

async function startOurs(filled = 0) {
  const server = new ApiServer();
  await server.start();
  const client = server.client();
  const kind = builtinResources.find(({ kind, groupStem }) => kind === 'Event' && groupStem === '');
  let next = 0;
  const create = () => client.create(kind, event(next++));
  for (let i = 0; i < Math.max(filled, 1); i++) await create();
  return {
    create,
    get: () => client.get(kind, 'event-0', { namespace }),
    list: async () => expectCount((await client.list(kind, { namespace })).items, filled),
    close: () => server.close(),
  };
}

async function startTheirs(filled = 0) {
  const { corev1 } = new Cluster({ nodes: 1 }).api;
  await corev1.createNamespace({ body: { metadata: { name: namespace } } });
  let next = 0;
  const create = () => corev1.createNamespacedEvent({ namespace, body: event(next++) });
  for (let i = 0; i < Math.max(filled, 1); i++) await create();
  return {
    create,
    get: () => corev1.readNamespacedEvent({ namespace, name: 'event-0' }),
    list: async () => expectCount((await corev1.listNamespacedEvent({ namespace })).items, filled),
  };
}

function event(number) {
  const name = `event-${number}`;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace, labels: { app: 'bench', shard: String(number % 16) } },
    involvedObject: { kind: 'Pod', namespace, name: 'bench', apiVersion: 'v1' },
    reason: 'Measured',
    message: letters(number, 500),
    type: 'Normal',
    count: 1,
  };
}

/** So that nobody wins by answering less. */
function expectCount(items, count) {
  if (items.length !== count) throw new Error(`${items.length} items instead of ${count}`);
}

const whole = (numbers) => Math.round(median(numbers)).toLocaleString('en');
