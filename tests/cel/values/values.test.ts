import { compile, createEnvironment, kubernetesLibraries } from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

/*
 * Rows of cel-go's tables of values: sums at the limits of 64 bits, conversions, times. They are evaluated unchecked, like values of
 * unknown types.
 */
const environment = createEnvironment({ libraries: kubernetesLibraries(31) });
const evaluate = (source: string) => compile(environment, environment.parse(source)).evaluate({}).outcome;

const TRUE: Readonly<Record<string, readonly string[]>> = {
  ints: [
    '4 + -3 == 1',
    '9223372036854775806 + 1 == 9223372036854775807',
    '-9223372036854775807 + -1 == -9223372036854775808',
    '9223372036854775806 - -1 == 9223372036854775807',
    '-9223372036854775807 - 1 == -9223372036854775808',
    '3 / 2 == 1 && -3 / 2 == -1 && 21 % 2 == 1 && -3 % 2 == -1',
    '4611686018427387903 * 2 == 9223372036854775806',
    '-4611686018427387904 * 2 == -9223372036854775808',
    '-(1) == -1 && -(9223372036854775807) == -9223372036854775807',
    'double(-4) == -4.0 && string(-4) == "-4" && type(-4) == int',
    'timestamp(946684800) == timestamp("2000-01-01T00:00:00Z")',
    'int("-1") == -1 && int("+1") == 1 && int("-00000000000000000000000000000000000000000007") == -7',
  ],
  doubles: [
    '4.0 + -3.5 == 0.5 && 4.0 - -3.5 == 7.5 && 1.1 * -1.2 == -1.32 && 3.0 / 1.5 == 2.0 && -(1.1) == -1.1',
    '1.1 / 0.0 == double("Infinity") && -1.1 / 0.0 == double("-Infinity")',
    'int(-4.5) == -4 && string(-4.5) == "-4.5" && uint(4.5) == 4u && double("2.5") == 2.5',
    // Integers are compared as the nearest double.
    'dyn(9007199254740993) == 9007199254740992.0 && dyn(9007199254740993u) == 9007199254740992.0',
    '1.5 > 1 && 0.5 < 1 && 0.5 < 1u && 1.0 >= 1u && -0.5 < 0u',
    '!(0.0 / 0.0 == 0.0 / 0.0) && !(0.0 / 0.0 < 1) && !(dyn(1) == 0.0 / 0.0)',
  ],
  texts: [
    'bool("false") == false && uint("1") == 1u && bytes("hello") == b"hello" && dyn("c") != 99',
    'size("\u65e5\u672c\u8a9e") == 3 && "a" < "bbbb" && "c" > "bbbb"',
    "'hello 1 world'.matches('^hello') && 'hello 1 world'.matches(r'\\d world$') && !'hello 1 world'.matches('ello 1 worlds')",
    '"goodbye".contains("db") && !"goodbye".contains("ggood") && "goodbye".endsWith("bye") && "goodbye".startsWith("good")',
  ],
  durations: [
    '-duration("1s") == duration("-1s")',
    'duration("1h5s") == duration("3605s") && duration("7506.000000567s") - duration("7506.000000567s") == duration("0s")',
    'string(duration("7506.000001s")) == "7506.000001s" && int(duration("7506.000001s")) == 7506000001000',
    'string(duration("-1.5s")) == "-1.5s" && string(duration("1ns")) == "0.000000001s" && string(duration("0s")) == "0s"',
    'duration("7506s").getHours() == 2 && duration("7506s").getMinutes() == 125 && duration("7506s").getSeconds() == 7506',
    'duration("-90s").getMinutes() == -1 && duration("-1ns").getSeconds() == 0',
    'duration("7506s").getMilliseconds() == 7506000',
    // Seconds, minutes and hours are converted through doubles, so that long durations have no nanoseconds.
    'string(duration("9223372036.854775807s")) == "9223372036.854776s"',
    'duration("2562046h59m59.999999999s").getHours() == 2562047',
    'duration("20000000.999999999s").getSeconds() == 20000001',
    'duration("20000000.999999999s").getMilliseconds() == 20000000999',
    // Fractions are doubles as well.
    'duration("0.00000000000025h") == duration("0s") && duration("1.1h") == duration("66m")',
  ],
  timestamps: [
    'int(timestamp("1970-01-01T02:07:34.000000321Z")) == 7654',
    'string(timestamp("1970-01-01T02:07:34.000000321Z")) == "1970-01-01T02:07:34.000000321Z"',
    'timestamp("2009-02-13T3:31:30Z") == timestamp("2009-02-13T03:31:30Z")',
    'timestamp(3506) + duration("59m59.999s") == timestamp("1970-01-01T01:58:25.999Z")',
    'timestamp(3506) + duration("1h1ns") == timestamp("1970-01-01T01:58:26.000000001Z")',
    'timestamp(1) + duration("1ns") + duration("-999999999ns") == timestamp("1970-01-01T00:00:00.000000002Z")',
    'timestamp(1) + duration("999999999ns") + duration("999999999ns") == timestamp("1970-01-01T00:00:02.999999998Z")',
    'timestamp(100) - timestamp(1) == duration("99s") && timestamp(3506) - duration("1h") == timestamp(-94)',
    'timestamp("0001-01-01T00:00:00.000000002Z") - duration("-999999999ns") == timestamp("0001-01-01T00:00:01.000000001Z")',
    'timestamp("1970-01-01T00:00:02.000000001Z") - timestamp("1970-01-01T00:00:00.999999999Z") == duration("1s2ns")',
    'timestamp("1970-01-01T00:00:01.000000001Z") - timestamp("1970-01-01T00:00:02.999999999Z") == duration("-1.999999998s")',
    'timestamp(7506).getDayOfYear() == 0 && timestamp(7506).getDayOfYear("America/Phoenix") == 364',
    'timestamp(7506).getDayOfYear("-07:00") == 364 && timestamp(7506).getMonth() == 0',
    'timestamp(7506).getMonth("America/Phoenix") == 11 && timestamp(7506).getHours("America/Phoenix") == 19',
    'timestamp(7506).getHours() == 2 && timestamp(7506).getMinutes("America/Phoenix") == 5',
    'timestamp(7506).getMinutes() == 5 && timestamp(7506).getSeconds() == 6 && timestamp(7506).getSeconds("America/Phoenix") == 6',
  ],
  optionals: [
    'optional.none() == optional.none() && dyn(1) != optional.none() && optional.of(1) != optional.none()',
    'optional.of(1) != dyn(optional.of(0.0)) && optional.of(1) == dyn(optional.of(1.0))',
    'optional.of(optional.of(1)) != dyn(optional.of(1.0)) && dyn(optional.of(1.0)) != optional.of(optional.of(1))',
    'type(optional.of(1)) == optional_type && type(optional.none()) == optional_type',
    '!optional.ofNonZeroValue("").hasValue() && !optional.ofNonZeroValue(duration("0s")).hasValue()',
    'optional.ofNonZeroValue(duration("1ns")).hasValue() && !optional.ofNonZeroValue(b"").hasValue()',
  ],
};

describe.each(Object.entries(TRUE))('%s', (_name, sources) => {
  it.each(sources)('%s', (source) => {
    expect(evaluate(source)).toBe(true);
  });
});

const NO_OVERLOAD = 'no such overload';
const FAIL: readonly (readonly [message: string, sources: readonly string[]])[] = [
  [
    'integer overflow',
    [
      '9223372036854775807 + 1',
      '-9223372036854775808 + -1',
      '9223372036854775807 - -1',
      '-9223372036854775808 - 1',
      '4611686018427387903 * 3',
      '-4611686018427387904 * 3',
      '-9223372036854775808 * -1',
      '-9223372036854775808 / -1',
      '-9223372036854775808 % -1',
      '-(-9223372036854775808)',
      'int(1e99)',
      'int(18446744073709551615u)',
      'duration("9223372036.854775807s") + duration("1ns")',
      'duration("9223372036.854775807s") + duration("1s")',
      'duration("-9223372036.854775808s") + duration("-1s")',
      'duration("9223372036.854775807s") - duration("-1ns")',
      'duration("-9223372036.854775808s") - duration("1ns")',
      'timestamp(1) - duration("-9223372036.854775808s")',
      'timestamp(253402300799) - timestamp(-62135596800)',
      // 9223372036.1 s would fit, but its seconds alone do not.
      'timestamp("2262-04-11T23:47:17.1Z") - timestamp("1970-01-01T00:00:00.999999999Z")',
    ],
  ],
  [
    'unsigned integer overflow',
    ['uint(-4)', 'uint(-4.5)', 'uint(1e99)', '1u - 2u', '18446744073709551615u + 1u', '18446744073709551615u * 2u'],
  ],
  ['division by zero', ['0 / 0', '1u / 0u']],
  ['modulus by zero', ['21 % 0', '1u % 0u']],
  ['timestamp overflow', ['timestamp(253402300799) + duration("1s")', 'timestamp(-62135596800) - duration("1s")']],
  [
    NO_OVERLOAD,
    [
      '-1 + "-1"',
      '1 < int',
      '1 / -1.0',
      '21 % 0u',
      '1 * -4.0',
      '1 - 1u',
      '-1.0 + "-1"',
      '204.0 < double',
      '1.1 / -1',
      '1.1 - -1',
      '"goodbye" + 1',
      '"a" - 1',
      '-"a"',
      '-true',
      'size(duration("1s"))',
      '"a" < true',
      '"a".matches(1)',
      'duration("1s") < false',
      'timestamp(1) + timestamp(1)',
      'timestamp(1) < duration("1s")',
    ],
  ],
  ["type conversion error from 'int' to 'google.protobuf.Duration'", ['duration(1)', 'duration(dyn(1))']],
  // The error names the operation that the first operand lacks, except for strings, durations and timestamps.
  ['no such overload: -_', ['-1u', '-null']],
  ['no such overload: _+_', ['true + 1', 'null + 1', '{} + {}']],
  ['no such overload: _-_', ['[1] - [1]']],
  ['no such overload: _*_', ['null * 2']],
  ['no such overload: _/_', ['b"a" / 2']],
  ['no such overload: _%_', ['1.5 % 2']],
  ['no such overload: _<_', ['null < 1']],
  ['no such overload: _<=_', ['{} <= 1']],
  ['no such overload: _>_', ['[1] > [0]']],
  ['no such overload: _>=_', ['int >= 1']],
  ['no such overload: size', ['size(1)', 'null.size()']],
  ['no such overload: timestamp(double)', ['timestamp(-4.5)']],
  ['no such overload: uint(google.protobuf.Duration)', ['uint(duration("1s"))']],
  ['no such overload: duration(google.protobuf.Timestamp)', ['duration(timestamp(1))']],
  ['no such overload: bool(int)', ['bool(1)']],
  ['no such overload: int(null_type)', ['int(null)']],
  ['no such overload: double(list)', ['double([1])']],
  ['no such overload: string(map)', ['string({})']],
  ['no such overload: bytes(bool)', ['bytes(true)']],
  ["type conversion error from 'string' to 'int'", ['int("11l")', 'int("9223372036854775808")', 'int("")']],
  ["type conversion error from 'string' to 'uint'", ['uint("+1")', 'uint("-1")', 'uint("18446744073709551616")']],
];

describe.each(FAIL)('%s', (message, sources) => {
  it.each(sources)('%s', (source) => {
    expect(evaluate(source)).toMatchObject({ message });
  });
});
