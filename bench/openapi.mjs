// Installs many definitions of kinds, then changes one of them again and again and reads the documents that describe everything, while
// another client reads something else:
//   node bench/openapi.mjs [--definitions=363] [--changes=8]
// Prints how long the documents took, the longest turn of the event loop in processor time (which other work on the machine hardly
// influences), the longest wait of the other client, and the peak of memory.
import { ApiServer } from '../dist/index.js';
import { numericOptions } from './support/options.mjs';
import { request } from './support/request.mjs';

const { definitions, changes } = numericOptions({ definitions: 363, changes: 8 });
const user = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
/** Milliseconds between two requests of the other client. */
const EVERY = 2;
const MESSAGE = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const DOCUMENTS = [
  ['/openapi/v2 as JSON', '/openapi/v2', {}],
  ['/openapi/v2 as protobuf', '/openapi/v2', { accept: MESSAGE }],
  ['/openapi/v3', '/openapi/v3', {}],
  ['/apis, aggregated', '/apis', { accept: AGGREGATED }],
];

/** About 60 KB of schema, as in definitions of operators that contain pod templates. */
function definition(number, text) {
  const description = `What the operator does with this part of the object, in a sentence as long as they mostly are. ${text}`;
  const leaf = { type: 'string', maxLength: 253, description };
  const members = (inner) => Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`member${i}`, inner]));
  const object = { type: 'object', description, properties: members(leaf) };
  const spec = { type: 'object', description, properties: members({ ...object, properties: members(object) }) };
  const [group, plural] = [`g${number % 40}.example.com`, `kinds${number}`];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: `Kind${number}` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object' } } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

const server = new ApiServer({ dialect: 'k8s' });
await server.start();
const ask = async (path, headers) => {
  const { status, body } = await server.handle(request(path, headers), { user });
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return body.length;
};
for (let i = 0; i < definitions; i++) await server.install(definition(i, ''));

/** Runs an action while another client sends requests and a loop measures the turns of the event loop. */
async function beside(work) {
  let [turn, wait, running] = [0, 0, true];
  let last = process.cpuUsage();
  const look = () => {
    const { user: spent, system } = process.cpuUsage(last);
    turn = Math.max(turn, (spent + system) / 1000);
    last = process.cpuUsage();
    if (running) setImmediate(look);
  };
  setImmediate(look);
  const other = async () => {
    while (running) {
      const due = performance.now() + EVERY;
      await new Promise((resolve) => void setTimeout(resolve, EVERY));
      await ask('/api/v1/namespaces/default');
      wait = Math.max(wait, performance.now() - due);
    }
  };
  const client = other();
  const began = performance.now();
  const bytes = await work();
  const took = performance.now() - began;
  running = false;
  await client;
  return { bytes, took, turn, wait };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
function print(topic, measured) {
  const [took, turn, wait] = ['took', 'turn', 'wait'].map((name) => median(measured.map((each) => each[name])));
  const worst = Math.max(...measured.map((each) => each.wait));
  const size = `${((measured[0]?.bytes ?? 0) / 1e6).toFixed(1)} MB`;
  console.log(
    `${topic}: ${size} in ${took.toFixed(0)} ms, longest turn ${turn.toFixed(0)} ms, longest wait ${wait.toFixed(0)} ms (at most ${worst.toFixed(0)})`,
  );
}

await ask('/api/v1/namespaces/default');
for (const [topic, path, headers] of DOCUMENTS) print(`${topic}, at first`, [await beside(() => ask(path, headers))]);
const measured = new Map(DOCUMENTS.map(([topic]) => [topic, []]));
for (let i = 0; i < changes; i++) {
  await server.install(definition(i, `Changed ${i}.`));
  for (const [topic, path, headers] of DOCUMENTS) measured.get(topic).push(await beside(() => ask(path, headers)));
}
for (const [topic, each] of measured) print(`${topic}, after a change`, each);
await server.close();
console.log(`${definitions} definitions: at most ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB of memory`);
