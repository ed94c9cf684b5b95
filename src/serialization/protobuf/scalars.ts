import type { JsonValue } from '../../json/value.js';
import { decodeBase64, encodeBase64 } from '../../values/base64.js';
import type { WireReader } from './wire-reader.js';
import { DELIMITED, FIXED32, FIXED64, VARINT } from './wire-type.js';
import type { WireWriter } from './wire-writer.js';

/** Writes and reads values of one type, without the tag before them. */
export interface ValueCodec {
  readonly wireType: number;
  /** Writes a value. Undefined and null are written as the zero value. */
  write(writer: WireWriter, value: JsonValue | undefined): void;
  /**
   * Reads a value.
   * @param before the value that the same field already has, because repeated messages merge their fields
   * @throws DecodeError
   */
  read(reader: WireReader, before: JsonValue | undefined): JsonValue;
}

export const text: ValueCodec = {
  wireType: DELIMITED,
  write: (writer, value) => writer.text(typeof value === 'string' ? value : ''),
  read: (reader) => reader.text(),
};

export const boolean: ValueCodec = {
  wireType: VARINT,
  write: (writer, value) => writer.varint(value === true ? 1 : 0),
  read: (reader) => reader.boolean(),
};

const numberOf = (value: JsonValue | undefined) => (typeof value === 'number' ? value : 0);

export const int32: ValueCodec = {
  wireType: VARINT,
  write: (writer, value) => writer.integer(numberOf(value)),
  read: (reader) => reader.int32(),
};

export const int64: ValueCodec = {
  wireType: VARINT,
  write: (writer, value) => writer.integer(numberOf(value)),
  read: (reader) => reader.int64(),
};

export const float: ValueCodec = {
  wireType: FIXED32,
  write: (writer, value) => writer.float32(numberOf(value)),
  read: (reader) => reader.float32(),
};

export const double: ValueCodec = {
  wireType: FIXED64,
  write: (writer, value) => writer.float64(numberOf(value)),
  read: (reader) => reader.float64(),
};

/** Reads and writes bytes, which are base64 strings in JSON. */
export const bytes: ValueCodec = {
  wireType: DELIMITED,
  write(writer, value) {
    const all = typeof value === 'string' ? decodeBase64(value) : new Uint8Array(0);
    writer.bytes(all);
    writer.varint(all.length);
  },
  read: (reader) => encodeBase64(reader.bytes()),
};
