import { beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// Facts of upstream's tests of the published schemas (apiextensions-apiserver, pkg/controller/openapi/builder).
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const { get, post } = requestsTo(server);

const either = [{ type: 'integer' }, { type: 'string' }];
const some = { minimum: 42 };
const mixed = { 'x-kubernetes-int-or-string': true };
const open = { 'x-kubernetes-preserve-unknown-fields': true };
const text = { type: 'string' };

/** Fields with their published schemas: in OpenAPI 3.0 (undefined: as declared), then in 2.0. */
const fields: Readonly<Record<string, readonly [declared: object, v3: object | undefined, v2: object]>> = {
  bothByAnyOf: [{ ...mixed, anyOf: either }, undefined, mixed],
  bothByAllOf: [{ ...mixed, allOf: [{ anyOf: either }, { anyOf: [some] }] }, undefined, mixed],
  bothByAnyOfWithMore: [{ ...mixed, anyOf: either, allOf: [{ anyOf: [some] }] }, undefined, mixed],
  otherAnyOf: [{ ...mixed, anyOf: [some] }, { ...mixed, anyOf: [some], allOf: [{ anyOf: either }] }, mixed],
  otherAnyOfWithMore: [
    { ...mixed, anyOf: [some], allOf: [some] },
    { ...mixed, anyOf: [some], allOf: [{ anyOf: either }, some] },
    mixed,
  ],
  allOfAlone: [{ ...mixed, allOf: [some] }, { ...mixed, anyOf: either, allOf: [some] }, mixed],
  plain: [mixed, { ...mixed, anyOf: either }, mixed],
  bothWithType: [
    { ...mixed, type: 'string' },
    { ...mixed, type: 'string', anyOf: either },
    { ...mixed, type: 'string' },
  ],
  bothWithFormat: [
    { ...mixed, format: 'x' },
    { ...mixed, format: 'x', anyOf: either },
    { ...mixed, format: 'x' },
  ],
  bothWithFields: [
    { ...mixed, properties: { a: text } },
    { ...mixed, properties: { a: text }, anyOf: either },
    { ...mixed, properties: { a: text } },
  ],
  titled: [{ ...text, title: 'Name' }, undefined, { ...text, title: 'Name' }],
  openMap: [
    { type: 'object', additionalProperties: text, ...open },
    undefined,
    { additionalProperties: text, ...open },
  ],
  openList: [{ type: 'array', items: text, minItems: 1, ...open }, undefined, { minItems: 1, ...open }],
  anyMembers: [
    { type: 'object', additionalProperties: true },
    undefined,
    { type: 'object', additionalProperties: true },
  ],
  noMembers: [
    { type: 'object', additionalProperties: false },
    undefined,
    { type: 'object', additionalProperties: false },
  ],
  openMembers: [{ additionalProperties: true, ...open }, undefined, { additionalProperties: true, ...open }],
  embeddedNull: [
    { type: 'object', nullable: true, 'x-kubernetes-embedded-resource': true, properties: { spec: text } },
    expect.objectContaining({ properties: expect.objectContaining({ spec: text, kind: expect.anything() }) }),
    {
      required: ['kind', 'apiVersion'],
      properties: { apiVersion: expect.anything(), kind: expect.anything(), metadata: expect.anything() },
      'x-kubernetes-embedded-resource': true,
    },
  ],
  required: [
    {
      type: 'object',
      required: ['b', 'c', 'a', 'b'],
      properties: { a: text, b: text, n: { ...text, nullable: true } },
    },
    undefined,
    { type: 'object', required: ['b', 'c', 'a', 'b'], properties: { a: text, b: text, n: {} } },
  ],
  requiredNull: [
    { type: 'object', required: ['n', 'a'], properties: { a: text, n: { ...text, nullable: true } } },
    undefined,
    { type: 'object', required: ['a'], properties: { a: text, n: {} } },
  ],
  requiredEntries: [
    { type: 'object', required: ['b', 'a'], additionalProperties: text },
    undefined,
    { type: 'object', required: ['b', 'a'], additionalProperties: text },
  ],
  requiredNullEntries: [
    { type: 'object', required: ['a'], additionalProperties: { ...text, nullable: true } },
    undefined,
    { type: 'object', additionalProperties: {} },
  ],
  requiredOpen: [{ type: 'object', required: ['b', 'a'], ...open }, undefined, { required: ['b', 'a'], ...open }],
  requiredUntyped: [{ required: ['a'], ...open }, undefined, { required: ['a'], ...open }],
  defaulted: [{ ...text, default: 'x' }, undefined, text],
};

beforeAll(async () => {
  const spec = Object.fromEntries(Object.entries(fields).map(([name, [declared]]) => [name, declared]));
  await server.install(manifest({ spec }));
});

describe('a field is published', () => {
  it.each(Object.entries(fields))('%s', async (name, [declared, v3 = declared, v2]) => {
    const published = (schemas: Record<string, { properties: { spec: { properties: Record<string, object> } } }>) =>
      schemas['com.example.v1.Thing']?.properties.spec.properties[name];
    const newer = (await get('/openapi/v3/apis/example.com/v1')).value;
    expect(published(newer.components.schemas)).toEqual(v3);
    expect(published((await get('/openapi/v2')).value.definitions)).toEqual(v2);
  });
});

const PATH = '/apis/example.com/v1/namespaces/default/things';
const thing = (name: string, spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
});

describe('required members', () => {
  it.each([
    ['required', { n: 'x' }, ['b', 'c', 'a']],
    ['requiredEntries', { b: 'x' }, ['a']],
    ['requiredOpen', { c: 1 }, ['b', 'a']],
    ['requiredUntyped', {}, ['a']],
  ])(
    'are refused if they are absent, in the order of the definition, declared or not: %s',
    async (field, value, names) => {
      const { status, message } = await post(PATH, thing('incomplete', { [field]: value }));
      const problems = names.map((name) => `spec.${field}.${name}: Required value`);
      const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
      expect([status, message]).toEqual([422, `Thing.example.com "incomplete" is invalid: ${text}`]);
    },
  );

  it('apply to objects only', async () => {
    expect((await post(PATH, thing('scalar', { requiredUntyped: 'x' }))).status).toBe(201);
  });
});

describe('unknown fields', () => {
  it('are those of an object where the schema has a scalar or a list', async () => {
    const wrong = thing('wrong', { titled: { a: 1 }, openMap: { b: { c: 1 } }, plain: [{ d: 1 }] });
    const strict = await post(`${PATH}?fieldValidation=Strict`, wrong);
    expect([strict.status, strict.message]).toEqual([
      400,
      'Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "spec.openMap.b.c", ' +
        'unknown field "spec.plain[0].d", unknown field "spec.titled.a"',
    ]);
    const { status, message } = await post(PATH, wrong);
    expect(status).toBe(422);
    expect(message).toContain('spec.titled: Invalid value: "object": spec.titled in body must be of type string');
  });

  it('are reported in an object within a map, which keeps its other members', async () => {
    const { value } = await post(PATH, thing('any', { anyMembers: { a: 1, b: { c: 1 }, d: [{ e: 1 }, 2] } }));
    expect(value.spec.anyMembers).toEqual({ a: 1, b: {}, d: [{}, 2] });
  });
});
