import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { OpenApiDocuments, type RemoteDescriptions } from '../../src/openapi/documents.js';
import { messageV2 } from '../../src/openapi/protobuf-v2.js';
import { messageV3 } from '../../src/openapi/protobuf-v3.js';
import { defineResource, type ResourceDefinition } from '../../src/registry/resource-definition.js';
import { builtinResources } from '../../src/resources/index.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { encodeJson } from '../../src/serialization/json/encode.js';
import { joinBytes } from '../../src/values/join-bytes.js';
import { registryOf } from './fixture.js';

/** A number of kinds at which a repeated generation of all kinds would be noticed. */
const few = builtinResources.filter(({ groupStem }) => groupStem === '' || groupStem === 'apps');

function kindOf(kind: string, { group = 'example.com', description = 'what is <wanted>' } = {}) {
  const properties = { '10': { type: 'string' }, '9': { type: 'integer' }, text: { type: 'string', description } };
  const spec = { type: 'object', properties };
  return defineResource({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
    schema: openApiToSchema({ type: 'object', properties: { spec } }),
  });
}

/** Returns an equal definition that records whenever its schema is read. */
const noting = (definition: ResourceDefinition, read: string[]): ResourceDefinition =>
  new Proxy(definition, {
    get(target, name, receiver) {
      if (name === 'schema') read.push(target.kind);
      return Reflect.get(target, name, receiver);
    },
  });

it('a changed definition regenerates one part of the document, and no others', async () => {
  const read: string[] = [];
  const [a, b, before, after] = [
    kindOf('A'),
    kindOf('B'),
    kindOf('C'),
    kindOf('C', { description: 'something else' }),
  ].map((definition) => noting(definition, read)) as [
    ResourceDefinition,
    ResourceDefinition,
    ResourceDefinition,
    ResourceDefinition,
  ];
  const registry = registryOf([...few, a, b, before]);
  const documents = new OpenApiDocuments(registry);
  const make = async () => {
    const v2 = await documents.v2(0);
    await documents.index(0, (name) => name);
    return [...v2.json.chunks, ...(await v2.message()).chunks];
  };
  const known = new Set(await make());
  expect(new Set(read)).toEqual(new Set(['A', 'B', 'C']));
  registry.uninstall(before);
  registry.install(after);
  read.length = 0;
  const made = (await make()).filter((chunk) => !known.has(chunk));
  expect(new Set(read)).toEqual(new Set(['C']));
  const names = made.map(
    (chunk) => /^(?:,"|\n.{1,4}\n.)([\w./{}-]+)/s.exec(new TextDecoder().decode(chunk))?.[1] ?? '',
  );
  // The other changed part belongs to no kind, and is small.
  const ofKinds = names.filter((name) => /^\/apis?\/.*[^/]$/.test(name) || name.startsWith('com.example'));
  expect(ofKinds).not.toHaveLength(0);
  for (const name of ofKinds) expect(name).toMatch(/\/cs(\/\{name\})?$|\.C(List)?$/);
  for (const chunk of made) expect(chunk.length).toBeLessThan(20_000);
});

it('the tag changes if and only if the document does', async () => {
  const registry = registryOf([kindOf('A')]);
  const documents = new OpenApiDocuments(registry);
  const hashes = async () => {
    const [v2, v3] = [await documents.v2(0), await documents.v3('apis/example.com/v1', 0)];
    return [v2.json.hash, (await v2.message()).hash, v3?.json.hash, (await v3?.message())?.hash];
  };
  const before = await hashes();
  // A protobuf message of version 3 has the tag of the JSON.
  expect(new Set(before).size).toBe(3);
  const other = kindOf('B');
  registry.install(other);
  for (const [i, hash] of (await hashes()).entries()) expect(hash).not.toBe(before[i]);
  registry.uninstall(other);
  expect(await hashes()).toEqual(before);
});

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** The document of another server, which defines some names differently. */
const remote: JsonObject = {
  paths: {
    '/apis/far.example.com/v1/things': {
      get: {
        parameters: [{ $ref: '#/parameters/one' }],
        responses: { 200: { schema: { $ref: `#/definitions/${META}.ObjectMeta` } } },
      },
    },
    '/version/': { get: { description: 'not its own' } },
  },
  definitions: {
    [`${META}.ObjectMeta`]: { type: 'object', properties: { time: { $ref: `#/definitions/${META}.Time` } } },
    [`${META}.Time`]: { type: 'string', format: 'date-time', 'x-k8s-group-version-kind': [] },
  },
  parameters: { one: { name: 'one', in: 'query', type: 'string' } },
};
const described: RemoteDescriptions = {
  v2: [remote, structuredClone(remote)],
  v3: new Map(),
  onlyV2: new Map([['apis/far.example.com/v1', remote]]),
};

it.each<[string, OpenApiDocuments]>([
  ['no kinds', new OpenApiDocuments(registryOf([]))],
  ['built-in kinds', new OpenApiDocuments(registryOf())],
  [
    'custom kinds, some in groups named like those of the server',
    new OpenApiDocuments(registryOf([...few, kindOf('A'), kindOf('B', { group: 'b.k8s.io' })])),
  ],
  ['kinds of other servers', new OpenApiDocuments(registryOf(few), () => described)],
])('a document of parts equals one that is written at once: %s', async (_, documents) => {
  const v3 = (await documents.v3('apis/far.example.com/v1', 0)) ?? (await documents.v3('api/v1', 0));
  for (const [document, { encode }] of [
    [await documents.v2(0), messageV2],
    [v3, messageV3],
  ] as const) {
    if (!document) continue;
    const json = joinBytes(document.json.chunks);
    const value = JSON.parse(new TextDecoder().decode(json)) as Record<string, JsonValue>;
    expect(Buffer.compare(json, encodeJson(value))).toBe(0);
    const whole = await encode(Object.entries(value).map(([name, member]) => ({ name, value: member })));
    expect(Buffer.compare(joinBytes((await document.message()).chunks), joinBytes(whole))).toBe(0);
  }
});

it('a name that another server defines differently gets a number, one for each server', async () => {
  const documents = new OpenApiDocuments(registryOf(few), () => ({
    ...described,
    v2: [
      remote,
      {
        ...remote,
        paths: { '/apis/far.example.com/v2/things': remote['paths'] ?? {} },
        definitions: { [`${META}.ObjectMeta`]: { type: 'string' } },
      },
    ],
  }));
  const { definitions, paths } = JSON.parse(new TextDecoder().decode(joinBytes((await documents.v2(0)).json.chunks)));
  expect(Object.keys(definitions).filter((name) => /_v\d+$/.test(name))).toEqual([
    `${META}.ObjectMeta_v2`,
    `${META}.ObjectMeta_v3`,
  ]);
  expect(paths['/apis/far.example.com/v1/things'].get.responses[200].schema.$ref).toBe(
    `#/definitions/${META}.ObjectMeta_v2`,
  );
  expect(paths['/version/'].get.description).not.toBe('not its own');
});

it('names that are array indexes are sorted as in a JavaScript object', async () => {
  const definitions = { z: { type: 'string' }, 10: { type: 'string' }, 9: { type: 'string' } };
  const documents = new OpenApiDocuments(registryOf([]), () => ({
    ...described,
    v2: [{ ...remote, definitions }],
  }));
  const document = await documents.v2(0);
  const textOf = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks).toString('latin1');
  const inOrder = (text: string, names: readonly string[]) =>
    names.map((name) => text.indexOf(name)).every((at, i, all) => at > (all[i - 1] ?? 0));
  // In JSON, these members are sorted among the others by name.
  expect(inOrder(textOf(document.json.chunks), ['"10":{', '"9":{', '"io.k8s.apimachinery', '"z":{'])).toBe(true);
  const { chunks } = await document.message();
  expect(
    inOrder(textOf(chunks), [
      '\n\x019\x12',
      '\n\x0210\x12',
      'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup\x12',
      '\n\x01z\x12',
    ]),
  ).toBe(true);
});
