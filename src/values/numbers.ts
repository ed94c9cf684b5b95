import { ParseError } from './parse-error.js';
import { quote } from './quote.js';

const MAX_INT64 = (1n << 63n) - 1n;
const MIN_INT64 = -(1n << 63n);
const MAX_UINT16 = (1n << 16n) - 1n;
const MAX_UINT64 = (1n << 64n) - 1n;

/** Parses a decimal integer of 64 bits with an optional sign. For an invalid string it returns the reason, 'syntax' or 'range'. */
export function readInt64(text: string): bigint | 'syntax' | 'range' {
  return /^[+-]?\d+$/.test(text) ? parseBounded(text, MIN_INT64, MAX_INT64) : faultOf(text.replace(/^[+-]/, ''));
}

/** Parses an unsigned decimal integer of 64 bits. For an invalid string it returns the reason, 'syntax' or 'range'. */
function readUint64(text: string): bigint | 'syntax' | 'range' {
  return /^\d+$/.test(text) ? parseBounded(text, 0n, MAX_UINT64) : faultOf(text);
}

/** Returns why a string is not a number. As in Go, leading digits that are out of range precede an invalid character behind them. */
function faultOf(text: string): 'syntax' | 'range' {
  const [digits = ''] = /^\d*/.exec(text) ?? [];
  return parseBounded(digits === '' ? '0' : digits, 0n, MAX_UINT64) === 'range' ? 'range' : 'syntax';
}

/**
 * Parses a decimal integer of 64 bits like Go's `ParseInt`.
 * @throws ParseError `strconv.ParseInt: parsing "x": invalid syntax`, or `value out of range`.
 */
export function parseSigned(text: string): bigint {
  return orThrow('ParseInt', text, readInt64(text));
}

/**
 * Parses an unsigned decimal integer of 64 bits like Go's `ParseUint`.
 * @throws ParseError `strconv.ParseUint: parsing "x": invalid syntax`, or `value out of range`.
 */
export function parseUnsigned(text: string): bigint {
  return orThrow('ParseUint', text, readUint64(text));
}

/** Parses an unsigned decimal integer of 16 bits. @throws ParseError as {@link parseUnsigned}. */
export function parseUint16(text: string): number {
  const value = readUint64(text);
  return Number(orThrow('ParseUint', text, typeof value === 'bigint' && value > MAX_UINT16 ? 'range' : value));
}

function parseBounded(text: string, min: bigint, max: bigint): bigint | 'range' {
  const digits = text.replace(/^[+-]/, '').replace(/^0+(?=\d)/, '');
  // A number with more than 20 digits does not fit 64 bits, so it is not parsed.
  if (digits.length > 20) return 'range';
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value < min || value > max ? 'range' : value;
}

function orThrow(reader: string, text: string, value: bigint | 'syntax' | 'range'): bigint {
  if (typeof value === 'bigint') return value;
  const why = value === 'syntax' ? 'invalid syntax' : 'value out of range';
  throw new ParseError(`strconv.${reader}: parsing ${quote(text)}: ${why}`);
}

const FROM_EXPONENT = 6;

/** Formats a double in its shortest form. From 1e+06 on, and below 1e-04, it has an exponent with at least two digits. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < FROM_EXPONENT) return plainDigits(mantissa, exponent);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Formats a finite double in its shortest form without an exponent: `0.000001`. */
export function plainDecimal(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return plainDigits(mantissa, Number(exponent));
}

/** Returns the product of `mantissa` and ten to the power of `exponent` as a decimal number without an exponent. */
function plainDigits(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
