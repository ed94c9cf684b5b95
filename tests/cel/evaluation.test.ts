import {
  adaptDynamic,
  BOOL,
  check,
  compile,
  createEnvironment,
  DOUBLE,
  Double,
  DYN,
  INT,
  kubernetesLibraries,
  listOf,
  mapOf,
  parseDuration,
  STRING,
  type Type,
  Uint,
  type Value,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

/* Rows of cel-go's table of evaluations that need no protobuf message. */

type Variables = Readonly<Record<string, readonly [type: Type, value: unknown]>>;

function evaluate(source: string, variables: Variables = {}) {
  const environment = createEnvironment({
    libraries: kubernetesLibraries(31),
    variables: Object.entries(variables).map(([name, [type]]) => ({ name, type })),
  });
  const isValue = (value: unknown): value is Value => typeof value === 'object' && value?.constructor !== Object;
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, [, value]]) => [
      name,
      (isValue(value) && !Array.isArray(value) ? value : adaptDynamic(value)) as Value,
    ]),
  );
  return compile(environment, check(environment, environment.parse(source))).evaluate(values).outcome;
}

const headers = { ip: '10.0.1.2', path: '/admin/edit', token: 'admin' };
const COMPLEX = `!(headers.ip in ["10.0.1.4", "10.0.1.5"]) &&
  ((headers.path.startsWith("v1") && headers.token in ["v1", "v2", "admin"]) ||
  (headers.path.startsWith("v2") && headers.token in ["v2", "admin"]) ||
  (headers.path.startsWith("/admin") && headers.token == "admin" && headers.ip in ["10.0.1.2", "10.0.1.2", "10.0.1.2"]))`;
const millisecond = parseDuration('1ms');
const matches =
  "input.matches('k.*') && !'foo'.matches('k.*') && !'bar'.matches('k.*') && 'kilimanjaro'.matches('.*ro')";

const ROWS: readonly (readonly [source: string, variables?: Variables])[] = [
  ['!(false && true) && !(true && false)'],
  ['!(1/0 != 0 && false) && !(false && 1/0 != 0)'],
  ['(1/0 != 0 || true) && (true || 1/0 != 0)'],
  [COMPLEX, { headers: [mapOf(STRING, STRING), headers] }],
  [
    COMPLEX,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [`headers.${name}`, [STRING, value] as const])),
  ],
  ["!(a ? b < 1.2 : c == ['hello'])", { a: [BOOL, true], b: [DOUBLE, new Double(2)], c: [listOf(STRING), ['hello']] }],
  ['!(6 in []) && 6 in [2, 12, 6] && [6] in [2, 12, [6]]'],
  ['dyn(12u) in [2, 12, 6] && dyn(6.0) in [2, 12, 6] && dyn(6) in [2.1, 12.0, 6.0] && !(dyn(2) in [2.1, 12.0, 6.0])'],
  ['dyn(6) in [2u, 12u, 6u] && !(dyn(-6) in [2u, 12u, 6u]) && !(dyn(-6.1) in [2u, 12u, 6u])'],
  ['6 in [2, 12, x]', { x: [DYN, 6] }],
  ['6 in [2, 12, x]', { x: [DYN, new Uint(6)] }],
  ['6 in [2, 12, x]', { x: [DYN, new Double(6)] }],
  ['dyn(6.0) in [2, 12, x]', { x: [INT, 6] }],
  ["'other-key' in {'key': null, 'other-key': 42} && !('other-key' in {1: null, 2u: 42})"],
  ['2.0 in {1: null, 2u: 42} && !(2.1 in {1: null, 2u: 42})'],
  ["'hello' in {1: 'one', false: true, 'hello': 'world'} && !('hello' in {1: 'one', false: true})"],
  ["!('hello' in {1: 'one', 'world': true})"],
  ["'other-key' in {x: null, y: 42}", { x: [STRING, 'other-key'], y: [INT, 2] }],
  ["!('other-key' in {1: x, 2u: y})", { x: [STRING, 'other-value'], y: [INT, 2] }],
  [
    "m['key'][1] == 42 && m['null'] == null && m[string(0)] == 10",
    { m: [mapOf(STRING, DYN), { key: [21, 42], null: null, '0': 10 }] },
  ],
  ["{1: 'hello'}[x] == 'hello' && {2: 'world'}[y] == 'world'", { x: [DYN, new Double(1)], y: [DYN, new Uint(2)] }],
  ["{1: 'hello', 2: 'world'}[dyn(2u)] == 'world'"],
  ["([[[1]], [[2]], [[3]]][0][0] + [2, 3, {'four': {'five': 'six'}}])[3].four.five == 'six'"],
  ["['string', 1] != [2, 3] && ['string', true] != [2, 3]"],
  [`string(bytes("\\303\\277")) == '''\\303\\277''' && string(b"\\303\\277") != '''\\303\\277'''`],
  [`string(b"\\303\\277") == 'ÿ' && string(b'aaa"bbb') == 'aaa"bbb' && string(b"""Kim\\t""") == "Kim\\t"`],
  ['timestamp(0) == timestamp(0) && timestamp(1) != timestamp(2) && timestamp(0) < timestamp(1)'],
  ['timestamp(2) <= timestamp(2) && timestamp(1) > timestamp(0) && timestamp(2) >= timestamp(2)'],
  ['int(timestamp("1986-04-26T01:23:40Z")) == 514862620'],
  ['![0, 2, 4].all(x, 4/x != 2 && 4/(4-x) != 2) && [0, 2, 4].exists(x, 4/x == 2 && 4/(4-x) == 2)'],
  [
    'code == "111" && ["a", "b"].all(x, x in tags) || code == "222" && ["a", "b"].all(x, x in tags)',
    { code: [STRING, '222'], tags: [listOf(STRING), ['a', 'b']] },
  ],
  ['[1, 2, 3, 4, 5u, 1.0].exists(e, type(e) == uint) && [1, 2, 3].exists_one(x, (x % 2) == 0)'],
  ['[-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3].filter(x, x > 0) == [1, 2, 3]'],
  ['has({"a": 1}.a) && !has({}.a) && [1, 2, 3].map(x, x * 2) == [2, 4, 6]'],
  [matches, { input: [STRING, 'kathmandu'] }],
  ['ai == 20 || ar["foo"] == "bar"', { ai: [INT, 20], ar: [mapOf(STRING, STRING), { foo: 'bar' }] }],
  ['ai == 20 || ar["foo"] == "bar"', { ai: [INT, 2], ar: [mapOf(STRING, STRING), { foo: 'bar' }] }],
  ['!(ai == 20 || ar["foo"] == "bar")', { ai: [INT, 2], ar: [mapOf(STRING, STRING), { foo: 'baz' }] }],
  ['a.b.c == 10', { 'a.b.c': [INT, 10], 'a.b': [mapOf(STRING, STRING), { c: 'ten' }] }],
  ["{}.?invalid == optional.none() && {'invalid': dyn(null)}.?invalid.?nested == optional.none()"],
  ["[?{}.?missing, ?{'present': 42u}.?present] == [42u]"],
  ["{?'hi': {}.?missing, ?'world': {'present': 42u}.?present} == {'world': 42u} && !has(dyn(1).invalid)"],
  ['"a".startsWith("") && type(null) == null_type && type(timestamp(int("123"))) == google.protobuf.Timestamp'],
];

const dyn = (value: unknown) => [DYN, value] as const;
const FAILURES: readonly (readonly [source: string, message: string, variables?: Variables])[] = [
  ['1/0 != 0 && true', 'division by zero'],
  ['true && 1/0 != 0', 'division by zero'],
  ['1/0 != 0 || false', 'division by zero'],
  ['false || 1/0 != 0', 'division by zero'],
  ['m[(x ? 0 : 1)] >= 0', 'index out of bounds: 1', { m: [listOf(INT), [-1]], x: [BOOL, false] }],
  [
    'm[(x ? a : b)] >= 0',
    'invalid qualifier type: types.Duration',
    { m: [listOf(DYN), [1]], x: [BOOL, false], a: dyn(millisecond), b: dyn(millisecond) },
  ],
  ['m[(x ? a : b).c] >= 0', 'no such key: c', { m: [listOf(DYN), [1]], x: [BOOL, false], a: dyn(1), b: dyn(2) }],
  ["{1: 'hello'}[x] == 'hello' && ['world'][y] == 'world'", 'no such key: 2', { x: dyn(new Double(2)), y: dyn(3) }],
  ["{1: 'hello', 2: 'world'}[x] == 'world'", 'invalid qualifier type: types.Duration', { x: dyn(millisecond) }],
  ['input.matches(pattern)', 'error parsing regexp: unexpected ): `)k.*`', { input: dyn('k'), pattern: dyn(')k.*') }],
  ["bool('tru')", "type conversion error from 'string' to 'bool'"],
  ['double("_123")', "type conversion error from 'string' to 'double'"],
  ['uint(-1)', 'unsigned integer overflow'],
  ['1/0 in [1, 2, 3]', 'division by zero'],
  ['has(dyn([]).invalid)', "unsupported index type 'string' in list"],
  ['[1, 2][dyn(1.5)]', 'unsupported index value 1.5 in list'],
  ['[1, 2][dyn("a")]', "unsupported index type 'string' in list"],
  ['dyn(1).all(x, true)', "got 'types.Int', expected iterable type"],
  ['optional.none().value()', 'optional.none() dereference'],
];

describe('evaluations', () => {
  it.each(ROWS.map((row) => [row[0], row[1]] as const))('%s', (source, variables) => {
    expect(evaluate(source, variables)).toBe(true);
  });
  it.each(FAILURES.map((row) => [row[0], row[1], row[2]] as const))('%s: %s', (source, message, variables) => {
    expect(evaluate(source, variables)).toMatchObject({ message });
  });
});
