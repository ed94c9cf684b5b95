import { DecodeError } from '../json/decode-error.js';
import { jsonTypeName, NumberText, plainNumbers } from '../json/number-text.js';
import type { JsonValue } from '../json/value.js';
import { canonicalBase64, encodeBase64 } from '../values/base64.js';
import { ParseError } from '../values/parse-error.js';
import { canonicalQuantity } from '../values/quantity.js';
import { normalizeMicroTime, normalizeTime } from '../values/time.js';
import { badBase64, type Decoding } from './decoding.js';
import { copyJson } from './json-objects.js';
import type {
  AnySchema,
  BooleanSchema,
  IntegerSchema,
  IntOrStringSchema,
  NumberSchema,
  StringSchema,
} from './schema.js';

/**
 * Decodes one value, which must not be null. If the value is invalid, the returned value is ignored. The failure is recorded in `at`, or
 * thrown if the type has its own `UnmarshalJSON` upstream, because failures of such types take precedence.
 */
export type Decode = (value: unknown, at: Decoding) => JsonValue | undefined;

/** Returns the decoder of a scalar. */
export function scalarDecoder(
  schema: StringSchema | IntegerSchema | NumberSchema | BooleanSchema | IntOrStringSchema | AnySchema,
): Decode {
  switch (schema.type) {
    case 'string':
      return stringDecoder(schema);
    case 'integer':
      return integerDecoder(schema);
    case 'number':
      return (value, at) => {
        const number = numberIn(value);
        if (number === undefined) return at.wrongType(value, schema) ?? undefined;
        return Number.isFinite(number) ? number : (at.wrongType(value, schema, textOf(value, at)) ?? undefined);
      };
    case 'boolean':
      return (value, at) => (typeof value === 'boolean' ? value : at.wrongType(value, schema)) ?? undefined;
    case 'intOrString':
      return (value, at) => (typeof value === 'string' ? value : int32Alone(value, at));
    default:
      // Arbitrary JSON of a request body may be kept, but that of a caller in the same process must be copied.
      return (value, at) => {
        // The body is JSON, so the cast is safe.
        const raw = at.marksNumbers ? plainNumbers(value as JsonValue) : (value as JsonValue);
        return at.copyRaw ? copyJson(raw) : raw;
      };
  }
}

/** Returns a number, whether it is plain or a `NumberText`; undefined for other values. */
function numberIn(value: unknown): number | undefined {
  if (value instanceof NumberText) return Number(value.text);
  return typeof value === 'number' ? value : undefined;
}

/** Returns the literal of a number if JavaScript would print it differently. */
const textOf = (value: unknown, at: Decoding): string | undefined =>
  value instanceof NumberText ? value.text : at.numberText();

// Matches times that the server wrote itself, which need no conversion. February 29 does not match, because not every year has it.
const NORMALIZED_TIME =
  /^[12]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const readQuantity = (text: string) => canonicalQuantity(trimUnescaped(text));

function stringDecoder(schema: StringSchema): Decode {
  switch (schema.format) {
    case 'date-time':
      return (value, at) =>
        typeof value === 'string' && NORMALIZED_TIME.test(value) ? value : readAlone(value, at, normalizeTime);
    case 'micro-time':
      return (value, at) => readAlone(value, at, normalizeMicroTime);
    case 'quantity':
      return (value, at) =>
        asDecodeError(() => readQuantity(typeof value === 'string' ? value : quantityText(value, at)));
    case 'byte':
      return (value, at) => decodeBytes(value, at, schema);
    default:
      return (value, at) => (typeof value === 'string' ? value : at.wrongType(value, schema)) ?? undefined;
  }
}

/**
 * Returns the string that upstream parses as a quantity when the JSON value is not a string: the literal of a number, or the name of the
 * JSON type for any other value. A type name is never a valid quantity.
 */
const quantityText = (value: unknown, at: Decoding) =>
  numberIn(value) === undefined ? jsonTypeName(value) : (textOf(value, at) ?? String(value));

function readAlone<T extends JsonValue>(value: unknown, at: Decoding, read: (text: string) => T): T {
  if (typeof value !== 'string') throw new DecodeError(at.cannotUnmarshal(jsonTypeName(value), 'string'));
  return asDecodeError(() => read(value));
}
function asDecodeError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParseError) throw new DecodeError(error.message, { cause: error });
    throw error;
  }
}
/** Matches an integer literal. An integer with more than 30 digits does not fit 64 bits anyway. */
const WHOLE = /^-?\d{1,30}$/;
function int32Alone(value: unknown, at: Decoding): number {
  const text = textOf(value, at);
  const number = numberIn(value);
  if (number !== undefined && (number | 0) === number && (text === undefined || WHOLE.test(text)))
    return number === 0 ? 0 : number;
  const detail = number === undefined ? jsonTypeName(value) : `number ${text ?? value}`;
  throw new DecodeError(at.cannotUnmarshal(detail, 'int32'));
}

/** The characters that Go counts as space and that JSON strings may contain without an escape. Line breaks and tabs need an escape. */
const UNESCAPED_SPACE = /[ \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Trims a string. Upstream trims quantities before it resolves escapes, so an escaped line break does not count as space. */
function trimUnescaped(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && UNESCAPED_SPACE.test(text.charAt(start))) start++;
  while (start < end && UNESCAPED_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function decodeBytes(value: unknown, at: Decoding, schema: StringSchema): string | undefined {
  if (typeof value === 'string') {
    const text = canonicalBase64(value);
    if (typeof text === 'string') return text;
    at.fail(badBase64(text));
  } else if (Array.isArray(value) && !(value instanceof NumberText)) return encodeBase64(bytesOf(value, at));
  else at.wrongType(value, schema);
  return undefined;
}

/** Decodes a list of integers from 0 to 255 as bytes, as Go does for `[]byte`. */
function bytesOf(items: readonly unknown[], at: Decoding): Uint8Array {
  const bytes = new Uint8Array(items.length);
  for (let i = 0; i < items.length; i++) {
    at.enter(i);
    bytes[i] = byteIn(items[i], at);
    at.leave();
  }
  return bytes;
}

function byteIn(value: unknown, at: Decoding): number {
  if (value === null || value === undefined) return 0;
  const number = numberIn(value);
  const text = number === undefined ? undefined : (textOf(value, at) ?? String(number));
  if (number !== undefined && number < 256 && /^\d+$/.test(text ?? '')) return number;
  at.fail(at.cannotUnmarshal(text === undefined ? jsonTypeName(value) : `number ${text}`, 'uint8'));
  return 0;
}

function integerDecoder(schema: IntegerSchema): Decode {
  const bits = schema.format === 'int32' ? 32n : 64n;
  const limit = 2n ** (bits - 1n);
  return (value, at) => {
    const number = numberIn(value);
    if (number === undefined) return at.wrongType(value, schema) ?? undefined;
    const text = textOf(value, at);
    if (text === undefined) {
      // The number 2^63 is accepted as int64, because JavaScript may have rounded an integer just below 2^63 to it.
      if (Number.isInteger(number) && number >= -Number(limit) && number <= Number(bits === 64n ? limit : limit - 1n))
        return number === 0 ? 0 : number;
    } else if (WHOLE.test(text) && BigInt(text) >= -limit && BigInt(text) < limit) return number === 0 ? 0 : number;
    at.wrongType(value, schema, text ?? String(number));
    return undefined;
  };
}
