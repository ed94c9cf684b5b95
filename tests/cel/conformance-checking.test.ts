import { getCheckingSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import {
  ANY,
  BOOL,
  BYTES,
  check,
  createEnvironment,
  DOUBLE,
  DURATION,
  DYN,
  ExpressionError,
  formatType,
  INT,
  kubernetesLibraries,
  type Library,
  listOf,
  mapOf,
  NULL,
  type ObjectType,
  opaque,
  optionalOf,
  param,
  STRING,
  standard,
  TIMESTAMP,
  type Type,
  UINT,
  type VariableDeclaration,
  wrapperOf,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';
import { testObject } from './checking.js';

/* The tests of cel-go's checker. The data lacks their declarations, which are listed here as in its test file. */

const nestedMessage = (name: string) => testObject(name, () => ({ bb: INT }));
const nested = nestedMessage('google.expr.proto3.test.TestAllTypes.NestedMessage');
const testAllTypes: ObjectType = testObject('google.expr.proto3.test.TestAllTypes', () => ({
  single_int32: INT,
  single_int64: INT,
  repeated_int32: listOf(INT),
  repeated_int64: listOf(INT),
  repeated_nested_message: listOf(nested),
  map_string_string: mapOf(STRING, STRING),
  map_int64_nested_type: mapOf(
    INT,
    testObject('google.expr.proto3.test.NestedTestAllTypes', () => ({})),
  ),
  single_value: DYN,
  single_struct: mapOf(STRING, DYN),
  single_nested_message: nested,
  single_timestamp: TIMESTAMP,
  single_duration: DURATION,
  single_bool_wrapper: wrapperOf(BOOL),
  single_bytes_wrapper: wrapperOf(BYTES),
  single_double_wrapper: wrapperOf(DOUBLE),
  single_float_wrapper: wrapperOf(DOUBLE),
  single_int32_wrapper: wrapperOf(INT),
  single_int64_wrapper: wrapperOf(INT),
  single_string_wrapper: wrapperOf(STRING),
  single_uint32_wrapper: wrapperOf(UINT),
  single_uint64_wrapper: wrapperOf(UINT),
}));
const proto2 = testObject('google.expr.proto2.test.TestAllTypes', () => ({
  single_int32: INT,
  single_int64: INT,
  repeated_int32: listOf(INT),
  map_string_string: mapOf(STRING, STRING),
  nestedgroup: testObject('google.expr.proto2.test.TestAllTypes.NestedGroup', () => ({ nested_id: INT })),
  repeated_nested_message: listOf(nestedMessage('google.expr.proto2.test.TestAllTypes.NestedMessage')),
}));
const types = new Map<string, Type>([testAllTypes, proto2].map((type) => [type.name, type]));
const constants = new Map([['google.expr.proto3.test.TestAllTypes.NestedEnum.BAR', 1]]);

const set = (type: Type) => opaque('set', type);
const functions: Library = {
  name: 'functions of the tests',
  functions: [
    { name: 'fg_s', overloads: [{ id: 'fg_s_0', parameters: [], result: STRING }] },
    { name: 'fi_s_s', overloads: [{ id: 'fi_s_s_0', parameters: [STRING], result: STRING, receiver: true }] },
    { name: 'set', overloads: [{ id: 'set_list', parameters: [listOf(param('T'))], result: set(param('T')) }] },
    { name: 'base64.encode', overloads: [{ id: 'base64_encode', parameters: [STRING], result: STRING }] },
    {
      name: 'myfun',
      overloads: [
        { id: 'myfun_static', parameters: [INT, BOOL, UINT], result: INT },
        { id: 'myfun_instance', parameters: [INT, BOOL, UINT], result: INT, receiver: true },
      ],
    },
  ],
};

const common = { is: STRING, ii: INT, iu: UINT, iz: BOOL, id: DOUBLE, ix: NULL, ib: BYTES };
type Types = Readonly<Record<string, Type>>;
/** The variables of each test, by its expression. */
const declared: readonly (readonly [pattern: RegExp, variables: Types])[] = [
  [/^size\(x\) == x\.size\(\)/, { x: listOf(INT) }],
  [/^x \+ y$/, { x: listOf(testAllTypes), y: listOf(INT) }],
  [/^x\[1u\]|^\(x \+ x\)/, { x: listOf(testAllTypes) }],
  [/^x\["claims"\]/, { x: mapOf(STRING, DYN), y: listOf(DYN), z: DYN }],
  [/^x\.all\(y/, { x: BOOL }],
  [/^x\[2\]|^x\["a"\]/, { x: mapOf(STRING, testAllTypes) }],
  [/^lists\.filter/, { lists: DYN }],
  [/^x$/, { 'container.x': testAllTypes }],
  [/^size\(x\) > 4/, { x: DYN }],
  [/single_int64_wrapper \+ y/, { x: testAllTypes, y: wrapperOf(INT) }],
  [/^args\.user/, { 'args.user': mapOf(STRING, DYN) }],
  [/^a\.b \+ 1/, { a: DYN, 'a.b': INT }],
  [/pb2/, { pb2: proto2, pb3: testAllTypes }],
  [/set\(\[1, 2\]\) == x/, { x: set(INT) }],
  [/^values\.filter/, { values: listOf(testObject('Value', () => ({ content: STRING }))) }],
  [/^type\(testAllTypes/, { testAllTypes: proto2 }],
  [/^(a\.b|type\(a\.\?b)/, { a: optionalOf(mapOf(STRING, STRING)) }],
  [/a\.dynamic|^has\(a/, { a: optionalOf(DYN) }],
  [/^\{\?'nested'/, { a: optionalOf(mapOf(STRING, STRING)) }],
  [/^\[\?a/, { a: optionalOf(STRING), b: optionalOf(STRING) }],
  [/^null_int/, { null_int: wrapperOf(INT), null_msg: testAllTypes }],
  [/^NotAMessage/, { NotAMessage: wrapperOf(INT) }],
  [/^x == google\.protobuf\.Any/, { x: ANY, y: wrapperOf(INT) }],
  [/^1 \+ x|^undef/, {}],
  [/exists\(y/, { x: testAllTypes }],
  [/\bx\b/, { x: testAllTypes, y: ANY }],
];

const LEFT_OUT: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^x\.single_int32 != null/, 'a variable of an object type that is declared nowhere: types bring their fields'],
];

const rows = getCheckingSuite().tests.map(({ original, type, error }) => ({
  expr: original.expr,
  container: original.container,
  type,
  // The recorded parse errors have no source name.
  error: error?.replace(/^ERROR: :/gm, 'ERROR: <input>:'),
}));
const left = (expr: string) => LEFT_OUT.find(([pattern]) => pattern.test(expr));
const tested = rows.filter((row) => left(row.expr) === undefined);

/** Comparisons of numbers of different types are recorded twice: with the feature, and before it existed. */
const languageOf = (expr: string, error: string | undefined): Library =>
  error !== undefined && /[<>]=? 1\.0/.test(expr) ? (kubernetesLibraries(27)[0] ?? standard) : standard;

describe(`checking data of cel-spec: ${tested.length} of ${rows.length} tests`, () => {
  it.each(tested.map((row) => [row.expr, row] as const))('%s', (_name, { expr, container, type, error }) => {
    const own = declared.find(([pattern]) => pattern.test(expr))?.[1] ?? {};
    const variables: VariableDeclaration[] = Object.entries({ ...common, ...own }).map(([name, of]) => ({
      name,
      type: of,
    }));
    const environment = createEnvironment({
      libraries: [languageOf(expr, error), functions],
      variables,
      types: { find: (name) => types.get(name), constant: (name) => constants.get(name) },
      container,
    });
    const run = () => {
      const checked = check(environment, environment.parse(expr));
      const found = checked.types[checked.ast.root.id];
      return found && formatType(found);
    };
    if (error === undefined) expect(run()).toBe(type);
    else {
      expect(run).toThrow(ExpressionError);
      expect(run).toThrow(error);
    }
  });

  it('names the cases that are left out', () => {
    expect(rows.length - tested.length).toBe(rows.filter((row) => left(row.expr)).length);
  });
});
