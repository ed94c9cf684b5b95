import { DecodeError } from '../json/decode-error.js';
import { NumberText, plainNumbers } from '../json/number-text.js';
import { jsonTypeName } from '../json/type-name.js';
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
 * Reads one value that is there (not null). What it gives for a bad one does not matter: the failure is noted in `at`,
 * or thrown where the type has a reader of its own upstream, whose failures come before all others.
 */
export type Decode = (value: unknown, at: Decoding) => JsonValue | undefined;

/** The reader of a leaf. */
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
        return Number.isFinite(number) ? number : (at.wrongType(value, schema) ?? undefined);
      };
    case 'boolean':
      return (value, at) => (typeof value === 'boolean' ? value : at.wrongType(value, schema)) ?? undefined;
    case 'intOrString':
      return (value, at) => (typeof value === 'string' ? value : int32Alone(value, at));
    default:
      // Raw JSON of a body is ours to keep; of a caller in the same process it is theirs.
      return (value, at) => {
        const raw = at.marksNumbers ? plainNumbers(value as JsonValue) : (value as JsonValue); // the body is JSON
        return at.copyRaw ? copyJson(raw) : raw;
      };
  }
}

/** A number, however it came. */
function numberIn(value: unknown): number | undefined {
  if (value instanceof NumberText) return Number(value.text);
  return typeof value === 'number' ? value : undefined;
}

/** How a number was written, where that is not how it prints. */
const textOf = (value: unknown, at: Decoding): string | undefined =>
  value instanceof NumberText ? value.text : at.numberText();

// Spares the reader for times the server wrote itself; odd days go the long way.
const SURELY_NORMAL = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const readQuantity = (text: string) => canonicalQuantity(trimUnescaped(text));

function stringDecoder(schema: StringSchema): Decode {
  switch (schema.format) {
    case 'date-time':
      return (value, at) =>
        typeof value === 'string' && SURELY_NORMAL.test(value) ? value : readAlone(value, at, normalizeTime);
    case 'micro-time':
      return (value, at) => readAlone(value, at, normalizeMicroTime);
    case 'quantity':
      return (value, at) => refused(() => readQuantity(typeof value === 'string' ? value : quantityText(value, at)));
    case 'byte':
      return (value, at) => decodeBytes(value, at, schema);
    default:
      return (value, at) => (typeof value === 'string' ? value : at.wrongType(value, schema)) ?? undefined;
  }
}

/** What no text is, a quantity is read from as it is written: only numbers are written as quantities are. */
const quantityText = (value: unknown, at: Decoding) =>
  numberIn(value) === undefined ? jsonTypeName(value) : (textOf(value, at) ?? String(value));

function readAlone<T extends JsonValue>(value: unknown, at: Decoding, read: (text: string) => T): T {
  if (typeof value !== 'string') throw new DecodeError(at.cannotUnmarshal(jsonTypeName(value), 'string'));
  return refused(() => read(value));
}
function refused<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParseError) throw new DecodeError(error.message, { cause: error });
    throw error;
  }
}
/** How a whole number is written; no longer one fits 64 bits. */
const WHOLE = /^-?\d{1,30}$/;
function int32Alone(value: unknown, at: Decoding): number {
  const text = textOf(value, at);
  const number = numberIn(value);
  if (number !== undefined && (number | 0) === number && (text === undefined || WHOLE.test(text)))
    return number === 0 ? 0 : number;
  const detail = number === undefined ? jsonTypeName(value) : `number ${text ?? value}`;
  throw new DecodeError(at.cannotUnmarshal(detail, 'int32'));
}

/** Spaces of Go that a JSON text may hold as they are; line breaks and tabs need an escape. */
const UNESCAPED_SPACE = /[ \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** A text without the spaces around it. The reference reads quantities with their escapes, so that a line break is no space there. */
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

/** Upstream reads lists of small numbers as bytes, too. */
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
      // 2^63 is how a number below it, too fine for JavaScript, may arrive.
      if (Number.isInteger(number) && number >= -Number(limit) && number <= Number(bits === 64n ? limit : limit - 1n))
        return number === 0 ? 0 : number;
    } else if (WHOLE.test(text) && BigInt(text) >= -limit && BigInt(text) < limit) return number === 0 ? 0 : number;
    at.wrongType(value, schema, text ?? String(number));
    return undefined;
  };
}
