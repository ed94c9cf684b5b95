import { describe, expect, it } from 'vitest';
import { parseFieldsV1 } from '../../src/fields/managed-fields.js';
import { withNamedParents } from '../../src/fields/merge/prune.js';
import {
  comparePathElements,
  fieldElement,
  formatPath,
  indexElement,
  keyElement,
  parsePathElement,
  valueElement,
} from '../../src/fields/paths/path-element.js';
import {
  difference,
  equals,
  has,
  intersection,
  leaves,
  pathSet,
  pathsOf,
  recursiveDifference,
  union,
} from '../../src/fields/paths/path-set.js';
import { compareValues } from '../../src/json/order.js';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { readSmdSchema } from './smd-schema.js';

const tables = readShared('data/smd/fieldpath-cases.json')?.tables ?? {};
const casesOf = (table: string) => tables[table]?.[0]?.cases ?? [];
const setOf = ({ fieldsV1 }: { fieldsV1: JsonValue }) => parseFieldsV1(fieldsV1);

type Call = { $call: string; args: (JsonValue | Call)[] };
function plain(value: JsonValue | Call): JsonValue {
  return typeof value === 'object' && value !== null && '$call' in value
    ? plain((value as Call).args[0] ?? null)
    : (value as JsonValue);
}
/** Returns a path element that the data creates by a function call. */
function elementOf({ $call, args }: Call): string {
  const values = args.map(plain);
  switch ($call) {
    case 'FieldNameElement':
      return fieldElement(String(values[0]));
    case 'ValueElement':
      return valueElement(values[0] ?? null);
    case 'IndexElement':
      return indexElement(Number(values[0]));
    case 'KeyElementByFields': {
      const keys: Record<string, JsonValue> = {};
      for (let i = 0; i < values.length; i += 2) keys[String(values[i])] = values[i + 1] ?? null;
      return keyElement(keys);
    }
    case 'KeyElement': {
      const fields = values as { Name: string; Value: JsonValue }[];
      return keyElement(Object.fromEntries(fields.map(({ Name, Value }) => [Name, Value ?? null])));
    }
    default:
      throw new Error($call);
  }
}

describe.skipIf(!hasSharedData)('upstream tables of paths', () => {
  describe('order of path elements', () => {
    for (const { name, a, b, eq } of casesOf('element_test:TestPathElementLess')) {
      if (name === 'FieldName-0') continue; // elements that are nothing: there are none here
      it(name, () => {
        const order = comparePathElements(elementOf(a), elementOf(b));
        const reverse = comparePathElements(elementOf(b), elementOf(a));
        if (eq) expect([order, reverse]).toEqual([0, 0]);
        else expect([order < 0, reverse > 0]).toEqual([true, true]);
      });
    }
  });

  describe('order of values', () => {
    for (const { name, a, b, eq } of readShared('data/smd/value-cases.json')?.tables['less_test:TestValueLess'][0]
      .cases ?? []) {
      if (name.startsWith('Invalid')) continue; // values that are nothing: there are none in JSON
      it(name, () => {
        if (eq) expect(compareValues(a, b)).toBe(0);
        else expect([compareValues(a, b) < 0, compareValues(b, a) > 0]).toEqual([true, true]);
      });
    }
  });

  describe('paths in messages', () => {
    for (const { name, fp, expect: text } of casesOf('path_test:TestPathString')) {
      it(name, () => expect(formatPath(fp)).toBe(text));
    }
  });

  describe('texts of path elements', () => {
    for (const { stringValue, pathElement } of casesOf('serialize-pe_test:TestPathElementRoundTrip')) {
      it(`reads ${stringValue} and writes it again`, () => {
        expect(parsePathElement(stringValue)).toBe(stringValue);
        if (pathElement?.$call) expect(elementOf(pathElement)).toBe(stringValue);
      });
    }
    for (const text of casesOf('serialize-pe_test:TestDeserializePathElementError')) {
      it(`refuses ${JSON.stringify(text)}`, () => expect(() => parsePathElement(text)).toThrow(SyntaxError));
    }
    for (const { stringValue, pathElement } of casesOf('serialize-pe_test:TestDeserializePathElementSuccess')) {
      it(`reads ${stringValue}`, () => expect(parsePathElement(stringValue)).toBe(elementOf(pathElement)));
    }
  });

  describe('FieldsV1', () => {
    for (const text of casesOf('serialize_test:TestSerializeV1GoldenData')) {
      it(`keeps ${text.slice(0, 60)}`, () => {
        const record: JsonObject = JSON.parse(text);
        expect(parseFieldsV1(record)).toBe(record);
        expect(JSON.stringify(pathSet(...pathsOf(record as never)))).toBe(text);
      });
    }
    for (const { nonNormalizedString, normalizedString } of casesOf(
      'serialize_test:TestDeserializeForValidNonNormalized',
    )) {
      it(`brings ${nonNormalizedString.slice(0, 60)} into order`, () => {
        expect(JSON.stringify(parseFieldsV1(JSON.parse(nonNormalizedString)))).toBe(normalizedString);
      });
    }
    for (const { name, input } of casesOf('serialize_test:TestSetFromJSON')) {
      it(`reads ${name}`, () => expect(() => parseFieldsV1(JSON.parse(input))).not.toThrow());
    }
    for (const { name, input } of casesOf('serialize_test:TestSetFromJSONTokenTypeErrors')) {
      it(`refuses ${name}`, () => expect(() => parseFieldsV1(JSON.parse(input))).toThrow(SyntaxError));
    }
  });

  describe('sets', () => {
    for (const [i, c] of casesOf('set_test:TestSetInsertHas').entries()) {
      it(`has ${i}`, () => expect(has(setOf(c.set), c.check)).toBe(c.expectMembership));
    }
    for (const [i, c] of casesOf('set_test:TestSetEquals').entries()) {
      it(`equals ${i}`, () => expect(equals(setOf(c.a), setOf(c.b))).toBe(c.equal));
    }
    for (const c of casesOf('set_test:TestSetLeaves')) {
      it(`leaves: ${c.name}`, () => expect(leaves(setOf(c.input))).toEqual(setOf(c.expected)));
    }
    for (const c of casesOf('set_test:TestSetDifference')) {
      it(`difference: ${c.name}`, () => {
        expect(difference(setOf(c.a), setOf(c.b))).toEqual(setOf(c.expectDifference));
        expect(recursiveDifference(setOf(c.a), setOf(c.b))).toEqual(setOf(c.expectRecursiveDifference));
      });
    }
    for (const [i, c] of casesOf('set_test:TestEnsureNamedFieldsAreMembers').entries()) {
      it(`named parents ${i}`, () => {
        const schema = readSmdSchema(c.schemaFn.$fnbody[0].v.args[0])('type');
        expect(withNamedParents(schema, setOf(c.expectedBefore))).toEqual(setOf(c.expectedAfter));
      });
    }
    it.skip('TestFilterByPattern: patterns of reset fields are later than the release that this follows', () => {});
    it.skip('TestFromValue: sets of values without a schema by guessed keys; nothing uses them', () => {});
    it.skip('TestManagersEquals, TestManagersDifference: of a helper of the data itself', () => {});
  });

  it('shares the parts that an operation does not change', () => {
    const a = setOf({ fieldsV1: { 'f:a': { 'f:b': {}, 'f:c': {} }, 'f:d': { 'f:e': {} } } });
    const b = setOf({ fieldsV1: { 'f:a': { 'f:b': {} } } });
    const other = setOf({ fieldsV1: { 'f:z': {} } });
    expect(union(a, b)).toBe(a);
    expect(difference(a, other)).toBe(a);
    expect(recursiveDifference(a, other)).toBe(a);
    expect(difference(a, b)['f:d']).toBe(a['f:d']);
    expect(intersection(a, a)).toBe(a);
  });
});
