import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { pruneDefaults } from '../../src/schema/prune-defaults.js';
import { requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

const THINGS = '/apis/example.com/v1/namespaces/default/things';
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com';
const embedded = (more: object = {}) => ({ type: 'object', 'x-kubernetes-embedded-resource': true, ...more });
const text = (value: string) => ({ type: 'string', default: value });

let server: ApiServer;
const { get, post, merge } = requestsTo(() => server);
beforeEach(async () => {
  server = await startServer({ dialect: 'k8s', authentication: [everybody] });
});
afterEach(() => server.close());

const thing = (spec: object) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec });

describe('defaults of embedded objects', () => {
  const whole = { apiVersion: 'foos/v1', kind: 'Foo', metadata: { name: 'Bar', unknown: 'unknown' } };
  const types = { apiVersion: text('foos/v1'), kind: text('Foo') };
  const wholeSchema = embedded({ properties: { foo: { type: 'string' } } });

  it.each([
    [
      'of each field',
      embedded({
        properties: { ...types, metadata: { type: 'object', properties: { name: text('Bar'), unknown: text('u') } } },
      }),
      { metadata: {} },
    ],
    [
      'of the metadata',
      embedded({ properties: { ...types, metadata: { type: 'object', default: whole.metadata } } }),
      {},
    ],
    ['of the object', { ...wholeSchema, default: whole }, undefined],
    [
      'of an object that preserves unknown fields',
      embedded({ 'x-kubernetes-preserve-unknown-fields': true, default: whole }),
      undefined,
    ],
  ])('lose fields that ObjectMeta does not declare if they are defaults %s', async (_, one, given) => {
    await server.install(manifest({ spec: { one } }) as never);
    const { value } = await post(THINGS, thing({ one: given }));
    expect(value['spec']).toEqual({ one: { apiVersion: 'foos/v1', kind: 'Foo', metadata: { name: 'Bar' } } });
  });

  it('lose these fields inside the default of an enclosing object, and of lists', async () => {
    const one = { type: 'object', properties: { inner: wholeSchema }, default: { inner: whole } };
    const list = { type: 'array', items: wholeSchema, default: [whole] };
    await server.install(manifest({ spec: { one, list } }) as never);
    const kept = { ...whole, metadata: { name: 'Bar' } };
    expect((await post(THINGS, thing({}))).value['spec']).toEqual({ one: { inner: kept }, list: [kept] });
  });

  it('lose values of a wrong type, in lists and maps of the metadata as well', () => {
    const metadata = {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: { type: 'integer', default: 1 } },
        finalizers: { type: 'array', items: { type: 'integer', default: 1 } },
        annotations: { type: 'object', default: { a: 1 } },
        name: text('kept'),
      },
    };
    const pruned = pruneDefaults(openApiToSchema(embedded({ properties: { metadata } })));
    const defaults: unknown[] = [];
    JSON.stringify(pruned, (name, value) => {
      if (name === 'default') defaults.push(value);
      return value instanceof Map ? [...value] : value;
    });
    expect(defaults).toEqual(['kept']);
  });

  it('leave the schema as it is if nothing is dropped', () => {
    const schema = openApiToSchema({
      type: 'object',
      properties: { one: { ...wholeSchema, default: { kind: 'Foo' } } },
    });
    expect(pruneDefaults(schema)).toBe(schema);
  });
});

it('stored objects lose fields that ObjectMeta does not declare when the schema begins to embed them', async () => {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await server.install(manifest({ spec: { one: open } }) as never);
  const metadata = { name: 'n', unknown: 1, labels: { a: 'b' }, annotations: { c: 1 } };
  await post(THINGS, thing({ one: { apiVersion: 'v1', kind: 1, metadata, other: 1 } }));
  await merge(DEFINITION, { spec: manifest({ spec: { one: { ...open, ...embedded() } } }).spec });
  await expect
    .poll(async () => (await get(`${THINGS}/a`)).value['spec'])
    .toEqual({ one: { apiVersion: 'v1', metadata: { name: 'n', labels: { a: 'b' } }, other: 1 } });
});
