import { check, type Environment, ExpressionError, STRING } from 'orch-apiserver/cel';
import {
  accessReviewEnvironment,
  admissionEnvironment,
  claimsEnvironment,
  deviceEnvironment,
  releaseEnvironment,
  userEnvironment,
} from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';

function findings(environment: Environment, source: string): readonly (readonly [offset: number, message: string])[] {
  try {
    check(environment, environment.parse(source));
    return [];
  } catch (error) {
    if (error instanceof ExpressionError) return error.errors.map(({ offset, message }) => [offset, message]);
    throw error;
  }
}

describe('literals of several types are refused wherever the API evaluates expressions', () => {
  it.each([
    ['policies and webhooks', admissionEnvironment()],
    ['claims', claimsEnvironment()],
    ['users', userEnvironment()],
    ['access reviews', accessReviewEnvironment()],
    ['devices', deviceEnvironment()],
  ])('of %s', (_name, environment) => {
    expect(findings(environment, '[1, "a"].size() == 2')).toEqual([[4, "expected type 'int' but found 'string'"]]);
    expect(findings(environment, '"%d%s".format([1, "a"]) == "1a"')).toEqual([]);
    // Everything within the call is exempt.
    expect(findings(environment, '"%s".format([[1, "a"][0] == 1]) == ""')).toEqual([]);
  });
});

/* Rows of cel-go's table of errors that are found after type checking. */
describe('errors that only literals can have', () => {
  const x = { name: 'x', type: STRING };
  const environment = releaseEnvironment([x, { name: 'name', type: STRING }]);

  it.each([
    ["duration('1')", [[9, 'invalid duration argument']]],
    ["duration('1d')", [[9, 'invalid duration argument']]],
    ["duration('1us')\n < duration('1nns')", [[28, 'invalid duration argument']]],
    ["duration('2h3m4s5us')", []],
    ['duration(x)', []],
    ["timestamp('1000-00-00T00:00:00Z')", [[10, 'invalid timestamp argument']]],
    ["timestamp('1000-01-01T00:00:00ZZ')", [[10, 'invalid timestamp argument']]],
    ["timestamp('1000-01-01T00:00:00Z')", []],
    ['timestamp(-6213559680)', []],
    ['timestamp(-62135596801)', [[10, 'invalid timestamp argument']]],
    ['timestamp(x)', []],
    ["'hello'.matches('el*')", []],
    ["'hello'.matches('x++')", [[16, 'invalid matches argument']]],
    ["'hello'.matches('(?<name%>el*)')", [[16, 'invalid matches argument']]],
    ["'hello'.matches('??el*')", [[16, 'invalid matches argument']]],
    ["'hello'.matches(x)", []],
    ["name in ['hello', 'world']", []],
    ["name in ['hello', ?optional.ofNonZeroValue('')]", []],
    ["name in [?optional.ofNonZeroValue(''), 'hello', ?optional.of('')]", []],
    ["name in {'hello': false, 'world': true}", []],
    ["{'hello': false, ?'world': optional.ofNonZeroValue(true)}", []],
    ["{?'hello': optional.ofNonZeroValue(false), 'world': true}", []],
    ["{'hello':'world', 1:'!'}", [[18, "expected type 'string' but found 'int'"]]],
    ["name in {'hello':'world', 'goodbye':true}", [[36, "expected type 'string' but found 'bool'"]]],
    // In a list, the first element of another type is reported; in a map, each one.
    ["[1, 'a', true].size()", [[4, "expected type 'int' but found 'string'"]]],
    [
      "{1: 1, 2: 'a', 3: true}.size()",
      [
        [10, "expected type 'int' but found 'string'"],
        [18, "expected type 'int' but found 'bool'"],
      ],
    ],
  ])('%s', (source, wanted) => {
    expect(findings(environment, source)).toEqual(wanted);
  });

  it('are all found, and reported by position', () => {
    const source = "x in ['a', 'b'] && [1, 'a'] == [1]\n && duration(x) < duration('1d')\n && x.matches('x++')";
    expect(() => check(environment, environment.parse(source))).toThrow(
      [
        "ERROR: <input>:1:24: expected type 'int' but found 'string'",
        " | x in ['a', 'b'] && [1, 'a'] == [1]",
        ' | .......................^',
        'ERROR: <input>:2:28: invalid duration argument',
        " |  && duration(x) < duration('1d')",
        ' | ...........................^',
        'ERROR: <input>:3:15: invalid matches argument',
        " |  && x.matches('x++')",
        ' | ..............^',
      ].join('\n'),
    );
  });
});
