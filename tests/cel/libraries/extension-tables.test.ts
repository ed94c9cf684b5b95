import {
  check,
  compile,
  createEnvironment,
  EvaluationError,
  ExpressionError,
  estimate,
  kubernetesLibraries,
  sets,
  standard,
  strings,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

/** Results of the extension libraries, from rows of their own tables. */
const environment = createEnvironment({ libraries: [standard, strings(2), sets] });

function run(source: string, checked = true) {
  const ast = environment.parse(source);
  return compile(environment, checked ? check(environment, ast) : ast).evaluate({});
}

function findings(source: string, libraries = environment): string {
  try {
    check(libraries, libraries.parse(source));
    return '';
  } catch (error) {
    if (error instanceof ExpressionError) return error.errors.map(({ message }) => message).join();
    throw error;
  }
}

const expectCost = (source: string, cost: number): void => {
  const checked = check(environment, environment.parse(source));
  expect(estimate(environment, checked), source).toEqual({ min: cost, max: cost });
  expect(compile(environment, checked).evaluate({}).cost, source).toBe(cost);
};

describe('sets', () => {
  const BY_COST: Readonly<Record<number, readonly string[]>> = {
    21: ['sets.contains([], [])', 'sets.contains([1], [])', 'sets.equivalent([], [])'],
    22: [
      'sets.contains([1], [1])',
      'sets.intersects([1], [1])',
      '!sets.intersects([], [])',
      '!sets.intersects([1], [])',
    ],
    23: [
      'sets.contains([1], [1, 1])',
      'sets.contains([1, 1], [1])',
      'sets.contains([2, 1], [1])',
      'sets.contains([1], [1.0, 1])',
      '!sets.contains([1], [2])',
      'sets.equivalent([1], [1])',
      'sets.intersects([1], [1, 1])',
      'sets.intersects([1, 1], [1])',
      'sets.intersects([2, 1], [1])',
      'sets.intersects([1], [1, 2])',
      'sets.intersects([1], [1.0, 2])',
      '!sets.intersects([1], [2])',
    ],
    24: [
      '!sets.contains([1], [1, 2])',
      '!sets.contains([1], ["1", 1])',
      '!sets.contains([1], [1.1, 1u])',
      '!sets.intersects([1], ["1", 2])',
      '!sets.intersects([1], [1.1, 2u])',
    ],
    25: [
      'sets.contains([1, 2], [2u, 2.0])',
      'sets.contains([1, 2u], [2, 2.0])',
      'sets.equivalent([1], [1, 1])',
      'sets.equivalent([1, 1], [1])',
      'sets.equivalent([1], [1u, 1.0])',
    ],
    26: ['!sets.equivalent([2, 1], [1])', '!sets.equivalent([1], [1, 2])'],
    27: ['sets.intersects([1, 2], [2u, 2, 2.0])', 'sets.intersects([1, 2], [1u, 2, 2.3])'],
    29: ['sets.contains([1, 2, 3, 4], [2, 3])'],
    30: ['sets.contains([1, 2.0, 3u], [1.0, 2u, 3])'],
    34: ['!sets.equivalent([1, 2], [2u, 2, 2.0])', '!sets.equivalent([1, 2], [1u, 2, 2.3])'],
    39: ['sets.equivalent([1, 2, 3], [3u, 2.0, 1])'],
    53: ['sets.contains([[1], [2, 3]], [[2, 3.0]])'],
    65: ['sets.intersects([[1], [2, 3]], [[1, 2], [2, 3.0]])'],
    69: ['sets.equivalent([[1.0], [2, 3]], [[1], [2, 3.0]])'],
  };
  it.each(Object.entries(BY_COST))('operations of cost %s hold, checked or not', (cost, sources) => {
    for (const source of sources) {
      expect(run(source).outcome, source).toBe(true);
      expect(run(source, false).outcome, source).toBe(true);
      expectCost(source, Number(cost));
    }
  });
});

describe('strings', () => {
  it('are cut, searched and joined by code points', () => {
    const HOLD = [
      "'tacocat'.charAt(3) == 'o'",
      "'tacocat'.charAt(7) == ''",
      "'\u00a9\u03b1T'.charAt(0) == '\u00a9' && '\u00a9\u03b1T'.charAt(1) == '\u03b1' && '\u00a9\u03b1T'.charAt(2) == 'T'",
      "'tacocat'.indexOf('') == 0",
      "'tacocat'.indexOf('ac') == 1",
      "'tacocat'.indexOf('none') == -1",
      "'tacocat'.indexOf('', 3) == 3",
      "'tacocat'.indexOf('a', 3) == 5",
      "'tacocat'.indexOf('at', 3) == 5",
      "'ta\u00a9o\u00a9\u03b1T'.indexOf('\u00a9') == 2",
      "'ta\u00a9o\u00a9\u03b1T'.indexOf('\u00a9', 3) == 4",
      "'ta\u00a9o\u00a9\u03b1T'.indexOf('\u00a9\u03b1T', 3) == 4",
      "'ta\u00a9o\u00a9\u03b1T'.indexOf('\u00a9\u03b1', 5) == -1",
      "'ijk'.indexOf('k') == 2",
      "'hello wello'.indexOf('hello wello') == 0",
      "'hello wello'.indexOf('ello', 6) == 7",
      "'hello wello'.indexOf('elbo room!!') == -1",
      "'hello wello'.indexOf('elbo room!!!') == -1",
      "'tacocat'.lastIndexOf('') == 7",
      "'tacocat'.lastIndexOf('at') == 5",
      "'tacocat'.lastIndexOf('none') == -1",
      "'tacocat'.lastIndexOf('', 3) == 3",
      "'tacocat'.lastIndexOf('a', 3) == 1",
      "'ta\u00a9o\u00a9\u03b1T'.lastIndexOf('\u00a9') == 4",
      "'ta\u00a9o\u00a9\u03b1T'.lastIndexOf('\u00a9', 3) == 2",
      "'ta\u00a9o\u00a9\u03b1T'.lastIndexOf('\u00a9\u03b1', 4) == 4",
      "'hello wello'.lastIndexOf('ello', 6) == 1",
      "'hello wello'.lastIndexOf('low') == -1",
      "'hello wello'.lastIndexOf('elbo room!!') == -1",
      "'hello wello'.lastIndexOf('hello wello') == 0",
      "'bananananana'.lastIndexOf('nana', 8) == 8",
      '"12 days 12 hours".replace("{0}", "2") == "12 days 12 hours"',
      '"{0} days {0} hours".replace("{0}", "2") == "2 days 2 hours"',
      '"{0} days {0} hours".replace("{0}", "2", 1).replace("{0}", "23") == "2 days 23 hours"',
      '"1 \u00a9\u03b1T taco".replace("\u03b1T", "o\u00a9\u03b1") == "1 \u00a9o\u00a9\u03b1 taco"',
      '"hello world".split(" ") == ["hello", "world"]',
      '"hello world events!".split(" ", 0) == []',
      '"hello world events!".split(" ", 1) == ["hello world events!"]',
      '"o\u00a9o\u00a9o\u00a9o".split("\u00a9", -1) == ["o", "o", "o", "o"]',
      '"tacocat".substring(4) == "cat"',
      '"tacocat".substring(7) == ""',
      '"tacocat".substring(0, 4) == "taco"',
      '"tacocat".substring(4, 4) == ""',
      '\'ta\u00a9o\u00a9\u03b1T\'.substring(2, 6) == "\u00a9o\u00a9\u03b1"',
      '\'ta\u00a9o\u00a9\u03b1T\'.substring(7, 7) == ""',
      '" \\f\\n\\r\\t\\vtext  ".trim() == "text"',
      '"\\u0085\\u00a0\\u1680text".trim() == "text"',
      '"text\\u2000\\u2001\\u2002\\u2003\\u2004\\u2004\\u2006\\u2007\\u2008\\u2009".trim() == "text"',
      '"\\u200atext\\u2028\\u2029\\u202F\\u205F\\u3000".trim() == "text"',
      '"\\u180etext\\u200b\\u200c\\u200d\\u2060\\ufeff".trim() == "\\u180etext\\u200b\\u200c\\u200d\\u2060\\ufeff"',
    ];
    for (const source of HOLD)
      for (const checked of [true, false]) expect(run(source, checked).outcome, source).toBe(true);
  });

  it('fail beyond their ends', () => {
    const FAIL: Readonly<Record<string, string>> = {
      "'tacocat'.charAt(30) == ''": 'index out of range: 30',
      "'tacocat'.indexOf('a', 30) == -1": 'index out of range: 30',
      "'tacocat'.lastIndexOf('a', -1) == -1": 'index out of range: -1',
      "'tacocat'.lastIndexOf('a', 30) == -1": 'index out of range: 30',
      '"tacocat".substring(40) == "cat"': 'index out of range: 40',
      '"tacocat".substring(-1) == "cat"': 'index out of range: -1',
      '"tacocat".substring(1, 50) == "cat"': 'index out of range: 50',
      '"tacocat".substring(49, 50) == "cat"': 'index out of range: 49',
      '"tacocat".substring(4, 3) == ""': 'invalid substring range. start: 4, end: 3',
    };
    for (const [source, message] of Object.entries(FAIL))
      for (const checked of [true, false]) expect(run(source, checked).outcome, source).toMatchObject({ message });
  });

  it('have no functions for other types in unchecked expressions', () => {
    const UNKNOWN = [
      "42.charAt(2) == ''",
      "'hello'.charAt(true) == ''",
      "24.indexOf('2') == 0",
      "'hello'.indexOf(true) == 1",
      "42.indexOf('4', 0) == 0",
      "'42'.indexOf(4, 0) == 0",
      "'42'.indexOf('4', '0') == 0",
      "'42'.indexOf('4', 0, 1) == 0",
      "42.split('2') == ['4']",
      "42.replace(2, 1) == '41'",
      "'42'.replace('2', 1) == '41'",
      "'42'.replace('2', '1', '1') == '41'",
      "'42'.replace('2', '1', 1, false) == '41'",
      "42.split('') == ['4', '2']",
      "'42'.split('2', 1, 1) == ['4']",
      "'hello'.substring(1, 2, 3) == ''",
      "30.substring(true, 3) == ''",
      "'tacocat'.substring(0, false) == ''",
    ];
    for (const source of UNKNOWN) {
      const { outcome } = run(source, false);
      expect(outcome, source).toBeInstanceOf(EvaluationError);
      expect((outcome as EvaluationError).message, source).toMatch(/^no such overload/);
    }
  });
});

describe('format', () => {
  const TEXTS: [format: string, args: string, text: string, cost?: number][] = [
    ['no substitution', '', 'no substitution', 12],
    ['str is %s and some more', '"filler"', 'str is filler and some more', 13],
    ['%% and also %%', '', '% and also %', 12],
    ['%%%s%%', '"text"', '%text%', 11],
    ['%s%%', '"percent on the right"', 'percent on the right%', 11],
    [
      '%d %d %d, %s %s %s, %d %d %d, %s %s %s',
      '1, 2, 3, "A", "B", "C", 4, 5, 6, "D", "E", "F"',
      '1 2 3, A B C, 4 5 6, D E F',
      14,
    ],
    ['\\u0025\\u0025escaped \\u0025s\\u0025\\u0025', '"percent"', '%escaped percent%', 12],
    ['%.3f', '1.2345', '1.234', 11],
    ['this is 5 in binary: %b', '5', 'this is 5 in binary: 101', 13],
    ['this is -5 in binary: %b', '-5', 'this is -5 in binary: -101', 13],
    ['unsigned 64 in binary: %b', 'uint(64)', 'unsigned 64 in binary: 1000000', 14],
    ['bit set from bool: %b', 'true', 'bit set from bool: 1', 13],
    ['%o', '11', '13', 11],
    ['%o', '-11', '-13', 11],
    ['this is an unsigned octal: %o', 'uint(65535)', 'this is an unsigned octal: 177777', 14],
    ['%x is 30 in hexadecimal', '30', '1e is 30 in hexadecimal', 13],
    ['%X is 20 in hexadecimal', '30', '1E is 20 in hexadecimal', 13],
    ['%x is -30 in hexadecimal', '-30', '-1e is -30 in hexadecimal', 13],
    ['%x', '"Hello world!"', '48656c6c6f20776f726c6421', 11],
    ['%X', '"Hello world!"', '48656C6C6F20776F726C6421', 11],
    ['%x', 'b"byte string"', '6279746520737472696e67', 11],
    ['%x', 'b"\\x00\\x00byte string\\x00"', '00006279746520737472696e6700', 11],
    ['%.6e', '1052.032911275', '1.052033\u202f\u00d7\u202f10\u2070\u00b3', 11],
    ['%f', '2.71828', '2.718280', 11],
    ['%e', '2.71828', '2.718280\u202f\u00d7\u202f10\u2070\u2070', 11],
    // The precision of this clause is the minimum width.
    ['%.2e', '1500.0', '1.500000\u202f\u00d7\u202f10\u2070\u00b3', 11],
    ['%.16e', '1.5', ' 1.500000\u202f\u00d7\u202f10\u2070\u2070', 11],
    ['%e', 'double("NaN")', '   NaN'],
    ['%f', '-0.0', '0.000000', 11],
    ['%s', '["a\\a\\x7f\\u200b"]', '["a\\a\\x7f\\u200b"]'],
    ['%s', '{"\\x00": b"\\a"}', '{"\\x00":b"\\a"}'],
    ['%s', '2.71', '2.71', 11],
    ['%s', '[2.71]', '[2.710000]', 21],
    ['%s', '0.000000002', '2e-09', 11],
    ['%s', '[0.000000002]', '[0.000000]', 21],
    ['%f', '"NaN"', 'NaN', 11],
    ['%f', '"Infinity"', '∞', 11],
    ['%f', '"-Infinity"', '-∞', 11],
    ['%s', 'double("NaN")', 'NaN'],
    ['%s', 'double("Inf")', '+Inf'],
    ['%s', 'double("-Inf")', '-Inf'],
    ['%s', '[double("NaN"),double("+Inf"), double("-Inf")]', '["NaN", "+Inf", "-Inf"]'],
    ['%d', 'uint(64)', '64', 12],
    ['null: %s', 'null', 'null: null', 11],
    ['%s', '999999999999', '999999999999', 11],
    ['some bytes: %s', 'b"xyz"', 'some bytes: xyz', 12],
    ['type is %s', 'type("test string")', 'type is string', 12],
    ['%s', 'timestamp("2023-02-03T23:31:20+00:00")', '2023-02-03T23:31:20Z', 12],
    ['%s', 'duration("1h45m47s")', '6347s', 12],
    ['%s', 'duration("2ns")', '0.000000002s', 12],
    [
      '%s',
      '["abc", 3.14, null, [9, 8, 7, 6], timestamp("2023-02-03T23:31:20Z")]',
      '["abc", 3.140000, null, [9, 8, 7, 6], timestamp("2023-02-03T23:31:20Z")]',
      32,
    ],
    [
      '%s',
      '{"key1": b"xyz", "key5": null, "key2": duration("2h"), "key4": true, "key3": 2.71828}',
      '{"key1":b"xyz", "key2":duration("7200s"), "key3":2.718280, "key4":true, "key5":null}',
      42,
    ],
    [
      'map with multiple key types: %s',
      '{1: "value1", uint(2): "value2", true: double("NaN")}',
      'map with multiple key types: {1:"value1", 2:"value2", true:"NaN"}',
      46,
    ],
    ['true bool: %s, false bool: %s', 'true, false', 'true bool: true, false bool: false', 13],
  ];
  it.each(TEXTS)('"%s" of [%s]', (format, args, text, cost) => {
    const source = `"${format}".format([${args}])`;
    expect(run(source).outcome).toBe(text);
    if (cost !== undefined) expectCost(source, cost);
  });

  const P = 'error during formatting: ';
  const PRECISION =
    'could not parse formatting clause: error while parsing precision: could not find end of precision specifier';
  const WRONG: [format: string, args: string, message: string][] = [
    ['%a', '1', 'could not parse formatting clause: unrecognized formatting clause "a"'],
    ['%d %d %d', '0, 1', 'index 2 out of range'],
    ['string is %b', '"abc"', `${P}only integers and bools can be formatted as binary, was given string`],
    ['%d', 'duration("30m2s")', `${P}decimal clause can only be used on integers, was given google.protobuf.Duration`],
    ['octal: %o', '"a string"', `${P}octal clause can only be used on integers, was given string`],
    ['double is %x', '0.5', `${P}only integers, byte buffers, and strings can be formatted as hex, was given double`],
    ['double is %E', '0.5', 'could not parse formatting clause: unrecognized formatting clause "E"'],
    ['null: %d', 'null', `${P}decimal clause can only be used on integers, was given null_type`],
    ['null: %e', 'null', `${P}scientific clause can only be used on doubles, was given null_type`],
    ['null: %f', 'null', `${P}fixed-point clause can only be used on doubles, was given null_type`],
    ['null: %x', 'null', `${P}only integers, byte buffers, and strings can be formatted as hex, was given null_type`],
    ['null: %b', 'null', `${P}only integers and bools can be formatted as binary, was given null_type`],
    ['null: %o', 'null', `${P}octal clause can only be used on integers, was given null_type`],
    ['%s %s', '"abc"', 'index 1 out of range'],
    ['double is %.34', '5.0', PRECISION],
  ];
  it.each(WRONG)('"%s" of [%s] fails, and the checker reports it', (format, args, message) => {
    const source = `"${format}".format([${args}])`;
    expect(run(source, false).outcome).toMatchObject({ message });
    expect(findings(source)).toBe(message);
  });

  it('is checked with all its arguments if both are literals', () => {
    expect(findings('"filler %".format([])')).toBe('unexpected end of string');
    expect(findings('"%s %s".format(["abc", "def", "ghi"])')).toBe(
      'too many arguments supplied to string.format (expected 2, got 3)',
    );
    expect(
      findings('"%s".format([[1, optional.none()]])', createEnvironment({ libraries: kubernetesLibraries(31) })),
    ).toBe(
      `${P}string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type`,
    );
    expect(findings('"%d".format([dyn("a")])')).toBe('');
    expect(findings('("%" + "d").format(["a"])')).toBe('');
    expect(findings('"%d".format([1] + [2, 3])')).toBe('');
  });
});
