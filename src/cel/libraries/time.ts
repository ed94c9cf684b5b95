import { zoneFormatter } from '../../values/time-zone.js';
import type { FunctionDeclaration } from '../declarations.js';
import { DURATION, INT, STRING, TIMESTAMP } from '../typing/type.js';
import { noSuchOverload } from '../values/arithmetic.js';
import { Duration, Timestamp } from '../values/time.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import type { Implementation } from './library.js';

/** Returns one component of a timestamp, such as the year, as the CEL accessor returns it. */
type Part = (parts: Parts, time: Timestamp) => number;
const PARTS: Readonly<Record<string, readonly [word: string, part: Part]>> = {
  getFullYear: ['year', ({ year }) => year],
  getMonth: ['month', ({ month }) => month],
  getDayOfYear: ['day_of_year', ({ dayOfYear }) => dayOfYear],
  getDayOfMonth: ['day_of_month', ({ day }) => day - 1],
  getDate: ['day_of_month_1_based', ({ day }) => day],
  getDayOfWeek: ['day_of_week', ({ weekday }) => weekday],
  getHours: ['hours', ({ hour }) => hour],
  getMinutes: ['minutes', ({ minute }) => minute],
  getSeconds: ['seconds', ({ second }) => second],
  getMilliseconds: ['milliseconds', (_parts, { nanos }) => Math.floor(nanos / 1_000_000)],
};

const MILLISECOND = 1_000_000n;
/** The accessors of durations. Each returns the length of the whole duration in one unit. */
const UNITS: Readonly<Record<string, readonly [word: string, nanos: bigint]>> = {
  getHours: ['hours', 3_600_000_000_000n],
  getMinutes: ['minutes', 60_000_000_000n],
  getSeconds: ['seconds', 1_000_000_000n],
  getMilliseconds: ['milliseconds', MILLISECOND],
};

export const timeFunctions = (): FunctionDeclaration[] =>
  Object.entries(PARTS).map(([name, [word]]) => {
    const unit = UNITS[name];
    const ofDuration =
      unit === undefined ? [] : [{ id: `duration_to_${unit[0]}`, parameters: [DURATION], result: INT, receiver: true }];
    return {
      name,
      overloads: [
        { id: `timestamp_to_${word}`, parameters: [TIMESTAMP], result: INT, receiver: true },
        { id: `timestamp_to_${word}_with_tz`, parameters: [TIMESTAMP, STRING], result: INT, receiver: true },
        ...ofDuration,
      ],
    };
  });

function partOf(part: Part): Implementation {
  return (time, zone) => {
    if (!(time instanceof Timestamp)) return noSuchOverload();
    const parts = partsIn(time, typeof zone === 'string' ? zone : '');
    return typeof parts === 'string' ? new EvaluationError(parts) : part(parts, time);
  };
}

const wholeOf =
  (nanos: bigint) =>
  (value: Value): Outcome => {
    if (!(value instanceof Duration)) return noSuchOverload();
    // Milliseconds are computed as integers. All other units are computed as doubles, so a long duration that is just below a whole number
    // of units may be rounded up to that number.
    return nanos === MILLISECOND ? Number(value.nanos / nanos) : Math.trunc(value.in(nanos)) + 0;
  };

export const timeImplementations = (): Record<string, Implementation> =>
  Object.fromEntries([
    ...Object.values(PARTS).flatMap(([word, part]) => [
      [`timestamp_to_${word}`, partOf(part)] as const,
      [`timestamp_to_${word}_with_tz`, partOf(part)] as const,
    ]),
    ...Object.values(UNITS).map(([word, nanos]) => [`duration_to_${word}`, wholeOf(nanos) as Implementation] as const),
  ]);

/** The parts of a timestamp in a time zone. */
interface Parts {
  readonly year: number;
  /** The month, from 0. */
  readonly month: number;
  /** The day of the month, from 1. */
  readonly day: number;
  /** The day of the year, from 0. */
  readonly dayOfYear: number;
  /** The day of the week, from 0 for Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns the parts of a timestamp in a zone (`Europe/Berlin`, `+02:00`, `02:00`, '' for UTC), or an error message for an invalid zone. */
function partsIn(time: Timestamp, zone: string): Parts | string {
  const offset = offsetSeconds(time, zone);
  if (typeof offset === 'string') return offset;
  const date = new Date((time.seconds + offset) * 1000);
  const year = date.getUTCFullYear();
  const first = new Date(0);
  first.setUTCFullYear(year, 0, 1);
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    dayOfYear: Math.floor((date.getTime() - first.getTime()) / 86_400_000),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

function offsetSeconds(time: Timestamp, zone: string): number | string {
  // Upstream uses the time zone of the machine for `Local`. This server uses UTC, so that results are the same everywhere.
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  const colon = zone.indexOf(':');
  if (colon >= 0) return fixedOffset(zone, colon);
  if (zone.includes('..') || /^[/\\]/.test(zone) || zone.includes('\\')) return 'time: invalid location name';
  const formatter = zoneFormatter(zone);
  return formatter === undefined ? `unknown time zone ${zone}` : namedOffset(time, formatter);
}

/** Parses an offset. As in upstream, hours and minutes are parsed separately and are not limited to 23 and 59. */
function fixedOffset(zone: string, colon: number): number | string {
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const part of [hours, minutes]) {
    if (!/^[+-]?\d{1,6}$/.test(part)) return `strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`;
  }
  const size = zone.startsWith('-') ? Number(hours) * 60 - Number(minutes) : Number(hours) * 60 + Number(minutes);
  return size * 60;
}

function namedOffset(time: Timestamp, formatter: Intl.DateTimeFormat): number {
  const parts = new Map(formatter.formatToParts(time.seconds * 1000).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const local = new Date(0);
  local.setUTCFullYear(year, part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() / 1000 - time.seconds;
}
