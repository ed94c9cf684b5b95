import { escapeName, formatType, minSize, type SchemaType, schemaType, unescapeName } from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';

interface Escaping {
  readonly escaping: readonly { readonly unescaped: string; readonly escaped?: string }[];
  readonly unescapeMalformed: readonly string[];
  readonly canSkipRegex: readonly { readonly unescaped: string; readonly invalidCharFound?: boolean }[];
}

describe.skipIf(!hasSharedData)('names escaped as in upstream', () => {
  const rows: Escaping = readShared('data/k8s-cel/escaping.json', {
    escaping: [],
    unescapeMalformed: [],
    canSkipRegex: [],
  });
  it.each(rows.escaping)('$unescaped', ({ unescaped, escaped }) => {
    expect(escapeName(unescaped)).toBe(escaped);
    if (escaped !== undefined) expect(unescapeName(escaped)).toBe(unescaped);
  });
  it.each(rows.unescapeMalformed)('no name is escaped as %s', (name) => {
    expect(unescapeName(name)).toBeUndefined();
  });
  it.each(rows.canSkipRegex.filter((row) => row.invalidCharFound))('$unescaped cannot be accessed', ({ unescaped }) => {
    expect(escapeName(unescaped)).toBeUndefined();
  });
});

it('names of members that every JavaScript object has are ordinary names', () => {
  expect(unescapeName('__proto__')).toBeUndefined();
  expect(escapeName('__proto__')).toBe('__underscores__proto__underscores__');
});

const placeOf = (json: object, resource = false): SchemaType | undefined =>
  schemaType(openApiToSchema(json), { name: 'self', resource });
const typeOf = (json: object) => {
  const found = placeOf(json);
  return found && formatType(found.type);
};

describe('types of schemas', () => {
  it.each<[string, object, string | undefined]>([
    ['integer', { type: 'integer' }, 'int'],
    ['number', { type: 'number' }, 'double'],
    ['boolean', { type: 'boolean' }, 'bool'],
    ['string', { type: 'string' }, 'string'],
    ['bytes', { type: 'string', format: 'byte' }, 'bytes'],
    ['duration', { type: 'string', format: 'duration' }, 'duration'],
    ['date', { type: 'string', format: 'date' }, 'timestamp'],
    ['date-time', { type: 'string', format: 'date-time' }, 'timestamp'],
    ['int-or-string', { 'x-kubernetes-int-or-string': true }, 'dyn'],
    ['int-or-string of the other dialect', { 'x-orch-int-or-string': true }, 'dyn'],
    ['list', { type: 'array', items: { type: 'string' } }, 'list(string)'],
    ['map', { type: 'object', additionalProperties: { type: 'integer' } }, 'map(string, int)'],
    ['object', { type: 'object', properties: {} }, 'self'],
    ['list of objects', { type: 'array', items: { type: 'object' } }, 'list(self.@idx)'],
    ['schema without a type', { 'x-kubernetes-preserve-unknown-fields': true }, undefined],
    [
      'list of items without a type',
      { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } },
      undefined,
    ],
  ])('%s', (_name, json, expected) => {
    expect(typeOf(json)).toBe(expected);
  });

  it('has fields by their escaped names, and no inaccessible ones', () => {
    const place = placeOf({
      type: 'object',
      properties: {
        'a-b': { type: 'string' },
        if: { type: 'integer' },
        '1x': { type: 'string' },
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        constructor: { type: 'boolean' },
      },
    });
    const fields = place?.type.kind === 'object' ? place.type.fields : undefined;
    expect([...(fields?.names() ?? [])]).toEqual(['a__dash__b', '__if__', 'constructor']);
    expect(fields?.get('__if__')).toMatchObject({ property: 'if' });
    expect(fields?.get('toString')).toBeUndefined();
  });

  it('has the metadata of whole objects, at the root and embedded', () => {
    const fieldsOf = (place: SchemaType | undefined) => (place?.type.kind === 'object' ? place.type.fields : undefined);
    const root = placeOf({ type: 'object', properties: { spec: { type: 'object' } } }, true);
    expect([...(fieldsOf(root)?.names() ?? [])]).toEqual(['spec', 'kind', 'apiVersion', 'metadata']);
    expect([...(fieldsOf(root?.field('metadata'))?.names() ?? [])]).toEqual(['name', 'generateName']);
    const embedded = placeOf({
      type: 'object',
      properties: { pod: { type: 'object', 'x-kubernetes-embedded-resource': true } },
    });
    expect([...(fieldsOf(embedded?.field('pod'))?.names() ?? [])]).toEqual(['kind', 'apiVersion', 'metadata']);
  });
});

describe('sizes of schemas', () => {
  const object = {
    type: 'object',
    required: ['required', 'defaulted'],
    properties: {
      required: { type: 'string' },
      defaulted: { type: 'string', default: 'x' },
      optional: { type: 'string' },
    },
  };
  it.each<[string, object, number]>([
    ['integer', { type: 'integer' }, 1],
    ['boolean', { type: 'boolean' }, 4],
    ['string', { type: 'string' }, 2],
    ['string of unknown format', { type: 'string', format: 'constructor' }, 2],
    ['date', { type: 'string', format: 'date' }, 12],
    ['object', object, 16],
  ])('the minimum size of %s is %j', (_name, json, expected) => {
    expect(minSize(openApiToSchema(json))).toBe(expected);
  });
  it.each<[string, object, number]>([
    ['string', { type: 'string' }, 3_145_726],
    ['string with a length', { type: 'string', maxLength: 10 }, 40],
    ['negative length', { type: 'string', maxLength: -1 }, 0],
    ['enum', { type: 'string', enum: ['a', 'bcd', 'äöü'] }, 6],
    ['bytes with a length', { type: 'string', format: 'byte', maxLength: 10 }, 10],
    ['duration', { type: 'string', format: 'duration' }, 32],
    ['list of objects', { type: 'array', items: object }, 185_042],
    ['list with a bound', { type: 'array', maxItems: 7, items: object }, 7],
    ['map of strings', { type: 'object', additionalProperties: { type: 'string' } }, 393_215],
  ])('%s has at most so many elements', (_name, json, expected) => {
    expect(placeOf(json)?.maxElements).toBe(expected);
  });
});
