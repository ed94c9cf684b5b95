import { MAX_REQUEST_SIZE, schemaType } from 'orch-apiserver/cel';
import { checkRule } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';

/* Rows of upstream's tables of values with a schema, and of their sizes. */

const text = { type: 'string' };
const number = { type: 'integer' };
const KINDS = {
  'map list': {
    type: 'array',
    items: { type: 'object', properties: { key: text, val: number } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
  },
  'map list of two keys': {
    type: 'array',
    items: { type: 'object', properties: { key1: text, key2: text, val: number } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key1', 'key2'],
  },
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  list: { type: 'array', items: text },
  object: {
    type: 'object',
    properties: { field1: text, field2: text, none: { ...text, nullable: true } },
    'x-kubernetes-preserve-unknown-fields': true,
  },
  map: { type: 'object', additionalProperties: text },
} as const;
type Kind = keyof typeof KINDS;

const judge = (kind: Kind, rule: string, self: unknown, oldSelf: unknown) =>
  checkRule(KINDS[kind], rule, { self, oldSelf }).result;

const one = { key: 'a', val: 1 };
const two = { key: 'b', val: 2 };
const first = { key1: 'a1', key2: 'a2', val: 1 };
const second = { key1: 'b1', key2: 'b2', val: 2 };
const EQUAL: readonly (readonly [kind: Kind, left: unknown, right: unknown])[] = [
  ['map list', [one, two], [two, one]],
  ['map list of two keys', [first, second], [second, first]],
  ['set', ['a', 'b'], ['b', 'a']],
  ['list', ['a', 'b'], ['a', 'b']],
  ['object', {}, {}],
  ['object', { field1: 'a', field2: 'b' }, { field2: 'b', field1: 'a' }],
  ['map', { key1: 'a', key2: 'b' }, { key2: 'b', key1: 'a' }],
  ['object', { field1: 'a', other: { x: [1] } }, { field1: 'a', other: { x: [1] } }],
  // Members outside of the schema count if both values have them.
  ['object', { field1: 'a', other: 1 }, { field1: 'a', another: 1 }],
];
const UNEQUAL: readonly (readonly [kind: Kind, left: unknown, right: unknown])[] = [
  ['map list', [one, two], [one, { key: 'b', val: 3 }]],
  ['map list', [one, two], [one, two, { key: 'c', val: 3 }]],
  ['map list of two keys', [first, second], [first, { ...second, val: 3 }]],
  ['map list of two keys', [first, second], [first, { key1: 'c1', key2: 'c2', val: 3 }]],
  ['map list of two keys', [first], [first, { ...second, val: 3 }]],
  ['set', ['a', 'b'], ['a', 'c']],
  ['set', ['a', 'b'], ['a', 'b', 'c']],
  ['list', ['a', 'b'], ['b', 'a']],
  ['list', ['a', 'b'], ['a', 'c']],
  ['list', ['a', 'b'], ['a', 'b', 'c']],
  ['object', { field1: 'a', field2: 'b' }, { field1: 'a', field2: 'c' }],
  ['object', { field1: 'a', field2: 'b' }, { field1: 'a' }],
  ['map', { key1: 'a', key2: 'b' }, { key1: 'a', key2: 'c' }],
  ['map', { key1: 'a', key2: 'b' }, { key1: 'a', key2: 'b', key3: 'c' }],
  ['object', { field1: 'a', other: { x: [1] } }, { field1: 'a', other: { x: [2] } }],
  // null does not equal anything, including itself.
  ['object', { field1: 'a', none: null }, { field1: 'a', none: null }],
  ['object', { field1: 'a', none: null }, { field1: 'a', none: '' }],
];

describe('values with a schema', () => {
  it.each(EQUAL)('of one %s: %j == %j', (kind, left, right) => {
    expect(judge(kind, 'self == oldSelf', left, right)).toBe('valid');
    expect(judge(kind, 'self == oldSelf', right, left)).toBe('valid');
  });
  it.each(UNEQUAL)('of one %s: %j != %j', (kind, left, right) => {
    expect(judge(kind, 'self != oldSelf', left, right)).toBe('valid');
    expect(judge(kind, 'self != oldSelf', right, left)).toBe('valid');
  });

  it('map lists are joined by their keys', () => {
    const added = [
      { key: 'b', val: 3 },
      { key: 'c', val: 4 },
    ];
    const rule = '(self + oldSelf).map(x, [x.key, string(x.val)]) == [["a", "1"], ["b", "3"], ["c", "4"]]';
    expect(judge('map list', rule, [one, two], added)).toBe('valid');
    expect(judge('map list', 'self.size() == 2 && self[1] in self', [one, two], [])).toBe('valid');
    expect(judge('map list', '!(oldSelf[0] in self) && !(oldSelf[1] in self)', [one, two], added)).toBe('valid');
  });
  it('sets add missing elements, lists add all', () => {
    expect(judge('set', '(self + oldSelf).join() == "abc"', ['a', 'b'], ['b', 'c'])).toBe('valid');
    expect(judge('list', '(self + oldSelf).join() == "abbc"', ['a', 'b'], ['b', 'c'])).toBe('valid');
    expect(judge('set', '!("c" in self) && "b" in self', ['a', 'b'], [])).toBe('valid');
  });
  it('maps and objects have their keys', () => {
    expect(judge('map', 'self.size() == 2 && "key1" in self && !("key3" in self)', { key1: 'a', key2: 'b' }, {})).toBe(
      'valid',
    );
    expect(judge('map', 'self.all(k, self[k] == k)', { x: 'x', y: 'y' }, {})).toBe('valid');
    expect(
      judge('object', 'has(self.field1) && !has(self.none) && !has(oldSelf.field1)', { field1: '', none: null }, {}),
    ).toBe('valid');
  });
});

const items = (type: string, format?: string) => ({ type, ...(format === undefined ? {} : { format }) });
const array = (type: string, format?: string) => ({ type: 'array', items: items(type, format) });

describe('the maximum number of elements that a schema allows', () => {
  it.each<[name: string, schema: object, most: number]>([
    ['list of booleans', array('boolean'), 629145],
    ['list of durations', array('string', 'duration'), 786431],
    ['list of times', array('string', 'date-time'), 142987],
    ['list of dates', array('string', 'date'), 241978],
    ['list of numbers', array('integer'), 1572863],
    ['list of strings', array('string'), 1048575],
    ['map of strings', { type: 'object', additionalProperties: text }, 393215],
    [
      'list of objects with a required member',
      {
        type: 'array',
        items: { type: 'object', properties: { required: text, optional: text }, required: ['required'] },
      },
      185042,
    ],
    [
      'list of objects whose required member has a default',
      {
        type: 'array',
        items: { type: 'object', properties: { field: { ...text, default: 'default' } }, required: ['field'] },
      },
      1048575,
    ],
    ['list with a bound', { ...array('integer', 'int64'), maxItems: 10 }, 10],
    ['string with a bound', { ...text, maxLength: 20 }, 80],
    ['map with a bound', { type: 'object', additionalProperties: text, maxProperties: 15 }, 15],
    ['duration', items('string', 'duration'), 32],
    ['date', items('string', 'date'), 12],
    ['time', items('string', 'date-time'), 32],
    ['int-or-string', { 'x-kubernetes-int-or-string': true }, MAX_REQUEST_SIZE - 2],
    ['bytes', items('string', 'byte'), 3145726],
    ['bytes with a bound', { ...items('string', 'byte'), maxLength: 20 }, 20],
  ])('of a %s', (_name, schema, most) => {
    expect(schemaType(openApiToSchema(schema), { name: 'self', resource: false })?.maxElements).toBe(most);
  });
});
