import { expect, it } from 'vitest';
import { formatFieldError } from '../../src/meta/field-error.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { prepareSchema, validateStructural } from '../../src/schema/structural.js';

/* Which errors upstream reports for one value, and in which order. */

async function problems(schema: object, value: unknown): Promise<string[]> {
  const read = openApiToSchema(schema);
  await prepareSchema(read);
  return validateStructural(read, value, 'x').map(formatFieldError);
}

const date = { type: 'string', format: 'date-time' };

it('names the format for a value of a wrong type', async () => {
  expect(await problems(date, 5)).toEqual(['x: Invalid value: "int64": x in body must be of type date-time: "int64"']);
  expect(await problems(date, 1.5)).toEqual([
    'x: Invalid value: "float64": x in body must be of type date-time: "float64"',
  ]);
  expect(await problems(date, { a: 1 })).toEqual(['x: Invalid value: "": x in body must be of type date-time: ""']);
  expect(await problems(date, null)).toEqual(['x: Invalid value: "null": x in body must be of type string: "null"']);
  expect(await problems(date, ['a'])).toEqual([]);
  expect(await problems({ type: 'integer', format: 'int32' }, 'a')).toEqual([
    'x: Invalid value: "string": x in body must be of type integer: "string"',
  ]);
});

it('quotes a string of a wrong format', async () => {
  expect(await problems({ type: 'string', format: 'ipv4' }, '\u0001')).toEqual([
    'x: Invalid value: "\\x01": x in body must be of type ipv4: "\\x01"',
  ]);
});

it('compares integers with the integer part of a bound', async () => {
  expect(await problems({ type: 'number', minimum: 0.5 }, 0)).toEqual([]);
  expect(await problems({ type: 'number', minimum: 0.5 }, 0.25)).toEqual([
    'x: Invalid value: 0.25: x in body should be greater than or equal to 0.5',
  ]);
  expect(await problems({ type: 'number', maximum: 1.5 }, 2)).toEqual([
    'x: Invalid value: 2: x in body should be less than or equal to 1',
  ]);
  expect(await problems({ type: 'number', maximum: 1_000_000 }, 1_000_000.5)).toEqual([
    'x: Invalid value: 1.0000005e+06: x in body should be less than or equal to 1e+06',
  ]);
});

it('refuses quotients just below an integer', async () => {
  expect(await problems({ type: 'number', multipleOf: 0.01 }, 0.57)).toEqual([
    'x: Invalid value: 0.57: x in body should be a multiple of 0.01',
  ]);
  expect(await problems({ type: 'number', multipleOf: 0.1 }, 0.3)).toEqual([]);
});

it('divides integers by the integer part of multipleOf', async () => {
  expect(await problems({ type: 'number', multipleOf: 1.5 }, 35)).toEqual([]);
  expect(await problems({ type: 'number', multipleOf: 2.5 }, 5)).toEqual([
    'x: Invalid value: 5: x in body should be a multiple of 2',
  ]);
  expect(await problems({ type: 'integer', multipleOf: 3 }, 2 ** 31)).toEqual([
    'x: Invalid value: 2147483648: x in body should be a multiple of 3',
  ]);
  expect(await problems({ type: 'number', multipleOf: 2.5 }, 6.5)).toHaveLength(1);
  expect(await problems({ type: 'number', multipleOf: 1 }, 1e20)).toHaveLength(1);
});

it('requires names that are not declared as properties', async () => {
  const missing = (path: string) => [`${path}: Required value`];
  const struct = { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] };
  expect(await problems(struct, { a: 'x' })).toEqual(missing('x.b'));
  const map = { type: 'object', additionalProperties: { type: 'string' }, required: ['b'] };
  expect(await problems(map, { a: 'x' })).toEqual(missing('x.b'));
  expect(await problems(map, { b: 'x' })).toEqual([]);
});

it('refuses null if values are enumerated, even if null is one of them', async () => {
  expect(await problems({ type: 'string', nullable: true, enum: ['a'] }, null)).toEqual([
    'x: Unsupported value: "null": supported values: "a"',
  ]);
  expect(await problems({ type: 'string', nullable: true, enum: ['a', null] }, null)).toEqual([
    'x: Unsupported value: "null": supported values: "a", "null"',
  ]);
});

it('reports items before sizes, and missing properties last', async () => {
  const list = { type: 'array', maxItems: 1, items: { type: 'integer' } };
  expect(await problems(list, [1, 'a'])).toEqual([
    'x[1]: Invalid value: "string": x[1] in body must be of type integer: "string"',
    'x: Too many: 2: must have at most 1 items',
  ]);
  const object = { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'string' } } };
  expect(await problems(object, { b: 1 })).toEqual([
    'x.b: Invalid value: "integer": x.b in body must be of type string: "integer"',
    'x.a: Required value',
  ]);
});

it('reports anyOf and oneOf first, and each message once', async () => {
  const schema = { type: 'integer', maximum: 5, allOf: [{ maximum: 5 }, { multipleOf: 2 }] };
  expect(await problems(schema, 8)).toEqual([
    'x: Invalid value: 8: x in body should be less than or equal to 5',
    '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)',
  ]);
});

it('reports the errors of the alternative that fits best', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'string' } },
    anyOf: [{ required: ['b'] }, { properties: { a: { minimum: 5 } } }],
  };
  expect(await problems(schema, { a: 3 })).toEqual([
    '<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)',
    'x.a: Invalid value: 3: x.a in body should be greater than or equal to 5',
  ]);
  expect(await problems(schema, {})).toEqual([]);
});
