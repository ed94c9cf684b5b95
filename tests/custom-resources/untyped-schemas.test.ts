import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/value.js';
import { requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { everybody, manifest, thingsOf } from './support.js';

const at = { namespace: 'default' };
const keepsAll = { 'x-kubernetes-preserve-unknown-fields': true };
const asRoot = { dialect: 'k8s', authentication: () => [everybody] } as const;

it('serves a kind whose schema has no type and keeps all fields', async () => {
  await using server = await startServer(asRoot);
  await server.install(manifest({ version: { schema: { openAPIV3Schema: keepsAll } } }));
  const made = await server
    .client()
    .create(thingsOf(server), { metadata: { name: 'a' }, free: { x: null } } as never, at);
  expect(made).toMatchObject({ kind: 'Thing', free: { x: null } });
});

it('accepts values of any type where a schema declares properties without a type', async () => {
  await using server = await startServer(asRoot);
  const spec = { free: { ...keepsAll, properties: { size: { type: 'integer' } } } };
  await server.install(manifest({ spec: spec as never }));
  const client = server.client({ userAgent: 'author' });
  const create = (name: string, free: unknown) =>
    client.create(thingsOf(server), { metadata: { name }, spec: { free } } as never, at);
  const made = await create('text', 'x');
  expect(made).toMatchObject({ spec: { free: 'x' } });
  expect(made.metadata.managedFields?.[0]?.fieldsV1).toEqual({ 'f:spec': { '.': {}, 'f:free': {} } });
  await expect(create('list', [1])).resolves.toMatchObject({ spec: { free: [1] } });
  await expect(create('object', { size: 'x' })).rejects.toThrow('spec.free.size in body must be of type integer');
});

it('publishes schemas as they are declared: without a type, and integers with formats of other sizes', async () => {
  await using server = await startServer(asRoot);
  const properties = { size: { type: 'integer', format: 'uint32' } };
  await server.install(manifest({ spec: { free: { ...keepsAll, properties }, ...properties } as never }));
  const response = await server.fetch(new Request('https://server/openapi/v3/apis/example.com/v1'));
  const document = (await response.json()) as { readonly components: { readonly schemas: JsonObject } };
  expect(document.components.schemas['com.example.v1.Thing']).toMatchObject({
    properties: { spec: { properties: { ...properties, free: { ...keepsAll, properties } } } },
  });
  expect(JSON.stringify(document.components.schemas)).toContain(
    `"free":${JSON.stringify({ properties, ...keepsAll })}`,
  );
});

it('never accepts null where the allowed values are listed, even if null is one of them', async () => {
  await using server = await startServer(asRoot);
  const rule = { rule: "self != 'b'" };
  const size = { type: 'string', nullable: true, enum: ['a', null], 'x-kubernetes-validations': [rule] };
  await server.install(manifest({ spec: { size } as never }));
  const create = (value: unknown) =>
    server.client().create(thingsOf(server), { metadata: { name: 'a' }, spec: { size: value } } as never, at);
  await expect(create(null)).rejects.toThrow('spec.size: Unsupported value: "null": supported values: "a", "null"');
  await expect(create({ x: 1 })).rejects.toThrow('Unsupported value: map[string]interface {}{}: supported values');
  await expect(create('a')).resolves.toMatchObject({ spec: { size: 'a' } });
});

it('reports errors of the whole object at <nil>', async () => {
  await using server = await startServer(asRoot);
  await server.install(manifest({ root: { maxProperties: 1 } }));
  const made = server.client().create(thingsOf(server), { metadata: { name: 'a' } }, at);
  await expect(made).rejects.toThrow('<nil>: Too many: 3: must have at most 1 items');
});

it('reports limits below zero as upstream does', async () => {
  await using server = await startServer(asRoot);
  const spec = {
    items: { type: 'array', maxItems: -1, items: { type: 'string' } },
    text: { type: 'string', maxLength: -1 },
    size: { type: 'integer', multipleOf: -2 },
  };
  await server.install(manifest({ spec: spec as never }));
  const create = (values: object) =>
    server.client().create(thingsOf(server), { metadata: { name: 'a' }, spec: values } as never, at);
  await expect(create({ items: [] })).rejects.toThrow('spec.items: Too many: 0: has too many items');
  await expect(create({ text: '' })).rejects.toThrow('spec.text: Too long: value is too long');
  await expect(create({ size: 2 })).rejects.toThrow(
    'spec.size: Invalid value: -2: factor MultipleOf declared for spec.size must be positive: -2',
  );
});

it('serves a kind whose schema no object satisfies, so that its definition can be deleted', async () => {
  await using server = await startServer(asRoot);
  await server.install(manifest({ root: { 'x-kubernetes-int-or-string': true } }));
  const made = server.client().create(thingsOf(server), { metadata: { name: 'a' } }, at);
  await expect(made).rejects.toThrow(
    '<nil>: Invalid value: "object":  in body must be of type integer,string: "object"',
  );
});

it.each([
  ['granular maps', { type: 'object', 'x-kubernetes-map-type': 'granular' }, {}],
  [
    'an integer or a string',
    { 'x-kubernetes-int-or-string': true },
    { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  ],
])('publishes a root of %s with its extension', async (_, root, more) => {
  await using server = await startServer(asRoot);
  await server.install(manifest({ version: { schema: { openAPIV3Schema: { ...root, properties: {} } } } }));
  const response = await server.fetch(new Request('https://server/openapi/v3/apis/example.com/v1'));
  const { components } = (await response.json()) as { readonly components: { readonly schemas: JsonObject } };
  const { properties: _properties, ...published } = components.schemas['com.example.v1.Thing'] as JsonObject;
  expect(published).toEqual({ ...root, ...more, 'x-kubernetes-group-version-kind': expect.anything() });
});

it('refuses every member where a schema or a junctor forbids additional ones', async () => {
  await using server = await startServer(asRoot);
  const closed = { additionalProperties: false };
  const map = { type: 'object', additionalProperties: { type: 'string' } };
  const spec = {
    none: { type: 'object', ...closed },
    all: { ...map, allOf: [closed] },
    one: { ...map, oneOf: [closed, { required: ['a', 'b'] }] },
    some: { ...map, not: closed },
    // Names are kept, but not the fields of objects in them.
    names: { type: 'object', additionalProperties: true, ...keepsAll },
  };
  await server.install(manifest({ spec: spec as never }));
  const create = (value: object) =>
    server
      .client()
      .create(thingsOf(server), { metadata: { name: 'x' }, spec: value } as never, { ...at, dryRun: true });
  const forbidden = (field: string) =>
    `spec.${field}: Invalid value: "a": spec.${field}.a in body is a forbidden property`;
  await expect(create({ none: { a: 1 } })).rejects.toThrow(forbidden('none'));
  await expect(create({ all: { a: 'x' } })).rejects.toThrow(forbidden('all'));
  await expect(create({ one: { a: 'x' } })).rejects.toThrow(forbidden('one'));
  await expect(create({ some: {} })).rejects.toThrow('must not validate the schema (not)');
  const valid = { none: {}, all: {}, one: { a: 'x', b: 'y' }, some: { a: 'x' } };
  expect(await create({ ...valid, names: { a: { b: 1 }, c: 2 } })).toMatchObject({
    spec: { ...valid, names: { a: {}, c: 2 } },
  });
});

it('compares numbers with allowed values as upstream converts them', async () => {
  await using server = await startServer(asRoot);
  const spec = {
    size: { type: 'number', enum: [1, 2.5] },
    port: { 'x-kubernetes-int-or-string': true, enum: ['a', 98] },
  };
  await server.install(manifest({ spec: spec as never }));
  const create = (value: object) =>
    server
      .client()
      .create(thingsOf(server), { metadata: { name: 'x' }, spec: value } as never, { ...at, dryRun: true });
  for (const value of [{ size: 1.9 }, { size: 2.5 }, { port: 97 }, { port: 98 }])
    await expect(create(value)).resolves.toMatchObject({ spec: value });
  for (const value of [{ size: 2 }, { size: 2.6 }, { port: 99 }, { port: 'b' }])
    await expect(create(value)).rejects.toThrow('Unsupported value');
});

it('names the kind of a body with a number beyond all doubles, and the operation of a JSON patch', async () => {
  await using server = await startServer(asRoot);
  await server.install(manifest({ spec: { free: keepsAll } as never }));
  const path = '/apis/example.com/v1/namespaces/default/things';
  const { post, send } = requestsTo(() => server);
  const number = 'json: cannot unmarshal number 1e400 into Go';
  const kinds = '"apiVersion":"example.com/v1","kind":"Thing"';
  const made = await post(path, `{${kinds},"metadata":{"name":"a"},"spec":{"free":[1e400]}}`);
  expect([made.status, made.message]).toEqual([
    400,
    `Thing in version "v1" cannot be handled as a Thing: ${number} value of type float64`,
  ]);
  expect((await post(path, '{"kind":7,"spec":1e400}')).message).toMatch(
    'the object provided is unrecognized (must be of type Thing): ',
  );
  expect((await post(path, `{${kinds},"metadata":{"name":"a"}}`)).status).toBe(201);
  const operations = '[{"op":"add","path":"/spec","value":{"free":1e400}}]';
  const patched = await send('PATCH', `${path}/a`, operations, { type: 'application/json-patch+json' });
  expect([patched.status, patched.message]).toEqual([
    400,
    `error decoding patch: ${number} struct field jsonPatchOp.value of type float64`,
  ]);
});

it('defaults of an integer or a string may have any type, unless the schema itself names both types', async () => {
  await using server = await startServer(asRoot);
  const port = { 'x-kubernetes-int-or-string': true };
  const wrong = { type: 'object', additionalProperties: port, default: { a: false } };
  await server.install(manifest({ spec: { ports: wrong } }));
  const made = server.client().create(thingsOf(server), { metadata: { name: 'a' }, spec: {} } as never, at);
  await expect(made).rejects.toThrow('spec.ports.a in body must be of type integer,string: "boolean"');
  const named = { ...port, anyOf: [{ type: 'integer' }, { type: 'string' }], default: false };
  const names = { plural: 'others', kind: 'Other' };
  await expect(server.install(manifest({ names, spec: { port: named } }))).rejects.toThrow(
    'must validate at least one schema',
  );
});

it('the path of an embedded object in a map has its key in brackets', async () => {
  await using server = await startServer(asRoot);
  const whole = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  await server.install(manifest({ spec: { parts: { type: 'object', additionalProperties: whole } } }));
  const spec = { parts: { one: { apiVersion: 'v1', kind: 1 } } };
  const made = server.client().create(thingsOf(server), { metadata: { name: 'a' }, spec } as never, at);
  await expect(made).rejects.toThrow('spec.parts[one].kind: Invalid value: 1: must be a string');
});
