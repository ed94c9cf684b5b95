import {
  check,
  compile,
  createEnvironment,
  EvaluationError,
  INT,
  kubernetesLibraries,
  type Library,
  mapOf,
  STRING,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

const point: Library = {
  name: 'points',
  messages: () => ({
    'geo.Point': {
      type: mapOf(STRING, INT),
      fields: { x: INT, y: INT },
      make: (fields) => new EvaluationError(`no point at ${[...fields.keys()].join(',')}`),
    },
  }),
};
const environment = createEnvironment({ libraries: [...kubernetesLibraries(31), point], container: 'geo' });

describe.each([
  ['checked expressions', true],
  ['unchecked expressions', false],
])('messages that expressions create, in %s', (_name, isChecked) => {
  const evaluate = (source: string) => {
    const ast = environment.parse(source);
    return compile(environment, isChecked ? check(environment, ast) : ast).evaluate({});
  };

  it.each([
    'google.protobuf.Int64Value{value: 3} + 1 == 4',
    'google.protobuf.Int64Value{} == 0',
    'google.protobuf.StringValue{?value: optional.none()} == ""',
    'google.protobuf.Timestamp{seconds: -1, nanos: 500000000} == timestamp("1969-12-31T23:59:59.5Z")',
    'google.protobuf.Duration{seconds: 1, nanos: 5} == duration("1s5ns")',
    'google.protobuf.Struct{fields: {"a": 1, "b": [2u]}} == {"a": 1.0, "b": [2.0]}',
    'google.protobuf.Struct{fields: {"a": 9007199254740993}} == {"a": "9007199254740993"}',
  ])('%s', (source) => {
    expect(evaluate(source).outcome).toBe(true);
  });

  it.each([
    ['google.protobuf.Int32Value{value: 2147483648}', 'integer overflow'],
    ['google.protobuf.UInt32Value{value: 4294967296u}', 'integer overflow'],
    ['google.protobuf.Timestamp{seconds: 253402300800}', 'timestamp overflow'],
    ['google.protobuf.Duration{seconds: 9223372037}', 'duration overflow'],
    ['google.protobuf.Int64Value{value: 1 / 0}', 'division by zero'],
    ['google.protobuf.Any{type_url: "a/b"}', "unknown type: 'a/b'"],
    ['Point{x: 1}', 'no point at x'],
    ['.geo.Point{y: 1, x: 1}', 'no point at y,x'],
  ])('%s fails: %s', (source, message) => {
    expect(evaluate(source).outcome).toMatchObject({ message });
  });

  it('cost as much as any message, and the cost of their fields', () => {
    expect(evaluate('google.protobuf.Int64Value{value: 1 + 2}').cost).toBe(41);
  });
});

it.each([
  ['google.protobuf.Int64Value{other: 1}', "undefined field 'other'"],
  ['google.protobuf.Int64Value{value: "1"}', "expected type of field 'value' is 'int' but provided type is 'string'"],
  ['google.protobuf.Nothing{}', "undeclared reference to 'google.protobuf.Nothing'"],
])('%s is refused: %s', (source, message) => {
  expect(() => check(environment, environment.parse(source))).toThrow(message);
});
