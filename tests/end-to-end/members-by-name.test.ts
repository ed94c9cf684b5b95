import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalJson } from '../../src/json/order.js';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { isJsonObject } from '../../src/json/value.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { startWorld, type World } from './world.js';

// Upstream stores values without a struct in maps, which Go writes sorted by the bytes of their keys, at every depth.
const GROUP = 'named.example.com';
let world: World;
/** The reviews that webhooks received. */
const asked: JsonObject[] = [];
interface Question {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}
beforeAll(async () => {
  world = await startWorld({ controllers: { mode: 'stepped' }, featureGates: { WatchList: true } });
  world.server.services.set(
    'default/convert',
    reviewHandler(({ request }) => {
      const { uid, objects, desiredAPIVersion } = request as unknown as Question;
      const convertedObjects = objects.map((object) => ({
        spec: reversed(object['spec'] ?? null),
        metadata: reversed(object['metadata'] ?? null),
        kind: object['kind'],
        ...(object['status'] === undefined ? {} : { status: reversed(object['status']) }),
        apiVersion: desiredAPIVersion,
      }));
      asked.push(...objects);
      return { uid, convertedObjects, result: { status: 'Success' } };
    }),
  );
  world.server.services.set(
    'default/look',
    reviewHandler(({ request }) => {
      const { uid, object } = request as unknown as { uid: string; object: JsonObject };
      asked.push(object);
      const patch = btoa(JSON.stringify([{ op: 'add', path: '/spec/ab', value: { z: 1, y: 2 } }]));
      return { uid, allowed: true, patchType: 'JSONPatch', patch };
    }),
  );
  for (const [plural, conversion] of [
    ['things', { strategy: 'None' }],
    [
      'others',
      {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { namespace: 'default', name: 'convert' } },
          conversionReviewVersions: ['v1'],
        },
      },
    ],
  ] as const)
    await world.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Cluster',
        names: { plural, kind: plural === 'things' ? 'Thing' : 'Other' },
        conversion,
        versions: [version('v1', true), version('v2', false)],
      },
    });
  await world.server.settle();
});
afterAll(() => world.close());

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: {
            z: { type: 'string' },
            map: { type: 'object', additionalProperties: { type: 'string' } },
            filled: { type: 'object', default: { y: 1, x: 2 }, 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
        status: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { filled: { type: 'integer', default: 1 } },
        },
      },
    },
  },
});

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member ?? null)]),
  );
}

const names = {
  '10': 'a',
  '9': 'b',
  '-1': 'c',
  '010': 'd',
  a: 'e',
  A: 'f',
  '\ufffd': 'g',
  '\u{10000}': 'h',
  '4294967295': 'i',
};
const body = (name: string, kind = 'Thing', apiVersion = `${GROUP}/v1`) => ({
  spec: { z: 'z', map: names, any: [{ y: [{ d: 1, c: { ...names, f: null } }], x: '<&>' }], a: { '1': 1, '0': 0 } },
  kind,
  metadata: { name, labels: { z: 'z', a: 'b', '10': 'x', '9': 'y' }, annotations: { b: 'c', a: 'd' } },
  apiVersion,
});

/** Checks that the text equals what Go would write for its value. */
function expectByName(text: string): void {
  expect(text.startsWith('{"apiVersion":')).toBe(true);
  expect(text).toBe(`${canonicalJson(JSON.parse(text))}\n`);
}
const text = async (method: string, path: string, sent?: Parameters<World['send']>[2]) => {
  const answer = await world.send(method, path, sent);
  expect(answer.status, answer.message).toBeLessThan(300);
  return answer.text;
};
const MERGE = { type: 'application/merge-patch+json' };

it.each([
  ['things', 'v1'],
  ['things', 'v2'],
  ['others', 'v1'],
  ['others', 'v2'],
])('responses, lists and events of %s in %s have map keys sorted', async (plural, served) => {
  const all = `/apis/${GROUP}/${served}/${plural}`;
  const kind = plural === 'things' ? 'Thing' : 'Other';
  const [a, b] = [`${served}-a`, `${served}-b`];
  expectByName(await text('GET', all));
  const watch = await fetch(
    `${world.listener.url}${all}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  );
  const events = linesOf(watch);
  const apiVersion = `${GROUP}/${served}`;
  expectByName(await text('POST', `${all}?dryRun=All`, { body: body(a, kind, apiVersion) }));
  expectByName(await text('POST', all, { body: body(a, kind, apiVersion) }));
  expectByName(await text('GET', `${all}/${a}`));
  const apply = { body: body(b, kind, apiVersion), type: 'application/apply-patch+yaml' };
  for (const method of ['PATCH', 'PATCH']) expectByName(await text(method, `${all}/${b}?fieldManager=m`, apply));
  expectByName(await text('PATCH', `${all}/${a}?dryRun=All`, { ...MERGE, body: { spec: { b: { y: 1, x: 2 } } } }));
  expectByName(await text('PATCH', `${all}/${a}`, { ...MERGE, body: { spec: { b: { y: 1, x: 2 } } } }));
  const add = {
    type: 'application/json-patch+json',
    body: [{ op: 'add', path: '/spec/aa', value: { '2': 1, '-': 2 } }],
  };
  expectByName(await text('PATCH', `${all}/${a}`, add));
  const read = await world.get(`${all}/${a}`);
  const status = { z: 1, filled: 2, replicas: 3, a: { c: 1, b: 2 } };
  expectByName(await text('PUT', `${all}/${a}/status`, { body: { ...read, status } }));
  const scaled = await text('PATCH', `${all}/${a}/scale`, { ...MERGE, body: { spec: { replicas: 2 } } });
  expect(Object.keys(JSON.parse(scaled))).toEqual(['kind', 'apiVersion', 'metadata', 'spec', 'status']);
  expect(Object.keys(JSON.parse(scaled).metadata)).toEqual(['name', 'uid', 'resourceVersion', 'creationTimestamp']);
  expectByName(await text('GET', all));
  const pretty = await text('GET', `${all}?pretty=1`);
  expect(JSON.parse(pretty).items).toHaveLength(2);
  expect(pretty).toBe(indented(JSON.parse(pretty)));
  const empty = await text('GET', `${all}?pretty=1&labelSelector=none`);
  expect(empty).toBe(indented(JSON.parse(empty)));

  // A value with a struct has the order of its fields, whatever the order of the input.
  const partial = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
  const { metadata } = JSON.parse(await text('GET', `${all}/${b}`, partial));
  expect(Object.keys(metadata)).toEqual(
    'name uid resourceVersion generation creationTimestamp labels annotations managedFields'.split(' '),
  );
  expect(Object.keys(metadata.managedFields[0])).toEqual(
    'manager operation apiVersion time fieldsType fieldsV1'.split(' '),
  );
  expect(await text('GET', `${all}/${b}`, partial)).toContain('"labels":{"10":"x","9":"y","a":"b","z":"z"}');
  const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
  const { rows } = JSON.parse(await text('GET', `${all}?includeObject=Object`, table));
  expect(Object.keys(rows[0].object)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

  await world.patch(`${all}/${a}`, { metadata: { finalizers: ['example.com/z'] } });
  expectByName(await text('DELETE', `${all}/${a}`));
  expectByName(await text('PATCH', `${all}/${a}`, { ...MERGE, body: { metadata: { finalizers: null } } }));
  await world.delete(`${all}/${b}`);
  const types: string[] = [];
  while (types.filter((type) => type === 'DELETED').length < 2) {
    const line = (await events.next()).value ?? '';
    const [, type = '', object = ''] = /^\{"type":"([A-Z]+)","object":(.*)\}$/.exec(line) ?? [];
    types.push(type);
    expectByName(`${object}\n`);
  }
  expect(new Set(types)).toEqual(new Set(['BOOKMARK', 'ADDED', 'MODIFIED', 'DELETED']));
  await events.return?.(undefined);
});

it('objects sent to webhooks have map keys sorted', async () => {
  await world.post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'look' },
    webhooks: [
      {
        name: 'look.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'default', name: 'look' } },
        rules: [{ apiGroups: [GROUP], apiVersions: ['*'], operations: ['*'], resources: ['things'] }],
      },
    ],
  });
  const made = await text('POST', `/apis/${GROUP}/v2/things`, { body: body('hooked', 'Thing', `${GROUP}/v2`) });
  expectByName(made);
  expect(JSON.parse(made).spec.ab).toEqual({ y: 2, z: 1 });
  expect(asked.length).toBeGreaterThan(10);
  for (const object of asked) expect(JSON.stringify(object)).toBe(JSON.stringify(JSON.parse(canonicalJson(object))));
});

it('keys that are array indexes are sorted by bytes wherever there is no struct', async () => {
  const path = '/api/v1/namespaces/default/configmaps';
  const made = await text('POST', path, {
    body: { metadata: { name: 'indexes' }, data: { ...names, '\u{10000}': undefined, '\ufffd': undefined } },
  });
  expect(made).toContain('"data":{"-1":"c","010":"d","10":"a","4294967295":"i","9":"b","A":"f","a":"e"}');
  expect(made.startsWith('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"indexes"')).toBe(true);
  expect(await text('GET', `${path}/indexes?pretty=1`)).toContain(
    '  "data": {\n    "-1": "c",\n    "010": "d",\n    "10": "a",\n',
  );
  expect(await text('GET', path)).toContain('"data":{"-1":"c","010":"d","10":"a",');
});

function indented(value: JsonValue): string {
  // Go indents its own output.
  const compact = canonicalJson(value);
  let out = '';
  let level = 0;
  for (const [token] of compact.matchAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]|[^{}[\],:"]+/g)) {
    if (token === '{' || token === '[') out += `${token}\n${'  '.repeat(++level)}`;
    else if (token === '}' || token === ']') out += `\n${'  '.repeat(--level)}${token}`;
    else if (token === ',') out += `,\n${'  '.repeat(level)}`;
    else out += token === ':' ? ': ' : token;
  }
  return out;
}

async function* linesOf(answer: Response): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += piece;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
