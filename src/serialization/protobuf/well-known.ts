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
 * Makes a codec for a message with another form in JSON.
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

/** The last second with a year of four digits, and the first. */
const LAST_SECOND = 253_402_300_799;
const FIRST_SECOND = -62_167_219_200;
/** The seconds of Go's zero time, which is written without fields. */
const NO_TIME = -62_135_596_800;

function secondsToText(seconds: number): string {
  if (seconds > LAST_SECOND || seconds < FIRST_SECOND)
    throw new DecodeError('Time.MarshalJSON: year outside of range [0,9999]');
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** Converts a time to seconds; the server's own format has a fast path. */
function secondsOf(text: string): number {
  const milliseconds = text.length === 20 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? parseTime(text).seconds : milliseconds / 1000;
}

/** A time in whole seconds; fractions are dropped. */
export const time = messageAsString(
  timestamp,
  (value) => {
    if (typeof value !== 'string') return undefined;
    const seconds = secondsOf(value);
    return seconds === NO_TIME ? undefined : { seconds, nanos: 0 };
  },
  ({ seconds }) => (seconds === undefined ? null : `${secondsToText(Number(seconds))}Z`),
);

/** A time in microseconds. */
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

/** A quantity, as text. */
export const quantity = messageAsString(
  message('Quantity', () => [single(1, 'string', text, false)]),
  (value) => ({ string: typeof value === 'string' ? value : '0' }),
  ({ string }) => string ?? '0',
);

const IS_TEXT = 1;

/** A number or a text, with a field for which of the two it is. */
export const intOrString = messageAsString(
  message('IntOrString', () => [
    single(1, 'type', int64, false),
    single(2, 'intVal', int32, false),
    single(3, 'strVal', text, false),
  ]),
  (value) => (typeof value === 'string' ? { type: IS_TEXT, strVal: value } : { type: 0, intVal: value }),
  ({ type, intVal, strVal }) => (type === IS_TEXT ? (strVal ?? '') : (intVal ?? 0)),
);

/** JSON text as bytes. */
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

/** Raw JSON in a message of its own. */
export const rawExtension = messageAsString(
  message('RawExtension', () => [single(1, 'raw', json, true)]),
  (raw) => (raw === null ? undefined : { raw }),
  ({ raw }) => raw ?? null,
);

/** A list in a message of its own, for places where a repeated field cannot be used, or where an empty list differs from an absent one. */
export const listMessage = (item: ValueCodec): ValueCodec =>
  messageAsString(
    message('Items', () => [repeated(1, 'items', item)]),
    (items) => ({ items }),
    ({ items }) => items ?? [],
  );

/** A value of one of several types, with a field for each type. */
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
