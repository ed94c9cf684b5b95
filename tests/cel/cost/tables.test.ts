import {
  adaptDynamic,
  BOOL,
  type Bounds,
  BudgetExceeded,
  BYTES,
  check,
  compile,
  createEnvironment,
  DURATION,
  estimate,
  INT,
  listOf,
  mapOf,
  STANDARD_COSTS,
  STRING,
  standard,
  TIMESTAMP,
  type Type,
  type Value,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';
import { testObject } from '../checking.js';

/* Rows of cel-go's tables of costs, estimated and actual. */

const message = testObject('test.Message', () => ({ single_int32: INT }));
const messages = listOf(message);
const byName = mapOf(STRING, message);
const nested = mapOf(STRING, byName);
const texts = { str1: STRING, str2: STRING };
const flags = { a: BOOL, b: BOOL, c: BOOL, d: BOOL };
const choices = { x: INT, input1: messages, input2: messages };
const twoLists = { list1: listOf(INT), list2: listOf(INT) };
type Types = Readonly<Record<string, Type>>;

const environmentOf = (types: Types, presence = 0) =>
  createEnvironment({
    libraries: [standard],
    variables: Object.entries(types).map(([name, type]) => ({ name, type })),
    costs: { ...STANDARD_COSTS, presence },
  });

/** The maximum sizes of the variables and of their members. */
type Sizes = Readonly<Record<string, number>>;
type Estimated = readonly [source: string, wanted: number | Bounds, types?: Types, sizes?: Sizes];
const range = (min: number, max: number): Bounds => ({ min, max });

const ESTIMATES: readonly Estimated[] = [
  ['"Hello World!"', 0],
  ['input', 1, { input: listOf(INT) }],
  ["input['key']", 2, { input: mapOf(STRING, STRING) }],
  ['input.single_int32', 2, { input: message }],
  ['has(input.single_int32)', 1, { input: message }],
  ['has(input.testAttr.nestedAttr)', 2, { input: nested }],
  ['[1, 2, 3]', 10],
  ['{"a": 1, "b": 2, "c": 3}', 30],
  ['input.all(x, true)', range(2, 302), { input: messages }, { input: 100 }],
  ['input.all(x, x.all(y, true))', range(2, 1752), { input: listOf(messages) }, { input: 50, 'input.@items': 10 }],
  ['[1, 2, 3].all(x, true)', 20],
  ["input.matches('[0-9]')", range(3, 103), { input: STRING }, { input: 500 }],
  ["'123'.matches('[0-9]')", 2],
  ['true || false', 0],
  ['a || b || c || d', range(1, 4), flags],
  ['true && false', 0],
  ['a && b && c && d', range(1, 4), flags],
  ['1 < 2', 1],
  ['1 <= 2', 1],
  ['1 == 2', 1],
  ['2 > 1', 1],
  ['2 >= 1', 1],
  ['2 in [1, 2, 3]', 13],
  ['1 + 1', 1],
  ['1 - 1', 1],
  ['1 / 1', 1],
  ['1 * 1', 1],
  ['1 % 1', 1],
  ['true ? 1 : 2', 0],
  ['size("123")', 1],
  ['string(input)', range(1, 51), { input: BYTES }, { input: 500 }],
  ['string(input) == string(input)', range(3, 152), { input: BYTES }, { input: 500 }],
  ['bytes(input)', range(1, 51), { input: STRING }, { input: 500 }],
  ['bytes(input) == bytes(input)', range(3, 302), { input: STRING }, { input: 500 }],
  ['string(1)', 1],
  ['input.contains(arg1)', range(2, 2502), { input: STRING, arg1: STRING }, { input: 500, arg1: 500 }],
  ["input.matches('\\\\d+a\\\\d+b')", range(3, 103), { input: STRING }, { input: 500 }],
  ['input.startsWith(arg1)', range(2, 52), { input: STRING, arg1: STRING }, { arg1: 500 }],
  ['input.endsWith(arg1)', range(2, 52), { input: STRING, arg1: STRING }, { arg1: 500 }],
  ['input.size()', 2, { input: STRING }],
  ['size(input)', 2, { input: STRING }],
  ['(x > 2 ? input1 : input2).all(y, true)', range(4, 7), choices, { input1: 1, input2: 1 }],
  ['input.all(k, input[k].single_int32 > 3)', range(2, 82), { input: byName }, { input: 10 }],
  ['input.all(k, input[k].all(x, true))', range(2, 187), { input: nested }, { input: 5, 'input.@values': 10 }],
  ['input.all(k, k.contains(k))', range(2, 32), { input: nested }, { input: 5, 'input.@keys': 10 }],
  [
    'input.all(k, input[k].all(k, true) && k.contains(k))',
    range(2, 34),
    { input: nested },
    { input: 2, 'input.@values': 2, 'input.@keys': 5 },
  ],
  ['(list1 + list2).all(x, true)', range(4, 64), twoLists, { list1: 10, list2: 10 }],
  ['"abcdefg".contains(str1 + str2)', range(2, 6), texts, { str1: 10, str2: 10 }],
  ['list1.size() == list2.size()', 5, twoLists],
  ['x > y ? list1.size() : list2.size()', 5, { x: INT, y: INT, ...twoLists }],
  ['str1.endsWith("abcdefghijklmnopqrstuvwxyz") == str2.endsWith("abcdefghijklmnopqrstuvwxyz")', 9, texts],
  ['((5 != 6) == (1 == 2)) == ((3 <= 4) == (9 != 9))', 7],
  ['string(t1) == string(t2)', range(5, 2 ** 64 * 0.1), { t1: TIMESTAMP, t2: TIMESTAMP }],
  ['t1 == t2', 3, { t1: TIMESTAMP, t2: TIMESTAMP }],
  ['d1 != d2', 3, { d1: DURATION, d2: DURATION }],
];

function estimated([source, _wanted, types = {}, sizes = {}]: Estimated, presence: number): Bounds {
  const environment = environmentOf(types, presence);
  return estimate(environment, check(environment, environment.parse(source)), ({ path }) => {
    const max = path === undefined ? undefined : sizes[path.join('.')];
    return max === undefined ? undefined : range(0, max);
  });
}

describe('estimates', () => {
  it.each(ESTIMATES.map((row) => [row[0], row] as const))('of %s', (_source, row) => {
    const [, wanted] = row;
    expect(estimated(row, 0)).toEqual(typeof wanted === 'number' ? range(wanted, wanted) : wanted);
  });
  it('of has, if has has a cost', () => {
    expect(estimated(['has(input.single_int32)', 2, { input: message }], 1)).toEqual(range(2, 2));
    expect(estimated(['has(input.testAttr.nestedAttr)', 3, { input: nested }], 1)).toEqual(range(3, 3));
  });
});

const long = 'x'.repeat(500);
type Run = readonly [source: string, cost: number, types?: Types, values?: Readonly<Record<string, unknown>>];
const RUNS: readonly Run[] = [
  ['"Hello World!"', 0],
  ['input', 1, { input: listOf(INT) }, { input: [1, 2] }],
  ["input['key']", 2, { input: mapOf(STRING, STRING) }, { input: { key: 'v' } }],
  ['input[0]', 2, { input: listOf(STRING) }, { input: ['v'] }],
  ['input.single_int32', 2, { input: message }, { input: { single_int32: 0 } }],
  ["input['ke' + 'y']", 3, { input: mapOf(STRING, STRING) }, { input: { key: 'v' } }],
  ['input[3-3]', 3, { input: listOf(STRING) }, { input: ['v'] }],
  ['has(input.single_int32)', 1, { input: message }, { input: {} }],
  ['has(input.testAttr.nestedAttr)', 2, { input: nested }, { input: { testAttr: { nestedAttr: '0' } } }],
  ['[1, 2, 3]', 10],
  ['{"a": 1, "b": 2, "c": 3}', 30],
  ['input.all(x, true)', 2, { input: messages }, { input: [] }],
  ['input.all(x, x.all(y, true))', 2, { input: listOf(messages) }, { input: [] }],
  ['[1, 2, 3].all(x, true)', 20],
  ["input.matches('[0-9]')", 103, { input: STRING }, { input: long }],
  ["'123'.matches('[0-9]')", 2],
  ['false || false', 0],
  ['true || false', 0],
  ['a || b || c || d', 4, flags, { a: false, b: false, c: false, d: false }],
  ['true && false', 0],
  ['false && true', 0],
  ['a && b && c && d', 4, flags, { a: true, b: true, c: true, d: true }],
  ['1 < 2', 1],
  ['1 <= 2', 1],
  ['1 == 2', 1],
  ['2 > 1', 1],
  ['2 >= 1', 1],
  ['2 in [1, 2, 3]', 13],
  ['1 + 1', 1],
  ['1 - 1', 1],
  ['1 / 1', 1],
  ['1 * 1', 1],
  ['1 % 1', 1],
  ['true ? 1 : 2', 0],
  ['size("123")', 1],
  ["'12345678901234567890' == '123456789012345678901234567890'", 2],
  ['string(input)', 51, { input: BYTES }, { input: new TextEncoder().encode(long) }],
  ['bytes(input)', 51, { input: STRING }, { input: long }],
  ['string(1)', 1],
  ['input.contains(arg1)', 2502, { input: STRING, arg1: STRING }, { input: long, arg1: long }],
  ["input.matches('\\\\d+a\\\\d+b')", 103, { input: STRING }, { input: long }],
  ['input.startsWith(arg1)', 3, { input: STRING, arg1: STRING }, { input: 'idc', arg1: long }],
  ['input.endsWith(arg1)', 3, { input: STRING, arg1: STRING }, { input: 'idc', arg1: long }],
  ['input.size()', 2, { input: STRING }, { input: '500' }],
  ['size(input)', 2, { input: STRING }, { input: '500' }],
  ['(x > 2 ? input1 : input2).all(y, true)', 6, choices, { x: 1, input1: [{}], input2: [{}] }],
  ['true ? false : 1 > 3', 0],
  ['false ? false : 1 > 3', 1],
  ['input.all(k, input[k].single_int32 > 3)', 9, { input: byName }, { input: { val: { single_int32: 0 } } }],
  ['input.all(k, input[k].all(x, true))', 2, { input: nested }, { input: {} }],
  ['input.all(k, k.contains(k))', 2, { input: nested }, { input: {} }],
  ['input.all(k, input[k].all(k, true) && k.contains(k))', 2, { input: nested }, { input: {} }],
  ['(list1 + list2).all(x, true)', 4, twoLists, { list1: [], list2: [] }],
  ['"abcdefg".contains(str1 + str2)', 6, texts, { str1: 'val1', str2: 'val2222222' }],
  ['(1 > 2 ? 5 : 3) > 1', 2],
  ['(1 > 2 || 2 > 1) == true', 3],
  ["[{'k1': 1}, {'k2': 2}].all(x, true)", 77],
];

const valuesOf = (values: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(
    Object.entries(values).map(([name, one]) => [name, one instanceof Uint8Array ? one : (adaptDynamic(one) as Value)]),
  );

describe('costs', () => {
  it.each(RUNS.map((row) => [row[0], row] as const))('of %s', (source, [, cost, types = {}, values = {}]) => {
    const environment = environmentOf(types);
    const checked = check(environment, environment.parse(source));
    expect(compile(environment, checked).evaluate(valuesOf(values)).cost).toBe(cost);
    const { min, max } = estimate(environment, checked);
    expect(min).toBeLessThanOrEqual(cost);
    expect(max).toBeGreaterThanOrEqual(cost);
  });

  it('stop an evaluation above the limit, not at it', () => {
    const environment = environmentOf(texts);
    const source = '"abcdefg".contains(str1 + str2)';
    const program = compile(environment, check(environment, environment.parse(source)));
    const run = (limit: number) =>
      program.evaluate({ str1: 'val1', str2: 'val2222222' }, { remaining: 1000 }, limit).cost;
    expect(run(6)).toBe(6);
    expect(() => run(5)).toThrow(BudgetExceeded);
  });
});
