import { ParseError } from './parse-error.js';
import { quote } from './quote.js';

const MAX_INT64 = (1n << 63n) - 1n;
const MIN_INT64 = -(1n << 63n);

/** A decimal integer of 64 bits with an optional sign; 'syntax' or 'range' says why a text is not one. */
export function readInt64(text: string): bigint | 'syntax' | 'range' {
  if (!/^[+-]?\d+$/.test(text)) return 'syntax';
  const digits = text.replace(/^[+-]/, '').replace(/^0+(?=\d)/, '');
  // More digits never fit, and are not worth reading.
  if (digits.length > 19) return 'range';
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value < MIN_INT64 || value > MAX_INT64 ? 'range' : value;
}

/** @throws ParseError `strconv.ParseInt: parsing "x": invalid syntax`, or `value out of range`. */
export function parseSigned(text: string): bigint {
  const value = readInt64(text);
  if (typeof value === 'bigint') return value;
  const why = value === 'syntax' ? 'invalid syntax' : 'value out of range';
  throw new ParseError(`strconv.ParseInt: parsing ${quote(text)}: ${why}`);
}
