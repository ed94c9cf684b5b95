import { validatingWebhookConfiguration } from '../dist/exports/kinds.js';
import { ApiServer, configMap } from '../dist/index.js';
import { interleaved, leastRatio, median, processorMicroseconds, row } from './measure.mjs';

const MANY = 1_000;
const WEBHOOKS = 500;
const LARGE = 100_000;
/** The number of rounds, of which other work on the machine leaves some undisturbed. */
const INSTALLS = 100;
/** The duration of a round. Many short rounds are disturbed less than a few long ones. */
const ROUNDS = 30;
const CALLS = 250;
const namespace = 'default';

/** The cost of CustomResourceDefinitions: to install one, to write its objects, and to have a thousand others. */
export default async function measure() {
  return [await installing(), await writing(), ...(await having())];
}

/** The size of a definition is the number of characters of its JSON. */
async function installing() {
  const server = new ApiServer();
  await server.start();
  const times = [];
  for (let i = 0; i < INSTALLS; i++) {
    const definition = largeDefinition(i);
    const before = process.cpuUsage();
    await server.install(definition);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  await server.close();
  const warm = times.slice(10);
  const size = JSON.stringify(largeDefinition(0)).length;
  return row({
    topic: `milliseconds of processor time to install a definition of ${size} characters, least of ${warm.length}`,
    measured: Math.min(...warm),
    target: 10,
    better: 'less',
    detail: `median ${median(warm).toFixed(1)}`,
  });
}

/** Compares an object of 20 fields and 5 rules with a ConfigMap of 20 entries. */
async function writing() {
  const server = new ApiServer();
  await server.start();
  await server.install(definitionOf('widgets', 'Widget', fields(), RULES));
  const client = server.client();
  const widget = server.kind('bench.example.com/v1', 'Widget');
  const names = Array.from({ length: 20 }, (_, i) => `field${i}`);
  const spec = Object.fromEntries(names.map((name, i) => [name, i % 2 === 0 ? `value ${i}` : i]));
  const data = Object.fromEntries(names.map((name, i) => [name, `value ${i}`]));
  let next = 0;
  const { custom, builtIn } = await interleaved(
    {
      custom: () =>
        processorMicroseconds(
          () => client.create(widget, { metadata: { name: `w-${next++}` }, spec }, { namespace }),
          CALLS,
        ),
      builtIn: () =>
        processorMicroseconds(
          () => client.create(configMap, { metadata: { name: `c-${next++}` }, data }, { namespace }),
          CALLS,
        ),
    },
    { rounds: ROUNDS },
  );
  await server.close();
  return row({
    topic: 'time to create a custom resource of 20 fields and 5 rules against a ConfigMap',
    measured: leastRatio(custom, builtIn),
    target: 2.5,
    better: 'less',
    detail: `${Math.min(...custom).toFixed(0)} against ${Math.min(...builtIn).toFixed(0)} µs`,
  });
}

/** Measures writes of another kind with many definitions, and with many webhooks for other kinds. */
async function having() {
  const servers = {};
  for (const name of ['bare', 'full', 'hooked']) {
    const server = new ApiServer();
    await server.start();
    servers[name] = server;
  }
  const start = performance.now();
  for (let i = 0; i < MANY; i++)
    await servers.full.install(definitionOf(`kinds${i}`, `Kind${i}`, fields(), RULES, `g${i % 50}.example.com`));
  const each = (performance.now() - start) / MANY;
  for (let i = 0; i < WEBHOOKS; i++) await servers.hooked.client().create(validatingWebhookConfiguration, webhooks(i));
  const writes = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const client = server.client();
      let next = 0;
      const write = async () => {
        const map = await client.create(
          configMap,
          { metadata: { name: `c-${next++}` }, data: { a: 'b' } },
          { namespace },
        );
        await client.get(configMap, map.metadata.name, { namespace });
      };
      return [name, () => processorMicroseconds(write, CALLS)];
    }),
  );
  const times = await interleaved(writes, { rounds: ROUNDS });
  const readDocuments = async () => {
    const before = process.cpuUsage();
    for (const path of ['/openapi/v3', '/apis'])
      await (await servers.full.fetch(new Request(`https://server${path}`), { user: ADMIN })).text();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const whole = await readDocuments();
  await servers.full.install(definitionOf('late', 'Late', fields(), RULES, 'g7.example.com'));
  const anew = await readDocuments();
  for (const server of Object.values(servers)) await server.close();
  return [
    row({
      topic: `time of other requests beside ${MANY} definitions`,
      measured: leastRatio(times.full, times.bare),
      target: 1.15,
      better: 'less',
      detail: `${each.toFixed(2)} ms to install each`,
    }),
    row({
      topic: `share of what the index of OpenAPI and discovery cost beside ${MANY} definitions that one more definition costs`,
      measured: anew / whole,
      target: 0.1,
      better: 'less',
      detail: `${whole.toFixed(0)} ms of processor time at first, ${anew.toFixed(0)} ms after one more`,
    }),
    row({
      topic: `time of other requests beside ${WEBHOOKS} configurations of webhooks that do not match`,
      measured: leastRatio(times.hooked, times.bare),
      target: 1.25,
      better: 'less',
    }),
  ];
}

const ADMIN = { username: 'bench', groups: ['system:masters', 'system:authenticated'] };

const RULES = [
  { rule: 'self.field1 < 100' },
  { rule: "self.field0.startsWith('value')", message: 'must be a value' },
  { rule: 'self.field3 != self.field5' },
  { rule: 'has(self.field7) && self.field7 > 0' },
  { rule: "self.field2 != '' || self.field4 != ''" },
];

function fields() {
  return Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [
      `field${i}`,
      i % 2 === 0 ? { type: 'string', maxLength: 100 } : { type: 'integer', minimum: 0 },
    ]),
  );
}

function definitionOf(plural, kind, properties, rules, group = 'bench.example.com') {
  const spec = { type: 'object', properties, 'x-kubernetes-validations': rules };
  const openAPIV3Schema = { type: 'object', properties: { spec, status: { type: 'object' } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** Returns a definition like those of operators that contain pod templates: nested objects with descriptions. */
function largeDefinition(number) {
  const description = 'What the operator does with this part of the object, in a sentence as long as they mostly are.';
  const leaf = (i) =>
    [
      { type: 'string', description, maxLength: 253 },
      { type: 'integer', format: 'int32', description, minimum: 0 },
      { type: 'array', items: { type: 'string' }, description },
      { type: 'object', additionalProperties: { type: 'string' }, description },
      { type: 'string', enum: ['Always', 'Never', 'IfNotPresent'], description },
    ][i % 5];
  const object = (depth, width) => ({
    type: 'object',
    description,
    properties: Object.fromEntries(
      Array.from({ length: width }, (_, i) => [
        `member${depth}x${i}`,
        i === 0 && depth > 0
          ? { type: 'array', maxItems: 16, description, items: object(depth - 1, width) }
          : i === 1 && depth > 0
            ? object(depth - 1, width)
            : leaf(i),
      ]),
    ),
  });
  const properties = { ...fields() };
  const base = JSON.stringify(definitionOf('large', 'Large', properties, RULES)).length;
  const section = object(4, 8);
  const sections = Math.max(1, Math.round((LARGE - base) / JSON.stringify(section).length));
  for (let i = 0; i < sections; i++) properties[`section${i}`] = section;
  return definitionOf(`large${number}`, `Large${number}`, properties, RULES);
}

function webhooks(i) {
  return {
    metadata: { name: `hooks-${i}` },
    webhooks: [
      {
        name: `hook-${i}.example.com`,
        clientConfig: { url: 'https://127.0.0.1:1/none' },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        rules: [
          {
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            operations: ['*'],
            resources: [i % 2 ? 'deployments' : 'daemonsets'],
          },
        ],
      },
    ],
  };
}
