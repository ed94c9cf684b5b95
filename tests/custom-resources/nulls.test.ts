import { beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// A null is dropped if its schema neither allows nor defaults it, whether the schema has a type or not (spec 21.3).
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const anything = { 'x-kubernetes-preserve-unknown-fields': true };
const SPEC = {
  any: anything,
  none: { ...anything, nullable: true },
  filled: { ...anything, default: { a: 1 } },
  port: { 'x-kubernetes-int-or-string': true },
  values: { type: 'object', additionalProperties: anything },
  list: { type: 'array', items: anything },
  free: { type: 'object', ...anything },
  open: { type: 'object', additionalProperties: true },
  whole: { type: 'object', ...anything, 'x-kubernetes-embedded-resource': true },
  declared: {
    type: 'object',
    ...anything,
    'x-kubernetes-embedded-resource': true,
    properties: { metadata: { type: 'object' } },
  },
};
const WHOLE = { apiVersion: 'v1', kind: 'Whole' };
beforeAll(async () => {
  await server.install(manifest({ spec: SPEC }));
  const rules = { required: ['any'], minProperties: 1, oneOf: [{ required: ['any'] }] };
  for (const [rule, value] of Object.entries(rules)) {
    const plural = `${rule.toLowerCase()}s`;
    const spec = { type: 'object', properties: { any: anything }, [rule]: value };
    const root = { properties: { spec } };
    await server.install(manifest({ names: { plural, kind: rule[0]?.toUpperCase() + rule.slice(1) }, root }));
  }
});

const create = (plural: string, kind: string, spec: object) => {
  const body = { apiVersion: 'example.com/v1', kind, metadata: { generateName: 'a-' }, spec };
  return ask(server, { method: 'POST', path: `/apis/example.com/v1/namespaces/default/${plural}`, body });
};

it.each<[string, object, object]>([
  ['in a field without a type', { any: null }, {}],
  ['in a nullable field without a type', { none: null }, { none: null }],
  ['in a field without a type that has a default', { filled: null }, { filled: { a: 1 } }],
  ['in an int-or-string', { port: null }, {}],
  ['in a map', { values: { a: null, b: 1 } }, { values: { b: 1 } }],
  ['in a list', { list: [null, 1] }, { list: [null, 1] }],
  ['in an object without a schema', { any: { a: null } }, { any: { a: null } }],
  [
    'in the metadata of an embedded object',
    { whole: { ...WHOLE, metadata: null } },
    { whole: { ...WHOLE, metadata: {} } },
  ],
  ['in its declared metadata', { declared: { ...WHOLE, metadata: null } }, { declared: WHOLE }],
  ['in an undeclared field', { free: { a: null }, open: { a: null } }, { free: { a: null }, open: { a: null } }],
])('stores the null %s as %j', async (_, sent, stored) => {
  const { status, value } = await create('things', 'Thing', sent);
  const filled = { filled: { a: 1 }, ...stored };
  expect([status, value.spec]).toEqual([201, filled]);
});

it.each([
  ['requireds', 'Required'],
  ['minpropertiess', 'MinProperties'],
  ['oneofs', 'OneOf'],
])('refuses an object that only a null would make valid: %s', async (plural, kind) => {
  expect((await create(plural, kind, { any: null })).status).toBe(422);
  expect((await create(plural, kind, { any: 1 })).status).toBe(201);
});
