import {
  adaptDynamic,
  check,
  compile,
  DYN,
  EvaluationError,
  ExpressionError,
  estimate,
  INT,
  type Outcome,
  STRING,
  type Value,
} from 'orch-apiserver/cel';
import { releaseEnvironment } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/cel/values/print.js';

const environment = releaseEnvironment([
  { name: 'd', type: DYN },
  { name: 's', type: STRING },
  { name: 'i', type: INT },
]);
const bindings = { d: adaptDynamic({ x: 1, y: 'str', z: [1, 'a', null] }) as Value, s: 'abc', i: 4 };

/** Returns the checking errors of an expression, without the lines that show their positions. */
function errorsOf(expression: string): string[] {
  try {
    check(environment, environment.parse(expression));
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return error.message.split('\n').filter((line) => line.startsWith('ERROR'));
  }
}
function evaluate(expression: string): { outcome: string | undefined; cost: number } {
  const program = compile(environment, check(environment, environment.parse(expression)));
  if (program.alwaysFails !== undefined) return { outcome: `refused: ${program.alwaysFails}`, cost: 0 };
  const { outcome, cost } = program.evaluate(bindings);
  return { outcome: written(outcome), cost };
}
const written = (outcome: Outcome): string | undefined =>
  outcome instanceof EvaluationError ? `error: ${outcome.message}` : (textOf(outcome) ?? 'a value');
const estimateOf = (expression: string) =>
  estimate(environment, check(environment, environment.parse(expression)), ({ path }) =>
    path?.[0] === 'd' || path?.[0] === 's' ? { min: 0, max: 20 } : undefined,
  );

describe('the expressions of release 1.31', () => {
  it.each([
    ['[1].existsOne(x, true)', "undeclared reference to 'existsOne'"],
    ['kubernetes.Quantity == type(1)', "undeclared reference to 'kubernetes'"],
    ['kubernetes.URL == type(1)', "undeclared reference to 'kubernetes'"],
    ["quantity('1').a", "ERROR: <input>:1:14: unexpected failed resolution of 'kubernetes.Quantity'"],
    ["ip('::1').a", "type 'net.IP' does not support field selection"],
    ['.foo', "ERROR: <input>:1:2: undeclared reference to '.foo'"],
    ['type + 1', "applied to '(type(type), int)'"],
  ])('%s is refused', (expression, message) => expect(errorsOf(expression).join('\n')).toContain(message));

  it('reports no errors for the fields of an undeclared message', () => {
    expect(errorsOf('a.b.Foo{x: 1}')).toEqual([
      "ERROR: <input>:1:8: undeclared reference to 'a.b.Foo' (in container '')",
    ]);
  });
  it('reports an optional element whose expression has an error', () => {
    expect(errorsOf("[?optional.of(1)['a']]")).toEqual([
      "ERROR: <input>:1:17: found no matching overload for '_[_]' applied to '(optional_type(int), string)'",
      "ERROR: <input>:1:17: expected type 'optional_type(!error!)' but found '!error!'",
    ]);
  });

  it.each([
    // Values of different types have no order, which does not end a search.
    ["[dyn(1), dyn('a')].min()", '1'],
    ["[dyn('a'), dyn(1)].max()", 'a'],
    ["[dyn('a'), dyn(1)].isSorted()", 'true'],
    ['[dyn(1), dyn(null)].min()', 'error: no such overload'],
    ['[1.5].min()', '1.5'],
    // Values of libraries are compared only with each other; lists and maps skip elements that cannot be compared.
    ["dyn(quantity('1')) == dyn(1)", 'error: no such overload'],
    ["dyn(1) == dyn(quantity('1'))", 'false'],
    ["dyn(quantity('1')) == null", 'false'],
    // `!=` only asks whether `==` is true, so values that cannot be compared differ.
    ["dyn(ip('::1')) != dyn('a')", 'true'],
    ["optional.of(dyn(quantity('1'))) != optional.of(dyn(1))", 'true'],
    // A quantity that was calculated can be compared only on the left side.
    ["quantity('1').add(1) == quantity('2')", 'true'],
    ["quantity('2') == quantity('1').add(1)", 'error: no such overload'],
    ["quantity('2') != quantity('1').add(1)", 'true'],
    // A zero keeps the exponent with which it was written, and a sum has the exponent of the other number.
    ["quantity('0m').isInteger()", 'false'],
    ["quantity('0m').add(1).isInteger()", 'true'],
    ["quantity('1').add(quantity('0m')).isInteger()", 'true'],
    ["quantity('0m').add(0).isInteger()", 'false'],
    ["quantity('0e21').isInteger()", 'true'],
    ["quantity('1e21').add(-5).asApproximateFloat()", '1e+21'],
    // An error quotes a key as a whole, unless it is very long.
    [`{'a': 1}['${'k'.repeat(300)}']`, `error: no such key: ${'k'.repeat(300)}`],
    [`{'a': 1}['${'k'.repeat(10_001)}']`, `error: no such key: ${'k'.repeat(10_000)}...`],
    // A map literal can have keys of all types but bytes. Most of them are compared by their address.
    ['{[1]: 2}.size()', '1'],
    ['[1] in {[1]: 2}', 'false'],
    ["duration('1s') in {duration('1s'): 1}", 'true'],
    [
      "{dyn(ip('::1')): 1, dyn(ip('::1')): 2, dyn(type(1)): 3, dyn(int): 4, dyn(timestamp(0)): 5, dyn(null): 6}.size()",
      '4',
    ],
    ["{dyn(quantity('1')): 1, dyn(quantity('1')): 2, dyn(0.0/0.0): 3}.size()", '3'],
    ['{optional.of(3): 1}.map(x, x.value())[0]', '3'],
    ['{bytes(d.y): 1}.size()', 'error: internal error: runtime error: hash of unhashable type types.Bytes'],
    ["[dyn(quantity('1'))] == [dyn(1)]", 'true'],
    ["{'a': dyn(url('/a'))} == {'a': dyn(1)}", 'true'],
    ["dyn(quantity('1')) in [dyn(1)]", 'false'],
    ["optional.of(dyn(quantity('1'))) == optional.of(dyn(1))", 'error: no such overload'],
    ["url('HTTP://a') == url('http://a')", 'true'],
    // These are the type names of upstream's implementation.
    ['[1][dyn(d.z)]', 'error: invalid qualifier type: *types.baseList'],
    ["[1][dyn(quantity('1'))]", 'error: invalid qualifier type: cel.Quantity'],
    ["dyn(ip('::1')).map(x, x)", "error: got 'cel.IP', expected iterable type"],
    ['dyn(format.uri()).map(x, x)', "error: got 'cel.Format', expected iterable type"],
    ['dyn(optional.none()).map(x, x)', "error: got '*types.Optional', expected iterable type"],
    ["[1][dyn(b'a')]", 'refused: invalid qualifier type: types.Bytes'],
    ['[1][?dyn(null)]', 'refused: invalid qualifier type: types.Null'],
    // Numbers are parsed as in Go.
    ["double('0x1.8p1')", '3'],
    ["double('-0X1P-1')", '-0.5'],
    ["double('1_000.5_0')", '1000.5'],
    ["double('1__0')", "refused: type conversion error from 'string' to 'double'"],
    ["double('0x1')", "refused: type conversion error from 'string' to 'double'"],
    ["double('0x1p1024')", "refused: type conversion error from 'string' to 'double'"],
    ["double('-nan')", "refused: type conversion error from 'string' to 'double'"],
    ["double('-inf')", '-Inf'],
    // The following rows have time zones.
    ["timestamp(0).getHours('Local')", '0'],
    ["timestamp(0).getHours('europe/berlin')", 'error: unknown time zone europe/berlin'],
    ["timestamp(0).getHours('Utc')", 'error: unknown time zone Utc'],
    ["timestamp(0).getHours('US/Pacific')", '16'],
    ["timestamp(0).getHours('../etc')", 'error: time: invalid location name'],
    // Upstream does not store these quantities in 64 bits.
    ["quantity('1Pi').isInteger()", 'false'],
    ["quantity('10Ti').isInteger()", 'true'],
    ["quantity('100Ti').asInteger()", 'error: cannot convert value to integer'],
    ["quantity('1234567890123456789').isInteger()", 'false'],
    ["quantity('123456789012345678').isInteger()", 'true'],
    ["quantity('-1m').sub(1).asApproximateFloat()", '-1.0010000000000001'],
    ["quantity('1000000000000000000000').asApproximateFloat()", '1.0000000000000001e+21'],
  ])('%s is %s', (expression, outcome) => expect(evaluate(expression).outcome).toBe(outcome));

  it.each([
    // A call with several overloads, or with a constant pattern, costs nothing if an argument other than the last has failed.
    ['matches(d.nope, "a")', 2],
    ['d.nope.matches("a")', 2],
    ['d.nope.lastIndexOf("a")', 2],
    ['d.nope.lastIndexOf("a") + 1', 3],
    ['[dyn(1)].join()', 1],
    ['[1][?d.nope]', 2],
    ['optional.of([1])[d.nope]', 3],
    ["format.uri().validate('http://a')", 277],
    ["format.uuid().validate('a')", 19],
    ["format.byte().validate('a')", 22],
    ["format.date().validate('2024-01-01')", 37],
    ["format.datetime().validate('a')", 19],
  ])('%s costs %i', (expression, cost) => expect(evaluate(expression).cost).toBe(cost));

  it.each([
    ['d.z.sum()', 1, 3],
    ["dyn('a').indexOf('a')", 1, 2 ** 64 / 10],
    ["cidr('::/0').containsIP(d.y)", 3, 8],
    ["s.split('', -1).map(x, x)", 12, 2 ** 64],
    ["s.split('', 2).map(x, x)", 12, 42],
    ["ip(strings.quote(string(duration('1h'))))", 3, 2 ** 64 / 10],
  ])('%s is estimated from %d to %d', (expression, min, max) => expect(estimateOf(expression)).toEqual({ min, max }));
});
