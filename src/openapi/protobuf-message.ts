import { isJsonObject, type JsonValue } from '../json/value.js';
import { yieldIfDue } from '../meta/flow.js';
import type { Chunks } from '../serialization/format.js';
import { stringifyJson } from '../serialization/json/encode.js';
import { lengthOf } from '../values/join-bytes.js';
import { type Entry, inObjectOrder, readEntry } from './entry.js';
import type { Layout } from './layout.js';

/** Writes a JSON value into a field of a protobuf message. */
export interface Codec {
  (writer: ProtobufWriter, field: number, value: JsonValue): void;
  /** Returns the definition of the message; present if the value is a message. */
  readonly message?: () => Message;
  /** Encodes one entry of a map as a message and caches the result; present if the value is a map. */
  readonly entry?: (entry: Entry) => Uint8Array;
}
export interface Message {
  readonly fields: ReadonlyMap<string, readonly [field: number, codec: Codec]>;
  /** Number of the field for vendor extensions (members that begin with `x-`). */
  readonly extensions?: number;
}

/** Defines a message. @param extensions number of the field for vendor extensions (members that begin with `x-`) */
export function message(fields: Readonly<Record<string, readonly [number, Codec]>>, extensions?: number): Message {
  return { fields: new Map(Object.entries(fields)), ...(extensions === undefined ? {} : { extensions }) };
}

function writeMessage(writer: ProtobufWriter, { fields, extensions }: Message, value: JsonValue): void {
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const [field, codec] = fields.get(name) ?? [];
    if (field !== undefined && codec !== undefined) codec(writer, field, member);
    else if (extensions !== undefined && name.startsWith('x-'))
      writeNamed(writer, extensions, name, () => anything(writer, 2, member));
  }
}

const writeNamed = (writer: ProtobufWriter, field: number, name: string, value: () => void): void =>
  writer.message(field, () => {
    writer.text(1, name);
    value();
  });

export const text: Codec = (writer, field, value) => typeof value === 'string' && writer.text(field, value);
export const flag: Codec = (writer, field, value) => typeof value === 'boolean' && writer.boolean(field, value);
export const count: Codec = (writer, field, value) => typeof value === 'number' && writer.integer(field, value);
export const double: Codec = (writer, field, value) => typeof value === 'number' && writer.double(field, value);
/** Writes any JSON value as YAML text. It needs no conversion, because JSON is valid YAML. */
export const anything: Codec = (writer, field, value) =>
  writer.message(field, () => writer.text(2, stringifyJson(value)));
/** Returns a codec for a list, whose items are written one after the other with the same field number. */
export const repeated =
  (codec: Codec): Codec =>
  (writer, field, value) => {
    if (Array.isArray(value)) for (const item of value) codec(writer, field, item);
  };
/** Returns a codec for a message that has the value in its only field. */
export const inside =
  (field: number, codec: Codec): Codec =>
  (writer, outer, value) =>
    writer.message(outer, () => codec(writer, field, value));
/**
 * Returns a codec for a message. `get` returns the message's definition; it is a function, because the definition may follow later in the
 * file.
 */
export function nested(get: () => Message): Codec {
  let known: Message | undefined;
  const message = () => (known ??= get());
  const write: Codec = (writer, field, value) => writer.message(field, () => writeMessage(writer, message(), value));
  return Object.assign(write, { message });
}
/** Writes a map as a message with a list of name-value pairs. */
export function namedEntries(codec: Codec, listField = 1): Codec {
  const encodedEntries = new WeakMap<Entry, Uint8Array>();
  const writeEntry = (writer: ProtobufWriter, name: string, value: JsonValue) =>
    writeNamed(writer, listField, name, () => codec(writer, 2, value));
  const write: Codec = (writer, field, value) => {
    writer.message(field, () => {
      if (isJsonObject(value))
        for (const [name, member] of Object.entries(value)) if (member !== undefined) writeEntry(writer, name, member);
    });
  };
  const entry = (mapEntry: Entry) => {
    let bytes = encodedEntries.get(mapEntry);
    if (!bytes) {
      const writer = new ProtobufWriter();
      writeEntry(writer, mapEntry.name, readEntry(mapEntry));
      encodedEntries.set(mapEntry, (bytes = writer.finish()));
    }
    return bytes;
  };
  return Object.assign(write, { entry });
}

/** Returns the member `name` of a JSON object, or undefined if `value` is not a JSON object. */
export const member = (value: JsonValue, name: string): JsonValue | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/**
 * Encodes a document in chunks. The chunks of entries are cached for other documents that contain the same entries. Encoding yields to
 * other requests.
 */
export async function encodeMessage(message: Message, layout: Layout): Promise<Chunks> {
  const chunks: Uint8Array[] = [];
  for (const part of layout) {
    const [field, codec] = message.fields.get(part.name) ?? [];
    if (field === undefined || codec === undefined) continue;
    const writer = new ProtobufWriter();
    if ('value' in part) {
      codec(writer, field, part.value);
      chunks.push(writer.finish());
      continue;
    }
    const inner: Uint8Array[] = [];
    if ('members' in part && codec.message) inner.push(...(await encodeMessage(codec.message(), part.members)));
    if ('entries' in part && codec.entry)
      for (const entry of inObjectOrder(part.entries)) {
        const turn = yieldIfDue();
        if (turn) await turn;
        inner.push(codec.entry(entry));
      }
    writer.messageOf(field, lengthOf(inner));
    chunks.push(writer.finish());
    for (const chunk of inner) chunks.push(chunk);
  }
  return chunks;
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIRST_SIZE = 1 << 12;

const encoder = new TextEncoder();

/** Writes the wire format of protocol buffers into a growing buffer. */
export class ProtobufWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;

  /** Returns a copy of the bytes written so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  text(field: number, value: string): void {
    const bytes = encoder.encode(value);
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  boolean(field: number, value: boolean): void {
    this.#tag(field, VARINT);
    this.#varint(value ? 1 : 0);
  }

  /** Writes an integer from 0 to 2^53. */
  integer(field: number, value: number): void {
    this.#tag(field, VARINT);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, FIXED64);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Writes a message into a field. The function `write` writes the content of the message. */
  message(field: number, write: () => void): void {
    this.#tag(field, LENGTH_DELIMITED);
    const start = this.#length;
    write();
    const size = this.#length - start;
    // The length is known only after the content has been written, so it is written after the content and then moved to the front.
    this.#varint(size);
    const prefix = this.#bytes.slice(start + size, this.#length);
    this.#bytes.copyWithin(start + prefix.length, start, start + size);
    this.#bytes.set(prefix, start);
  }

  /** Writes the tag and length of a message. The caller adds the bytes of the message. */
  messageOf(field: number, length: number): void {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(length);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
