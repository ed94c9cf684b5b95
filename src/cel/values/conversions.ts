import { readBooleanText } from '../../values/boolean-text.js';
import { Double, toInt64, toUint64, Uint } from './numbers.js';
import { textOf } from './print.js';
import { fromBytes, toBytes } from './text.js';
import { Duration, parseDuration, parseTimestamp, Timestamp, toTimestamp } from './time.js';
import { typeName } from './types.js';
import { EvaluationError, type Outcome, type Value } from './value.js';
import { spendText } from './work.js';

const mismatch = (value: Value, to: string): EvaluationError =>
  new EvaluationError(`type conversion error from '${typeName(value)}' to '${to}'`);
const intRange = (value: bigint): Outcome => toInt64(value) ?? new EvaluationError('integer overflow');
const uintRange = (value: bigint): Outcome => toUint64(value) ?? new EvaluationError('unsigned integer overflow');

/**
 * Matches a decimal integer. It captures the sign, and the digits without leading zeros. At most 20 digits are accepted, because the time
 * to parse longer numbers is not charged.
 */
const DIGITS = /^([+-]?)0*(\d{1,20})$/;

export function toInt(value: Value): Outcome {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Uint) return intRange(BigInt(value.value));
  if (value instanceof Double) {
    // The limits themselves are excluded: as doubles they cannot be distinguished from nearby integers outside int64.
    const inside = value.value > -(2 ** 63) && value.value < 2 ** 63;
    return inside ? intRange(BigInt(Math.trunc(value.value))) : new EvaluationError('integer overflow');
  }
  if (value instanceof Timestamp) return value.seconds;
  if (value instanceof Duration) return intRange(value.nanos);
  const [, sign, digits] = (typeof value === 'string' && DIGITS.exec(value)) || [];
  if (digits === undefined) return mismatch(value, 'int');
  return toInt64(sign === '-' ? -BigInt(digits) : BigInt(digits)) ?? mismatch(value, 'int');
}

export function toUint(value: Value): Outcome {
  if (value instanceof Uint) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return uintRange(BigInt(value));
  if (value instanceof Double) {
    const inside = value.value >= 0 && value.value < 2 ** 64;
    return inside ? uintRange(BigInt(Math.trunc(value.value))) : new EvaluationError('unsigned integer overflow');
  }
  const [, sign, digits] = (typeof value === 'string' && DIGITS.exec(value)) || [];
  if (digits === undefined || sign !== '') return mismatch(value, 'uint');
  return toUint64(BigInt(digits)) ?? mismatch(value, 'uint');
}

/** A number as Go reads it: single underscores may separate digits, and a hexadecimal number has an exponent of 2. */
const DECIMAL_FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const HEX_FLOAT =
  /^([+-]?)0[xX](_?[\da-fA-F]+(?:_[\da-fA-F]+)*)?(?:\.([\da-fA-F]+(?:_[\da-fA-F]+)*)?)?[pP]([+-]?\d+(?:_\d+)*)$/;
const SPECIAL_FLOATS: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
]);

export function toDouble(value: Value): Outcome {
  if (value instanceof Double) return value;
  if (typeof value === 'number') return new Double(value);
  if (typeof value === 'bigint') return new Double(Number(value));
  if (value instanceof Uint) return new Double(Number(value.value));
  const parsed = typeof value === 'string' ? parseDouble(value) : undefined;
  return parsed === undefined ? mismatch(value, 'double') : new Double(parsed);
}

function parseDouble(text: string): number | undefined {
  const bare = text.replace(/^[+-]/, '').toLowerCase();
  const special = SPECIAL_FLOATS.get(bare);
  if (special !== undefined && !Number.isNaN(special)) return text.startsWith('-') ? -special : special;
  if (bare === 'nan') return bare.length === text.length ? special : undefined;
  const parsed = DECIMAL_FLOAT.test(text) ? Number(text.replaceAll('_', '')) : parseHexFloat(text);
  return parsed !== undefined && Number.isFinite(parsed) ? parsed : undefined;
}

function parseHexFloat(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', exponent] = HEX_FLOAT.exec(text) ?? [];
  const places = fraction.replaceAll('_', '');
  const digits = whole.replaceAll('_', '') + places;
  if (exponent === undefined || digits === '') return undefined;
  const size = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent.replaceAll('_', '')) - 4 * places.length);
  return sign === '-' ? -size : size;
}

export function toText(value: Value): Outcome {
  if (value instanceof Uint8Array) {
    spendText(value.length);
    return fromBytes(value) ?? new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
  return textOf(value) ?? mismatch(value, 'string');
}

export function toByteString(value: Value): Outcome {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return mismatch(value, 'bytes');
  spendText(value.length);
  return toBytes(value);
}

export function toBool(value: Value): Outcome {
  if (typeof value === 'boolean') return value;
  return (typeof value === 'string' ? readBooleanText(value) : undefined) ?? mismatch(value, 'bool');
}

export function toDurationValue(value: Value): Outcome {
  if (value instanceof Duration) return value;
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  return parsed ?? mismatch(value, 'google.protobuf.Duration');
}

export function toTimestampValue(value: Value): Outcome {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'number' || typeof value === 'bigint') {
    return toTimestamp(Number(value), 0) ?? new EvaluationError('timestamp overflow');
  }
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (parsed === 'range') return new EvaluationError('timestamp overflow');
  return parsed ?? mismatch(value, 'google.protobuf.Timestamp');
}
