import { ParseError } from './parse-error.js';
import { quoteTime } from './time.js';
import { trimEnd } from './trim-end.js';

/** A duration in nanoseconds, within 64 bits. */
type Duration = bigint;

/** The nanoseconds of each unit. */
const DURATION_UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const LIMIT = 1n << 63n;

/**
 * Parses a duration such as `1h30m`, `-1.5s`, `300ms` or `0`.
 * @throws ParseError `time: invalid duration "x"`, `time: missing unit in duration "5"`, `time: unknown unit "d" in duration "1d"`.
 */
export function parseDuration(text: string): Duration {
  const invalid = () => new ParseError(`time: invalid duration ${quoteTime(text)}`);
  const negative = text.startsWith('-');
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  if (rest === '') throw invalid();
  let sum = 0n;
  while (rest !== '') {
    const [number = ''] = /^\d*\.?\d*/.exec(rest) ?? [];
    const [whole = '', fraction = ''] = number.split('.');
    if (whole + fraction === '' || isTooLarge(whole)) throw invalid();
    rest = rest.slice(number.length);
    const [unit = ''] = /^[^.\d]*/.exec(rest) ?? [];
    if (unit === '') throw new ParseError(`time: missing unit in duration ${quoteTime(text)}`);
    const size = DURATION_UNITS.get(unit);
    if (size === undefined)
      throw new ParseError(`time: unknown unit ${quoteTime(unit)} in duration ${quoteTime(text)}`);
    rest = rest.slice(unit.length);
    sum += BigInt(whole) * size + partOf(fraction, size);
    if (sum > LIMIT) throw invalid();
  }
  if (negative) return -sum;
  if (sum === LIMIT) throw invalid();
  return sum;
}

/**
 * Converts the fraction of a number with a unit (the `5` of `1.5s`) to nanoseconds. As upstream does, it computes in floating point and
 * ignores digits that do not fit 64 bits.
 */
function partOf(fraction: string, size: bigint): bigint {
  const digits = BigInt(fraction.slice(0, 19)) <= LIMIT ? fraction.slice(0, 19) : fraction.slice(0, 18);
  return BigInt(Math.trunc(Number(digits) * (Number(size) / 10 ** digits.length)));
}

/** Returns whether a number is beyond 2^63, which is an error before its unit is read. */
function isTooLarge(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length > 19 || BigInt(significant) > LIMIT;
}

/** Formats a duration canonically: `1h0m0s`, `1.5s`, `300ms`, `0s`. */
export function formatDuration(duration: Duration): string {
  if (duration === 0n) return '0s';
  const sign = duration < 0n ? '-' : '';
  const size = duration < 0n ? -duration : duration;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}\u00b5s`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const seconds = size % 60_000_000_000n;
  const minutes = size / 60_000_000_000n;
  const hours = minutes / 60n;
  const beforeSeconds = hours > 0n ? `${hours}h${minutes % 60n}m` : minutes > 0n ? `${minutes}m` : '';
  return `${sign}${beforeSeconds}${decimal(seconds, 9)}s`;
}

/** Returns `value` / 10^`places` without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  const fraction = trimEnd(digits.slice(-places), '0');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}

/** Returns the milliseconds of a duration, rounded towards zero. */
export function durationToMilliseconds(duration: Duration): number {
  return Number(duration / 1_000_000n);
}

/** Converts milliseconds to a duration; fractions of a millisecond are dropped. */
export function durationOfMilliseconds(milliseconds: number): Duration {
  return BigInt(Math.trunc(milliseconds)) * 1_000_000n;
}

/**
 * Formats an age for tables: `5d`, `3m20s`, `2y100d`. The result has one or two units; the longer the age, the coarser the units. Less than
 * two seconds in the future count as 0, because clocks differ; more than that is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return join(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return join(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return join(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? join(years, 'y', days % 365, 'd') : `${years}y`;
}

/** Joins two units; a smaller unit of 0 is left out. */
function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
