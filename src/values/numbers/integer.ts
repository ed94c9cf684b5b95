import { ParseError } from '../parse-error.js';
import { quote } from '../quote.js';

const MAX_INT64 = (1n << 63n) - 1n;
const MIN_INT64 = -(1n << 63n);
const MAX_UINT64 = (1n << 64n) - 1n;

/** Parses a decimal integer of 64 bits with an optional sign; returns 'syntax' or 'range' as the reason for an invalid text. */
export function readInt64(text: string): bigint | 'syntax' | 'range' {
  return /^[+-]?\d+$/.test(text) ? bounded(text, MIN_INT64, MAX_INT64) : 'syntax';
}

/** Parses a decimal integer of 64 bits without a sign. */
function readUint64(text: string): bigint | 'syntax' | 'range' {
  return /^\d+$/.test(text) ? bounded(text, 0n, MAX_UINT64) : 'syntax';
}

/** @throws ParseError `strconv.ParseInt: parsing "x": invalid syntax`, or `value out of range`. */
export function parseSigned(text: string): bigint {
  return orThrow('ParseInt', text, readInt64(text));
}

/** @throws ParseError `strconv.ParseUint: parsing "x": invalid syntax`, or `value out of range`. */
export function parseUnsigned(text: string): bigint {
  return orThrow('ParseUint', text, readUint64(text));
}

function bounded(text: string, min: bigint, max: bigint): bigint | 'range' {
  const digits = text.replace(/^[+-]/, '').replace(/^0+(?=\d)/, '');
  // A number with more digits never fits, so it is not parsed.
  if (digits.length > 20) return 'range';
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value < min || value > max ? 'range' : value;
}

function orThrow(reader: string, text: string, value: bigint | 'syntax' | 'range'): bigint {
  if (typeof value === 'bigint') return value;
  const why = value === 'syntax' ? 'invalid syntax' : 'value out of range';
  throw new ParseError(`strconv.${reader}: parsing ${quote(text)}: ${why}`);
}
