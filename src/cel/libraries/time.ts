import type { FunctionDeclaration } from '../declarations.js';
import { DURATION, INT, STRING, TIMESTAMP } from '../typing/type.js';
import { noSuchOverload } from '../values/arithmetic.js';
import { Duration, Timestamp } from '../values/time.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { type Parts, partsIn } from '../values/zones.js';
import type { Implementation } from './library.js';

/** Returns a part of a point in time. The word is the one that overload ids use for it. */
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
/** Units of durations. Each accessor counts the whole duration in its unit. */
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
    // Milliseconds are integers. The other units are computed in doubles, in which the end of a long duration may round up to the next
    // unit.
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
