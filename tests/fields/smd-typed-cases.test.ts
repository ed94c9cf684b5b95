import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseFieldsV1 } from '../../src/fields/managed-fields.js';
import { reconcile } from '../../src/fields/merge/update.js';
import { EMPTY } from '../../src/fields/paths/path-set.js';
import { compare, excludeFields } from '../../src/fields/typed/compare.js';
import { merge } from '../../src/fields/typed/merge.js';
import { removeItems } from '../../src/fields/typed/remove-items.js';
import { toFieldSet } from '../../src/fields/typed/to-field-set.js';
import { findProblems } from '../../src/fields/typed/validate-applied.js';
import type { JsonValue } from '../../src/json/value.js';
import type { ListSchema, ObjectSchema, Schema } from '../../src/schema/schema.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { deduced, readSmdSchema } from './smd-schema.js';

interface SetInData {
  fieldsV1: JsonValue;
}

const tables = readShared('data/smd/typed-cases.json')?.tables ?? {};
const casesOf = (table: string) => tables[table]?.[0]?.cases ?? [];
const setOf = (set: SetInData) => parseFieldsV1(set.fieldsV1);
// '' means null in the data, and some of its rows have an additional brace.
const readValue = (text: JsonValue): JsonValue =>
  typeof text === 'string'
    ? (parse(text.replace(/^(\{"a":[^{}]*|\{"a":\{[^{}]*\}|\{"a":\{"b":\{\}\})\}\}$/, '$1}')) ?? null)
    : text;
const schemaOf = (c: { schema: string; rootTypeName: string }): Schema => readSmdSchema(c.schema)(c.rootTypeName);

/** Rows that are skipped, with the reason. */
function reasonToSkip(schemaName: string, row: object): string | undefined {
  if ('removeOutput' in row && row.removeOutput === 'unparseable')
    return 'an item loses its keys, which no owner can ask for';
  if (schemaName === 'untyped separable')
    return 'schemas cannot say that a value is a set where it happens to be a list';
  return undefined;
}

function eachRow<T extends object>(table: string, rows: string, run: (schema: Schema, row: T) => void): void {
  for (const c of casesOf(table)) {
    for (const [i, row] of (c[rows] ?? []).entries()) {
      const id = `${c.name} ${i}: ${JSON.stringify(row).slice(0, 160)}`;
      const reason = reasonToSkip(c.name, row);
      it.skipIf(reason !== undefined)(reason === undefined ? id : `${id} (${reason})`, () => run(schemaOf(c), row));
    }
  }
}

describe.skipIf(!hasSharedData)('upstream tables of typed values', () => {
  describe('validation', () => {
    for (const c of casesOf('validate_test:validationCases')) {
      const schema = hasSharedData ? schemaOf(c) : deduced;
      for (const text of c.validObjects) {
        // This behaviour is later than the release that this project follows (4.4.1), which refuses an item without one of its keys.
        if (text.startsWith('{"list":[{"key":"x","value"')) continue;
        it(`${c.name}: ${text} is valid`, () => expect(findProblems(schema, readValue(text))).toEqual([]));
      }
      for (const text of c.invalidObjects) {
        it(`${c.name}: ${text} is not`, () => {
          expect(findProblems(schema, readValue(text))).not.toEqual([]);
          expect(findProblems(schema, readValue(text), { allowDuplicates: true })).not.toEqual([]);
        });
      }
      for (const text of c.duplicatesObjects ?? []) {
        it(`${c.name}: ${text} has duplicates`, () => {
          expect(findProblems(schema, readValue(text))).not.toEqual([]);
          expect(findProblems(schema, readValue(text), { allowDuplicates: true })).toEqual([]);
        });
      }
    }
    for (const text of casesOf('deduced_test:TestValidateDeducedType')) {
      it(`without a schema: ${text}`, () => expect(findProblems(deduced, readValue(text))).toEqual([]));
    }
  });

  type Merge = { lhs: string; rhs: string; out: JsonValue };
  const testMerge = (schema: Schema, { lhs, rhs, out }: Merge) => {
    const live = readValue(lhs);
    const merged = merge(schema, live, readValue(rhs));
    expect(merged).toEqual(readValue(out));
    expect(merge(schema, merged, readValue(rhs))).toEqual(merged);
  };
  describe('merge', () => {
    eachRow<Merge>('merge_test:mergeCases', 'triplets', testMerge);
    for (const row of casesOf('deduced_test:TestMergeDeduced')) {
      it(`without a schema: ${JSON.stringify(row)}`, () => testMerge(deduced, row));
    }
  });

  type Diff = { lhs: string; rhs: string; removed: SetInData; modified: SetInData; added: SetInData };
  const testCompare = (schema: Schema, { lhs, rhs, removed, modified, added }: Diff) => {
    expect(compare(schema, readValue(lhs), readValue(rhs))).toEqual({
      removed: setOf(removed),
      modified: setOf(modified),
      added: setOf(added),
    });
  };
  describe('compare', () => {
    eachRow<Diff>('symdiff_test:symdiffCases', 'quints', testCompare);
    for (const row of casesOf('deduced_test:TestSymdiffDeduced')) {
      it(`without a schema: ${row.lhs} to ${row.rhs}`, () => testCompare(deduced, row));
    }
  });

  type ToSet = { object: string; set: SetInData };
  const testToSet = (schema: Schema, { object, set }: ToSet) =>
    expect(toFieldSet(schema, readValue(object))).toEqual(setOf(set));
  describe('field sets', () => {
    eachRow<ToSet>('toset_test:fieldsetCases', 'pairs', testToSet);
    for (const row of casesOf('deduced_test:TestToSetDeduced')) {
      it(`without a schema: ${row.object}`, () => testToSet(deduced, row));
    }
  });

  describe('removing', () => {
    type Remove = { object: string; set: SetInData; removeOutput: JsonValue };
    eachRow<Remove>('remove_test:removeCases', 'quadruplets', (schema, { object, set, removeOutput }) => {
      const value = readValue(object);
      const rest = removeItems(schema, value, setOf(set));
      expect(rest).toEqual(readValue(removeOutput));
      if (JSON.stringify(rest) === JSON.stringify(value)) expect(rest).toBe(value);
    });
    it.skip('extractOutput, reversibleExtractCases, extractWithKeysCases: clients extract, the server does not', () => {});
  });

  describe('schemas that changed', () => {
    for (const c of casesOf('reconcile_schema_test:reconcileCases')) {
      it(c.name, () => {
        const before = setOf(c.oldFields);
        const after = reconcile(c.name === 'deduced' ? deduced : schemaChangedTo(c), before);
        if (c.fixedFields === null) expect(after).toBe(before);
        else expect(after).toEqual(setOf(c.fixedFields));
      });
    }
  });

  describe('comparisons without some fields', () => {
    for (const c of casesOf('comparison_test:TestComparisonExcludeFields')) {
      it(c.name, () => {
        const sets = (x: { Added: SetInData; Modified: SetInData; Removed: SetInData }) => ({
          added: setOf(x.Added),
          modified: setOf(x.Modified),
          removed: setOf(x.Removed),
        });
        const without = c.Remove === null ? EMPTY : setOf(c.Remove);
        expect(excludeFields(sets(c.Comparison), without)).toEqual(sets(c.Expect));
      });
    }
  });
});

// The data refers to the schemas of this table only by the functions that create them.
function schemaChangedTo(c: { newSchema: { $call: string }; rootTypeName: string }): Schema {
  const atomic = c.newSchema.$call === 'atomicSchema';
  const struct = (fields: Record<string, Schema>, more: Partial<ObjectSchema> = {}): ObjectSchema => ({
    type: 'object',
    properties: new Map(Object.entries(fields).map(([name, schema]) => [name, { schema }])),
    ...more,
  });
  const mapType = atomic ? 'atomic' : 'granular';
  const list = (items: Schema, more: Partial<ListSchema>): Schema =>
    atomic ? { type: 'list', items } : { type: 'list', items, ...more };
  const numeric = struct({ numeric: { type: 'number' }, string: { type: 'string' } });
  if (c.rootTypeName === 'emptyWithPreserveUnknown')
    return struct({ preserveField: struct({}, { preserveUnknown: true }) });
  if (c.rootTypeName === 'populatedWithPreserveUnknown') {
    const field = struct({ list: list({ type: 'string' }, { listType: 'set' }) }, { preserveUnknown: true });
    return struct({ preserveField: field });
  }
  return struct({
    struct: { ...numeric, mapType },
    list: list({ type: 'string' }, { listType: 'set' }),
    objectList: list(struct({ keyA: { type: 'string' }, keyB: { type: 'string' }, value: { type: 'string' } }), {
      listType: 'map',
      mapKeys: ['keyA', 'keyB'],
    }),
    stringMap: { type: 'map', values: { type: 'string' }, mapType },
    unchanged: numeric,
  });
}
