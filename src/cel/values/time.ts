import { parseDuration as parseNanoseconds } from '../../values/duration.js';
import { plainDecimal } from '../../values/numbers.js';
import { ParseError } from '../../values/parse-error.js';
import { trimEnd } from '../../values/trim-end.js';
import { DURATION, TIMESTAMP, type Type } from '../typing/type.js';
import { INT_MAX, INT_MIN } from './numbers.js';
import { ObjectValue, type Value } from './value.js';

const SECOND = 1_000_000_000n;
/** The first and last second of timestamps: 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** A duration in whole nanoseconds, an int64. */
export class Duration extends ObjectValue {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }
  get type(): Type {
    return DURATION;
  }
  equals(other: Value): boolean {
    return other instanceof Duration && other.nanos === this.nanos;
  }
  override get mapKey(): string {
    return `duration ${this.nanos}`;
  }
  override get memberForm(): symbol {
    return Symbol('time.Duration');
  }
  compare(other: Value): number | undefined {
    return other instanceof Duration ? Number(this.nanos > other.nanos) - Number(this.nanos < other.nanos) : undefined;
  }
  /** Returns the duration in a unit, as a double that is rounded as in upstream. */
  in(unit: bigint): number {
    return Number(this.nanos / unit) + Number(this.nanos % unit) / Number(unit);
  }
  /** Formats the seconds with all decimals of the double: `3723.004s`. */
  override toString(): string {
    return `${plainDecimal(this.in(SECOND))}s`;
  }
}

/** Returns a duration; undefined when it exceeds an int64 of nanoseconds. */
export function toDuration(nanos: bigint): Duration | undefined {
  return nanos < INT_MIN || nanos > INT_MAX ? undefined : new Duration(nanos);
}

/** A point in time with nanoseconds, in the years 1 to 9999. */
export class Timestamp extends ObjectValue {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly seconds: number;
  /** The nanoseconds within the second, from 0 to 999,999,999. */
  readonly nanos: number;
  /** The offset with which the timestamp is printed, in minutes east of UTC. It has no other effect. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
  get type(): Type {
    return TIMESTAMP;
  }
  equals(other: Value): boolean {
    return other instanceof Timestamp && this.compare(other) === 0;
  }
  override get mapKey(): string {
    return `timestamp ${this.seconds} ${this.nanos}`;
  }
  override get memberForm(): symbol {
    return Symbol('time.Time');
  }
  compare(other: Value): number | undefined {
    return other instanceof Timestamp ? this.seconds - other.seconds || this.nanos - other.nanos : undefined;
  }
  /** Formats the timestamp by RFC 3339, with the offset with which it was parsed and as many decimals as needed. */
  override toString(): string {
    const text = new Date((this.seconds + this.offset * 60) * 1000).toISOString();
    return `${text.slice(0, text.indexOf('.'))}${fractionDigits(this.nanos)}${formatOffset(this.offset)}`;
  }
}

/** Returns a timestamp; undefined outside the years 1 to 9999. */
export function toTimestamp(seconds: number, nanos: number, offset = 0): Timestamp | undefined {
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND ? new Timestamp(seconds, nanos, offset) : undefined;
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}

/** Returns `time + duration`; undefined outside the range of timestamps. */
export function addDuration(time: Timestamp, duration: bigint): Timestamp | undefined {
  const nanos = BigInt(time.nanos) + duration;
  const over = nanos >= 0n ? nanos / SECOND : -((-nanos + SECOND - 1n) / SECOND);
  return toTimestamp(time.seconds + Number(over), Number(nanos - over * SECOND), time.offset);
}

/** Returns `a - b`; undefined when the difference, or its whole seconds alone, exceeds the range of durations. */
export function between(a: Timestamp, b: Timestamp): Duration | undefined {
  const seconds = toDuration(BigInt(a.seconds - b.seconds) * SECOND);
  return seconds && toDuration(seconds.nanos + BigInt(a.nanos - b.nanos));
}

/** Formats nanoseconds as `.004`, without trailing zeros; '' for 0. */
function fractionDigits(nanos: number): string {
  return nanos === 0 ? '' : `.${trimEnd(String(nanos).padStart(9, '0'), '0')}`;
}

/** The hour may have one digit: upstream accepts that, although RFC 3339 does not. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses RFC 3339. @returns undefined for a string that is not a time, `'range'` for a time outside the years 1 to 9999. */
export function parseTimestamp(text: string): Timestamp | 'range' | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number) as [number, ...number[]];
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  if (!isDate(year ?? 0, month ?? 0, day ?? 0) || hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === '-' ? -1 : 1);
  if (Number(match[9] ?? 0) > 24 || Number(match[10] ?? 0) > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day ?? 1);
  date.setUTCHours(hour, minute, second);
  const nanos = Number((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return toTimestamp(date.getTime() / 1000 - offset * 60, nanos, offset) ?? 'range';
}

/** Returns whether a day exists in the Gregorian calendar. */
export function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** Parses a duration such as `1h2m3.5s`, which may have a sign. Returns undefined for a string that is not a duration or is too long. */
export function parseDuration(text: string): Duration | undefined {
  if (text.length > MAX_DURATION_TEXT) return undefined;
  try {
    return new Duration(parseNanoseconds(text));
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
/**
 * The maximum length of a duration's string, because the time to parse long numbers is not charged. A longer string is invalid or padded
 * with zeros.
 */
const MAX_DURATION_TEXT = 500;
