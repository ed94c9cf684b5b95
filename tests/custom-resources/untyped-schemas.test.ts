import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/value.js';
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
