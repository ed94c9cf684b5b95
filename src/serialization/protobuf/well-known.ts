import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { Schema, Variants } from '../../schema/schema.js';
import { messageOf } from '../../values/message-of.js';
import { parseMicroTime, parseTime } from '../../values/time.js';
import { parseJson } from '../json/decode.js';
import { encodeJson } from '../json/encode.js';
import { type Message, message, repeated, single } from './message.js';
import { boolean, int32, int64, text, type ValueCodec } from './scalars.js';
import { DELIMITED } from './wire-type.js';

/**
 * Creates a codec for a message that has another form in JSON, such as a time.
 * @param toParts converts a value to the message's fields, or returns undefined for the empty message.
 */
function messageAsString(
  parts: Message,
  toParts: (value: JsonValue) => JsonValue | undefined,
  fromParts: (parts: Readonly<Record<string, JsonValue | undefined>>) => JsonValue,
): ValueCodec {
  return {
    wireType: DELIMITED,
    write(writer, value) {
      const parsed = toParts(value ?? null);
      if (parsed === undefined) writer.varint(0);
      else parts.write(writer, parsed);
    },
    read(reader) {
      const read = parts.read(reader, undefined);
      return fromParts(isJsonObject(read) ? read : {});
    },
  };
}

const timestamp = message('Timestamp', () => [single(1, 'seconds', int64, false), single(2, 'nanos', int32, false)]);

/** The last second of the year 9999, and the first second of the year 0. */
const LAST_SECOND = 253_402_300_799;
const FIRST_SECOND = -62_167_219_200;
/** Go's zero time in seconds since the epoch. It is written as an empty message. */
const NO_TIME = -62_135_596_800;

function secondsToText(seconds: number): string {
  if (seconds > LAST_SECOND || seconds < FIRST_SECOND)
    throw new DecodeError('Time.MarshalJSON: year outside of range [0,9999]');
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** Converts a time to seconds since the epoch. Times in the server's own format are converted on a fast path. */
function secondsOf(text: string): number {
  const milliseconds = text.length === 20 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? parseTime(text).seconds : milliseconds / 1000;
}

/** Reads and writes times in whole seconds; fractions are dropped. */
export const time = messageAsString(
  timestamp,
  (value) => {
    if (typeof value !== 'string') return undefined;
    const seconds = secondsOf(value);
    return seconds === NO_TIME ? undefined : { seconds, nanos: 0 };
  },
  ({ seconds }) => (seconds === undefined ? null : `${secondsToText(Number(seconds))}Z`),
);

/** Reads and writes times in microseconds. */
export const microTime = messageAsString(
  timestamp,
  (value) => {
    if (typeof value !== 'string') return undefined;
    const { seconds, nanoseconds } = parseMicroTime(value);
    return seconds === NO_TIME && nanoseconds === 0
      ? undefined
      : { seconds, nanos: Math.trunc(nanoseconds / 1000) * 1000 };
  },
  ({ seconds, nanos }) => {
    if (seconds === undefined && nanos === undefined) return null;
    const micros = Math.trunc(Number(nanos ?? 0) / 1000);
    const carry = Math.floor(micros / 1e6);
    const fraction = String(micros - carry * 1e6).padStart(6, '0');
    return `${secondsToText(Number(seconds ?? 0) + carry)}.${fraction}Z`;
  },
);

/** Reads and writes quantities as strings. */
export const quantity = messageAsString(
  message('Quantity', () => [single(1, 'string', text, false)]),
  (value) => ({ string: typeof value === 'string' ? value : '0' }),
  ({ string }) => string ?? '0',
);

const IS_TEXT = 1;

/** Reads and writes an int-or-string. The field `type` determines which of the two it is. */
export const intOrString = messageAsString(
  message('IntOrString', () => [
    single(1, 'type', int64, false),
    single(2, 'intVal', int32, false),
    single(3, 'strVal', text, false),
  ]),
  (value) => (typeof value === 'string' ? { type: IS_TEXT, strVal: value } : { type: 0, intVal: value }),
  ({ type, intVal, strVal }) => (type === IS_TEXT ? (strVal ?? '') : (intVal ?? 0)),
);

/** Reads and writes raw JSON as bytes. */
const json: ValueCodec = {
  wireType: DELIMITED,
  write(writer, value) {
    const encoded = encodeJson(value);
    writer.bytes(encoded);
    writer.varint(encoded.length);
  },
  read(reader) {
    const encoded = reader.bytes();
    try {
      return encoded.length === 0 ? null : parseJson(encoded).value;
    } catch (error) {
      throw new DecodeError(messageOf(error), { cause: error });
    }
  },
};

/** Reads and writes raw JSON wrapped in a RawExtension message. */
export const rawExtension = messageAsString(
  message('RawExtension', () => [single(1, 'raw', json, true)]),
  (raw) => (raw === null ? undefined : { raw }),
  ({ raw }) => raw ?? null,
);

/**
 * Reads and writes a list as a message of its own. It is used where a repeated field is impossible, or where an empty list differs from an
 * absent one.
 */
export const listMessage = (item: ValueCodec): ValueCodec =>
  messageAsString(
    message('Items', () => [repeated(1, 'items', item)]),
    (items) => ({ items }),
    ({ items }) => items ?? [],
  );

/** Reads and writes a value that may have one of several types. The message has a field for each type. */
export function variantMessage(
  { object, list, boolean: truth }: Variants,
  codecOf: (schema: Schema) => ValueCodec,
): ValueCodec {
  return messageAsString(
    message('one of several', () => [
      ...(truth === undefined ? [] : [single(truth, 'truth', boolean, false)]),
      ...(object ? [single(object.number, 'object', codecOf(object.schema()), true)] : []),
      ...(list ? [repeated(list.number, 'list', codecOf(list.schema()))] : []),
    ]),
    (value) => {
      if (Array.isArray(value)) return { list: value };
      return isJsonObject(value) ? { truth: true, object: value } : { truth: value };
    },
    (parts) => parts['object'] ?? parts['list'] ?? parts['truth'] ?? (list === undefined ? false : []),
  );
}
