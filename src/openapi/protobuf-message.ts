import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { stringifyJson } from '../serialization/json/encode.js';
import { ProtobufWriter } from './protobuf-writer.js';

/** Writes a JSON value into a numbered field. */
export type Codec = (writer: ProtobufWriter, field: number, value: JsonValue) => void;
export interface Message {
  readonly fields: ReadonlyMap<string, readonly [field: number, codec: Codec]>;
  /** Field of the members that begin with `x-`. */
  readonly extensions?: number;
}

/** @param extensions field of the members that begin with `x-` */
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
/** Any JSON, as YAML text, which JSON is. */
export const anything: Codec = (writer, field, value) =>
  writer.message(field, () => writer.text(2, stringifyJson(value)));
export const each =
  (codec: Codec): Codec =>
  (writer, field, value) => {
    if (Array.isArray(value)) for (const item of value) codec(writer, field, item);
  };
/** A message in a message, of which the value is the one member. */
export const inside =
  (field: number, codec: Codec): Codec =>
  (writer, outer, value) =>
    writer.message(outer, () => codec(writer, field, value));
/** A message. It is named by a function: it may be described further down. */
export function of(get: () => Message): Codec {
  let known: Message | undefined;
  return (writer, field, value) => {
    const described = (known ??= get());
    writer.message(field, () => writeMessage(writer, described, value));
  };
}
/** A map: a list of names and values in a message of their own. */
export const named =
  (codec: Codec, listField = 1): Codec =>
  (writer, field, value) => {
    writer.message(field, () => {
      if (isJsonObject(value))
        for (const [name, member] of Object.entries(value))
          if (member !== undefined) writeNamed(writer, listField, name, () => codec(writer, 2, member));
    });
  };

/** A member of an object; undefined of anything else. */
export const member = (value: JsonValue, name: string): JsonValue | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** A whole document. */
export function encodeMessage(message: Message, document: JsonObject): Uint8Array {
  const writer = new ProtobufWriter();
  writeMessage(writer, message, document);
  return writer.finish();
}
