import { describe, expect, it } from 'vitest';
import { humanDuration, parseDuration } from '../../src/values/duration.js';
import { ParseError } from '../../src/values/parse-error.js';
import {
  normalizeMicroTime,
  normalizeTime,
  parseMicroTime,
  parseTime,
  printTime,
  shortTime,
  timeToMilliseconds,
} from '../../src/values/time.js';
import { cases, hasSharedData } from '../support/shared-data.js';

const LAYOUT = '"2006-01-02T15:04:05Z07:00"';
const MICRO = '"2006-01-02T15:04:05.000000Z07:00"';

describe('times', () => {
  it.each([
    ['2001-02-03T04:05:06Z', '2001-02-03T04:05:06Z'],
    ['2001-02-03T04:05:06.789Z', '2001-02-03T04:05:06Z'],
    ['2001-02-03T04:05:06,7Z', '2001-02-03T04:05:06Z'],
    ['2001-02-03T4:05:06Z', '2001-02-03T04:05:06Z'],
    ['2001-02-03T04:05:06+01:30', '2001-02-03T02:35:06Z'],
    ['2001-02-03T04:05:06-24:60', '2001-02-04T05:05:06Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00Z'],
    ['0000-01-01T00:00:00+01:00', '-0001-12-31T23:00:00Z'],
    ['9999-12-31T23:59:59-01:00', '10000-01-01T00:59:59Z'],
    ['0001-01-01T00:00:00Z', null],
  ])('%s is stored as %s', (text, kept) => {
    expect(normalizeTime(text)).toBe(kept);
  });

  it.each([
    ['2024-01-02T03:04:05.678901Z', '2024-01-02T03:04:05.678901Z'],
    ['2024-01-02T03:04:05.123456+02:00', '2024-01-02T01:04:05.123456Z'],
    ['0001-01-01T00:00:00.000000Z', null],
    ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ])('%s is stored as %s, with its fraction', (text, kept) => {
    expect(normalizeMicroTime(text)).toBe(kept);
  });

  it.each([
    ['yesterday', `parsing time "yesterday" as ${LAYOUT}: cannot parse "yesterday" as "2006"`],
    ['', `parsing time "" as ${LAYOUT}: cannot parse "" as "2006"`],
    ['2024-1-2T03:04:05Z', `parsing time "2024-1-2T03:04:05Z" as ${LAYOUT}: cannot parse "1-2T03:04:05Z" as "01"`],
    ['2024-01-02 03:04:05Z', `parsing time "2024-01-02 03:04:05Z" as ${LAYOUT}: cannot parse " 03:04:05Z" as "T"`],
    ['2024-01-02T03:04:05', `parsing time "2024-01-02T03:04:05" as ${LAYOUT}: cannot parse "" as "Z07:00"`],
    [
      '2024-01-02T03:04:05+0100',
      `parsing time "2024-01-02T03:04:05+0100" as ${LAYOUT}: cannot parse "+0100" as "Z07:00"`,
    ],
    ['2024-01-02T03:04:05ZZ', 'parsing time "2024-01-02T03:04:05ZZ": extra text: "Z"'],
    ['2024-13-02T03:04:05Z', 'parsing time "2024-13-02T03:04:05Z": month out of range'],
    ['2023-02-29T03:04:05Z', 'parsing time "2023-02-29T03:04:05Z": day out of range'],
    ['2023-02-00T03:04:05Z', 'parsing time "2023-02-00T03:04:05Z": day out of range'],
    ['2024-01-02T24:04:05Z', 'parsing time "2024-01-02T24:04:05Z": hour out of range'],
    ['2024-01-02T03:60:05Z', 'parsing time "2024-01-02T03:60:05Z": minute out of range'],
    ['2024-01-02T03:04:60Z', 'parsing time "2024-01-02T03:04:60Z": second out of range'],
    ['2024-01-02T03:04:05+25:00', 'parsing time "2024-01-02T03:04:05+25:00": time zone offset hour out of range'],
    ['ä"', `parsing time "\\xc3\\xa4\\"" as ${LAYOUT}: cannot parse "\\xc3\\xa4\\"" as "2006"`],
  ])('%s is refused', (text, message) => {
    expect(() => parseTime(text)).toThrow(new ParseError(message));
  });

  it.each([
    ['2024-01-02T03:04:05Z', `parsing time "2024-01-02T03:04:05Z" as ${MICRO}: cannot parse "Z" as ".000000"`],
    [
      '2024-01-02T03:04:05.123+01:00',
      `parsing time "2024-01-02T03:04:05.123+01:00" as ${MICRO}: cannot parse ".123+01:00" as ".000000"`,
    ],
    [
      '2024-01-02T03:04:05.1234567Z',
      `parsing time "2024-01-02T03:04:05.1234567Z" as ${MICRO}: cannot parse "7Z" as "Z07:00"`,
    ],
  ])('%s is refused if six digits are required', (text, message) => {
    expect(() => parseMicroTime(text)).toThrow(new ParseError(message));
  });

  it('are printed in messages', () => {
    expect(printTime('2001-02-03T04:05:06Z')).toBe('2001-02-03 04:05:06 +0000 UTC');
    expect(printTime('2001-02-03T04:05:06.120000Z')).toBe('2001-02-03 04:05:06.12 +0000 UTC');
    expect(timeToMilliseconds('1970-01-01T00:00:01.5Z')).toBe(1500);
    expect(timeToMilliseconds('1969-12-31T23:59:59.25Z')).toBe(-750);
  });
});

describe('durations', () => {
  it.each([
    ['0', 0n],
    ['+0', 0n],
    ['5s', 5_000_000_000n],
    ['1h', 3_600_000_000_000n],
    ['1h15m30.918273645s', 4_530_918_273_645n],
    ['-1.5h', -5_400_000_000_000n],
    ['100ms', 100_000_000n],
    ['1.5ms', 1_500_000n],
    ['1500us', 1_500_000n],
    ['3\u03bcs', 3_000n],
    ['7ns', 7n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['0.3333333333333333333h', 1_200_000_000_000n],
    ['9223372036854775807ns', 9_223_372_036_854_775_807n],
    ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
    ['1m1m', 120_000_000_000n],
  ])('%s is %s', (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  it.each([
    ['x', 'time: invalid duration "x"'],
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['.', 'time: invalid duration "."'],
    ['.s', 'time: invalid duration ".s"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1.2.3s', 'time: missing unit in duration "1.2.3s"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['9223372036854775809d', 'time: invalid duration "9223372036854775809d"'],
    ['9223372036854775808d', 'time: unknown unit "d" in duration "9223372036854775808d"'],
    ['5 s', 'time: unknown unit " s" in duration "5 s"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['3000000h', 'time: invalid duration "3000000h"'],
    [`${'9'.repeat(40)}s`, `time: invalid duration "${'9'.repeat(40)}s"`],
  ])('%s is refused', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new ParseError(message));
  });

  it.skipIf(!hasSharedData)('agrees with the upstream tables', () => {
    type Wire = { input: { Duration?: number }; result: string };
    for (const { input, result } of cases<Wire[]>('meta-time', 'TestDurationMarshalJSON', 'cases')) {
      expect(parseDuration(JSON.parse(result).d)).toBe(BigInt(input.Duration ?? 0));
    }
    for (const name of ['TestHumanDuration', 'TestHumanDurationBoundaries']) {
      for (const { d, want } of cases<{ d: number; want: string }[]>('meta-time', name, 'tests')) {
        expect(humanDuration(d / 1_000_000), `${d}`).toBe(want);
      }
    }
  });
});

it.each([
  ['2026-01-01T10:00:00.120000Z', '2026-01-01T10:00:00.12Z'],
  ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:00Z'],
  ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
])('%s is %s in short form', (time, short) => {
  expect(shortTime(time)).toBe(short);
});
