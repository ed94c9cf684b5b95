// A server that stores in a folder or an etcd under load, and is killed at any moment: see bench/crash.mjs. It reports on stdout, line by
// line.
import { etcd, level } from '../../dist/exports/storage.js';
import { ApiServer, configMap } from '../../dist/index.js';
import { payload } from '../support/payload.mjs';

/** The folder, or the URL of an etcd; and the durability of a folder, or `etcd`. */
const [place, durability, text] = process.argv.slice(2);
/** The state of the watch: the version that it has reached, and the last step of each object. */
const { version, steps: known } = JSON.parse(text);
const WRITERS = 16;
const NAMES = 40;
/** The number of steps after which an object is deleted, which is a step, too. */
const DELETE_EVERY = 7;
const where = { namespace: 'default' };

// A pipe is written synchronously, so a written line arrives even if this process is killed.
const say = (...words) => process.stdout.write(`${words.join(' ')}\n`);
const wordsOf = ({ metadata, data }) => [
  metadata.name,
  metadata.resourceVersion,
  data.step,
  data.payload === payload(Number(data.step)) ? 'whole' : 'torn',
];

const storage =
  durability === 'etcd'
    ? etcd({ endpoints: [place] })
    : level({ path: place, durability, history: { maxEvents: 5000 } });
const server = new ApiServer({ storage, controllers: [] });
await server.start();
const client = server.client();
await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: where.namespace } }]);

const steps = new Map(Object.entries(known));
const watch = await client
  .watch(configMap, { ...where, ...(version === '' ? {} : { resourceVersion: version }) })
  .opened();
const list = await client.list(configMap, where);
for (const object of list.items) say('object', ...wordsOf(object));
say('listed', list.metadata.resourceVersion);

const present = new Map(list.items.map(({ metadata, data }) => [metadata.name, Number(data.step)]));
let caughtUp = () => {};
const untilCaughtUp = new Promise((resolve) => {
  caughtUp = resolve;
});
void (async () => {
  const isBehind = () => Number(list.metadata.resourceVersion) > seen;
  let seen = Number(version || list.metadata.resourceVersion);
  // Without newer events, the watch is at the version of the list; a write of its own causes an event.
  await client
    .apply(
      configMap,
      { metadata: { name: 'mark' }, data: { step: '0', payload: payload(0) } },
      { ...where, fieldManager: 'mark', force: true },
    )
    .catch(() => {});
  await client.delete(configMap, 'mark', where);
  for await (const { type, object } of watch) {
    seen = Number(object.metadata.resourceVersion);
    const { name } = object.metadata;
    if (name !== 'mark') {
      say('event', type, ...wordsOf(object));
      const step = Number(object.data.step) + (type === 'DELETED' ? 1 : 0);
      // The writer may be ahead of the watch.
      steps.set(name, Math.max(step, steps.get(name) ?? 0));
    } else say('mark', type, object.metadata.resourceVersion);
    if (name === 'mark' && type === 'DELETED' && !isBehind()) caughtUp();
  }
})().catch((error) => {
  say('failed', error.message.replaceAll('\n', ' '));
});
await untilCaughtUp;

say('ready');
await Promise.all(
  Array.from({ length: WRITERS }, async (_, writer) => {
    const names = Array.from({ length: NAMES }, (__, i) => `object-${i}`).filter((___, i) => i % WRITERS === writer);
    for (let turn = 0; ; turn++) {
      const name = names[turn % names.length];
      const step = (steps.get(name) ?? 0) + 1;
      try {
        await write(name, step);
      } catch (error) {
        say('failed', name, error.message.replaceAll('\n', ' '));
        return;
      }
    }
  }),
);

async function write(name, step) {
  if (present.has(name) && step % DELETE_EVERY === 0) {
    await client.delete(configMap, name, where);
    present.delete(name);
    say('deleted', name, step);
    steps.set(name, step);
    return;
  }
  const data = { step: String(step), payload: payload(step) };
  const { metadata } = present.has(name)
    ? await client.update(configMap, name, (draft) => void (draft.data = data), where)
    : await client.create(configMap, { metadata: { name }, data }, where);
  present.set(name, step);
  steps.set(name, Math.max(step, steps.get(name) ?? 0));
  say('wrote', name, step, metadata.resourceVersion);
}
