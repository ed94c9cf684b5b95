import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.js';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from '../../src/patch/strategic-merge-patch.js';
import type { Schema } from '../../src/schema/schema.js';
import { cpuTime } from '../support/cpu-time.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { frozen } from './frozen.js';
import { schemaOfTable, schemas, type TableSchema } from './strategic-schema.js';

interface TableCase {
  readonly group: string;
  readonly description: string;
  readonly original?: JsonObject;
  readonly modified?: JsonObject;
  readonly current?: JsonObject;
  readonly twoWay?: JsonObject;
  readonly twoWayResult?: JsonObject;
  readonly threeWay?: JsonObject;
  readonly result?: JsonObject;
  readonly expectedError?: string;
}
interface Converted {
  readonly Old?: JsonObject;
  readonly ExpectedPatch?: JsonObject;
  readonly ExpectedResult?: JsonObject;
}
interface Unknown {
  readonly Original?: JsonObject;
  readonly ExpectedTwoWay?: JsonObject;
  readonly ExpectedTwoWayResult?: JsonObject;
}
const table = readShared<{
  readonly schema: TableSchema;
  readonly cases: readonly TableCase[];
  readonly numberConversion: Readonly<Record<string, Converted>>;
  readonly unknownField: Readonly<Record<string, Unknown>>;
}>('data/patch/strategic-merge-patch.json', { schema: {}, cases: [], numberConversion: {}, unknownField: {} });
const mergeItem = schemaOfTable(table.schema, 'mergeItem');
const precisionItem = schemaOfTable(table.schema, 'precisionItem');

const patched = (current: JsonObject, patch: JsonValue, schema: Schema) =>
  applyStrategicMergePatch(frozen(current), frozen(decodeStrategicMergePatch(patch)), schema);

/** Some groups do not define the order of merged lists. */
function sorted(value: JsonValue, schema: Schema): JsonValue {
  if (!isJsonObject(value) || schema.type !== 'object') return value;
  const entries = Object.entries(value).map(([name, member = null]): readonly [string, JsonValue] => {
    const property = schema.properties.get(name);
    if (property?.schema.type !== 'list' || !Array.isArray(member)) {
      return [name, property === undefined ? member : sorted(member, property.schema)];
    }
    const { items } = property.schema;
    const key = property.patchMergeKey ?? '';
    const texts = (item: JsonValue) => String(isJsonObject(item) ? item[key] : item);
    const list = member.map((item: JsonValue) => (property.patchStrategy === undefined ? item : sorted(item, items)));
    return [
      name,
      property.patchStrategy?.includes('merge') ? list.sort((a, b) => (texts(a) < texts(b) ? -1 : 1)) : list,
    ];
  });
  return Object.fromEntries(entries);
}

describe.skipIf(!hasSharedData)(`upstream's table (needs ../shared)`, () => {
  for (const each of table.cases) {
    const { group, description, original = {}, modified, current = {}, twoWay, threeWay, result } = each;
    // The test sorts lists for comparison, which a server does not do.
    if (group === 'sortMergeListTestCaseData') continue;
    const openOrder = /^(custom|create)Strategic.*TestCaseData$/.test(group);
    const same = (actual: JsonValue, wanted: JsonValue) =>
      openOrder ? expect(sorted(actual, mergeItem)).toEqual(sorted(wanted, mergeItem)) : expect(actual).toEqual(wanted);
    it(`${description} (${group})`, () => {
      if (each.expectedError !== undefined) {
        expect(() => patched(original, twoWay ?? {}, mergeItem)).toThrow(each.expectedError);
        return;
      }
      same(patched(original, twoWay ?? {}, mergeItem), each.twoWayResult ?? modified ?? {});
      if (threeWay !== undefined && result !== undefined) same(patched(current, threeWay, mergeItem), result);
    });
  }
  for (const [name, { Old, ExpectedPatch, ExpectedResult }] of Object.entries(table.numberConversion)) {
    if (Old === undefined || ExpectedPatch === undefined || ExpectedResult === undefined) continue;
    it(`numbers: ${name}`, () => expect(patched(Old, ExpectedPatch, precisionItem)).toEqual(ExpectedResult));
  }
  for (const [name, { Original, ExpectedTwoWay, ExpectedTwoWayResult }] of Object.entries(table.unknownField)) {
    if (Original === undefined || ExpectedTwoWay === undefined || ExpectedTwoWayResult === undefined) continue;
    it(`unknown fields: ${name}`, () =>
      expect(patched(Original, ExpectedTwoWay, precisionItem)).toEqual(ExpectedTwoWayResult));
  }
});

const { Pod, ServiceAccount } = schemas;
const pod = frozen({
  metadata: { name: 'p', labels: { a: '1' }, finalizers: ['x', 'y'] },
  spec: {
    containers: [
      { name: 'a', image: 'one', env: [{ name: 'E', value: '1' }] },
      { name: 'b', image: 'two' },
    ],
    tolerations: [{ key: 'k' }],
    overhead: { cpu: {} },
    raw: { a: { b: 1 }, n: 1 },
    strategy: { type: 'Rolling', rolling: { max: '1' } },
  },
});

describe('directives', () => {
  it.each<readonly [string, JsonObject, JsonObject]>([
    ['replace an object', { strategy: { $patch: 'replace', type: 'All' } }, { strategy: { type: 'All' } }],
    ['delete the members of an object', { strategy: { $patch: 'delete' } }, { strategy: {} }],
    ['retain keys', { strategy: { $retainKeys: ['type'], type: 'All' } }, { strategy: { type: 'All' } }],
    ['leave a list without a strategy to be replaced', { tolerations: [] }, { tolerations: [] }],
    [
      'have no effect without a target',
      { other: { $patch: 'delete' }, more: [{ $patch: 'delete' }, 1] },
      { more: [1] },
    ],
    [
      'remove nulls from a new object, but not from its lists',
      { other: { a: null, b: [{ c: null }, null] } },
      { other: { b: [{}, null] } },
    ],
  ])('%s', (_, spec, expected) => {
    expect(patched(pod, { spec }, Pod)).toEqual({ ...pod, spec: { ...pod.spec, ...expected } });
  });
  it.each<readonly [string, JsonObject, number, string]>([
    [
      'refuse an unknown directive',
      { $patch: 'erase', n: 1.5 },
      500,
      'unknown patch type: erase in map: map[$patch:erase n:1.5]',
    ],
    [
      'refuse a directive that is not a string',
      { $patch: 1e6 },
      500,
      'unknown patch type: %!s(int64=1000000) in map: map[$patch:1000000]',
    ],
    ['refuse a null directive', { $patch: null }, 500, 'unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]'],
    ['refuse retained keys that are not a list', { $retainKeys: 1 }, 400, 'invalid patch format of retainKeys'],
    ['refuse keys that are not retained', { $retainKeys: [], a: 1 }, 400, 'invalid patch format of retainKeys'],
    [
      'refuse a deletion without the name of a list',
      { $deleteFromPrimitiveList: [] },
      400,
      'invalid patch format of primitive list',
    ],
    [
      'refuse an order without the name of a list',
      { $setElementOrder: [] },
      400,
      'invalid patch format of setElementOrder list',
    ],
    [
      'refuse an order that is not a list',
      { '$setElementOrder/containers': 'x' },
      500,
      'expected a []interface {}, but received a string',
    ],
    [
      'refuse an order that is null',
      { '$setElementOrder/containers': null },
      500,
      'expected a []interface {}, but received a %!s(<nil>)',
    ],
    [
      'refuse an order of strings for a list of objects',
      { '$setElementOrder/containers': ['a'] },
      500,
      'expected a map[string]interface {}, but received a string',
    ],
    [
      'refuse an order for a field that is not a list',
      { '$setElementOrder/strategy': [] },
      500,
      'expected a []interface {}, but received a map[string]interface {}',
    ],
    [
      'refuse an order for an unknown field',
      { '$setElementOrder/none': [] },
      500,
      'unable to find api field in struct Object for the json field "none"',
    ],
    [
      'refuse an object in a map of strings',
      { overhead: { cpu: { x: 1 } } },
      500,
      'merging an object in json but data type is not struct, instead is: map',
    ],
    [
      'refuse an object in raw JSON',
      { raw: { a: { b: 2 } } },
      500,
      'unable to find api field in struct RawExtension for the json field "a"',
    ],
    [
      'refuse a string in a list of objects',
      { containers: ['x'] },
      500,
      `list element types are not identical: [[map[env:[map[name:E value:1]] image:one name:a] map[image:two name:b]] [x]]`,
    ],
    [
      'refuse null in a list of objects',
      { containers: [null] },
      500,
      `list element types are not identical: [[map[env:[map[name:E value:1]] image:one name:a] map[image:two name:b]] [<nil>]]`,
    ],
  ])('%s', (_, spec, code, message) => {
    expect(() => patched(pod, { spec }, Pod)).toThrow(expect.objectContaining({ code, message }));
  });
  it('refuses lists of lists', () => {
    expect(() => patched({ secrets: [] }, { secrets: [[]] }, ServiceAccount)).toThrow(
      expect.objectContaining({ code: 422, message: 'the server rejected our request due to an error in our request' }),
    );
  });
  it.each([
    [[], 'array'],
    ['x', 'string'],
    [1, 'number'],
    [false, 'bool'],
  ])('refuses the patch %j', (document, type) => {
    expect(() => decodeStrategicMergePatch(document)).toThrow(
      expect.objectContaining({
        code: 400,
        message: `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
      }),
    );
  });
});

describe('the deletion of values from a member that is not a list', () => {
  const object = frozen({ metadata: { name: 'a', labels: { a: '1', b: '2' } } });
  it.each<[JsonObject, JsonObject]>([
    [{ '$deleteFromPrimitiveList/labels': { a: null, c: '3' } }, { name: 'a', labels: { b: '2', c: '3' } }],
    [{ '$deleteFromPrimitiveList/name': 'b' }, { name: 'b', labels: { a: '1', b: '2' } }],
    [{ '$deleteFromPrimitiveList/labels': ['a'] }, { name: 'a', labels: { a: '1', b: '2' } }],
    [{ '$deleteFromPrimitiveList/name': 1 }, { name: 'a', labels: { a: '1', b: '2' } }],
  ])('merges a value of the same type: %j', (patch, metadata) => {
    expect(patched(object, { metadata: patch }, Pod)).toEqual({ metadata });
  });
});

describe('sharing', () => {
  it('keeps the values that the patch does not mention', () => {
    const next = patched(pod, { spec: { containers: [{ name: 'b', image: 'three' }] } }, Pod) as typeof pod;
    expect(next.metadata).toBe(pod.metadata);
    expect(next.spec.tolerations).toBe(pod.spec.tolerations);
    expect(next.spec.containers[0]).toBe(pod.spec.containers[0]);
    expect(next.spec.containers[1]).toEqual({ name: 'b', image: 'three' });
  });
  it.each<JsonObject>([
    {},
    { spec: { containers: [{ name: 'a', image: 'one' }] } },
    {
      spec: { '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }], containers: [{ name: 'b', none: null }] },
    },
    { spec: { containers: [{ name: 'none', $patch: 'delete' }], tolerations: [{ key: 'k' }] } },
    { metadata: { finalizers: ['x'], '$deleteFromPrimitiveList/finalizers': ['z'], labels: { a: '1' } } },
    { spec: { strategy: { $patch: 'replace', rolling: { max: '1' }, type: 'Rolling' } } },
  ])('returns the same object if nothing changes: %j', (patch) => {
    expect(patched(pod, patch, Pod)).toBe(pod);
  });
});

describe('hostile patches', () => {
  it('treats __proto__ and constructor as data', () => {
    const patch = JSON.parse(
      '{"metadata":{"labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"p":1}}',
    ) as JsonValue;
    const next = patched({ metadata: { labels: {} } }, patch, ServiceAccount);
    expect(JSON.stringify(next)).toBe(
      '{"metadata":{"labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"p":1}}',
    );
    expect(Object.getPrototypeOf(next)).toBe(Object.prototype);
    expect(() => patched({ secrets: [{ name: 'a' }] }, { secrets: [{ constructor: 'a' }] }, ServiceAccount)).toThrow(
      'map: map[constructor:a] does not contain declared merge key: name',
    );
  });
  it('merges long lists quickly', () => {
    const list = (offset: number) => Array.from({ length: 20_000 }, (_, i) => ({ name: `s${i + offset}` }));
    const started = cpuTime();
    const next = patched({ secrets: list(0) }, { secrets: list(10_000) }, ServiceAccount);
    expect(next['secrets']).toHaveLength(30_000);
    expect(cpuTime() - started).toBeLessThan(7_500);
  });
  it('refuses a patch that is nested too deeply', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as JsonObject;
    expect(() => applyStrategicMergePatch(deep, deep, ServiceAccount)).toThrow(
      expect.objectContaining({ code: 400, message: 'exceeded max depth' }),
    );
  });
});
