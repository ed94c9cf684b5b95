import type { JsonValue } from '../../json/value.js';
import type { WireReader } from './wire-reader.js';
import { DELIMITED, FIXED32, FIXED64, VARINT } from './wire-type.js';
import type { WireWriter } from './wire-writer.js';

/** How values of one type are written and read, without the tag before them. */
export interface ValueCodec {
  readonly wireType: number;
  /** Writes the zero value for undefined and null. */
  write(writer: WireWriter, value: JsonValue | undefined): void;
  /**
   * @param before what the same field held already: the fields of messages add up
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

/** Base64 in JSON. */
export const bytes: ValueCodec = {
  wireType: DELIMITED,
  write(writer, value) {
    const binary = typeof value === 'string' ? atob(value) : '';
    const all = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) all[i] = binary.charCodeAt(i);
    writer.bytes(all);
    writer.varint(all.length);
  },
  read: (reader) => toBase64(reader.bytes()),
};

// What a call takes as arguments without harm.
const CHUNK = 0x2000;

function toBase64(all: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < all.length; i += CHUNK) binary += String.fromCharCode(...all.subarray(i, i + CHUNK));
  return btoa(binary);
}
