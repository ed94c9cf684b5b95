import { DecodeError } from '../../json/decode-error.js';
import { compareText } from '../../json/order.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';
import type { ValueCodec } from './scalars.js';
import type { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';
import type { WireWriter } from './wire-writer.js';

/** One field of a message, with functions to read it from a JSON object and to set it there. */
export interface MessageField {
  readonly number: number;
  /** Writes the value and the tag, or nothing. */
  write(writer: WireWriter, object: JsonObject): void;
  /**
   * Reads the value after the tag and sets it in the object.
   * @throws DecodeError
   */
  read(reader: WireReader, object: JsonObject): void;
}

/** A message whose JSON form is an object. */
export interface Message extends ValueCodec {
  /** Writes only the fields, without a length. */
  writeFields(writer: WireWriter, value: JsonValue | undefined): void;
  /**
   * Reads the fields of the reader's current message into `object`; unknown fields are skipped.
   * @throws DecodeError
   */
  readFields(reader: WireReader, object: JsonObject): void;
}

const NOTHING: JsonObject = Object.freeze({});

/**
 * Declares a message.
 * @param name the name in errors
 * @param define returns its fields; called on first use, so that a message may contain itself
 */
export function message(name: string, define: () => readonly MessageField[]): Message {
  // The fields are sorted by descending number, because the writer works backwards.
  let fields: readonly MessageField[] | undefined;
  let byNumber: ReadonlyMap<number, MessageField> = new Map();
  const prepare = () => {
    fields = [...define()].sort((a, b) => b.number - a.number);
    byNumber = new Map(fields.map((field) => [field.number, field]));
    return fields;
  };
  const codec: Message = {
    wireType: DELIMITED,
    writeFields(writer, value) {
      const object = isJsonObject(value) ? value : NOTHING;
      for (const field of fields ?? prepare()) field.write(writer, object);
    },
    readFields(reader, object) {
      if (fields === undefined) prepare();
      while (reader.more) {
        const field = byNumber.get(reader.tag(name));
        if (field === undefined) reader.skip();
        else field.read(reader, object);
      }
    },
    write(writer, value) {
      const before = writer.length;
      codec.writeFields(writer, value);
      writer.varint(writer.length - before);
    },
    read(reader, before) {
      const object = isJsonObject(before) ? before : {};
      const outer = reader.enter();
      codec.readFields(reader, object);
      reader.leave(outer);
      return object;
    },
  };
  return codec;
}

/**
 * Declares a field with one value.
 * @param optional whether an absent value is omitted instead of written as the zero value
 */
export function single(number: number, name: string, codec: ValueCodec, optional: boolean): MessageField {
  const { wireType } = codec;
  return {
    number,
    write(writer, object) {
      const value = object[name];
      if (optional && (value === undefined || value === null)) return;
      codec.write(writer, value);
      writer.tag(number, wireType);
    },
    read(reader, object) {
      expectWireType(reader, wireType, name);
      setMember(object, name, codec.read(reader, object[name]));
    },
  };
}

/** Declares a field that appears once for each item of a list. */
export function repeated(number: number, name: string, codec: ValueCodec): MessageField {
  const { wireType } = codec;
  return {
    number,
    write(writer, object) {
      const items = object[name];
      if (!Array.isArray(items)) return;
      for (let i = items.length - 1; i >= 0; i--) {
        codec.write(writer, items[i]);
        writer.tag(number, wireType);
      }
    },
    read(reader, object) {
      const before = object[name];
      const items: JsonValue[] = Array.isArray(before) ? before : [];
      if (before === undefined) setMember(object, name, items);
      // Numbers may also be packed: one after the other, with one length for all.
      if (reader.wireType === DELIMITED && wireType !== DELIMITED) {
        const outer = reader.enter();
        while (reader.more) items.push(codec.read(reader, undefined));
        reader.leave(outer);
        return;
      }
      expectWireType(reader, wireType, name);
      items.push(codec.read(reader, undefined));
    },
  };
}

const KEY = 1;
const VALUE = 2;

/** Declares a field that appears once for each entry of a map, sorted by key. */
export function mapOf(number: number, name: string, codec: ValueCodec): MessageField {
  return {
    number,
    write(writer, object) {
      const entries = object[name];
      if (!isJsonObject(entries)) return;
      const keys = Object.keys(entries).sort(compareText);
      for (let i = keys.length - 1; i >= 0; i--) {
        const key = keys[i] ?? '';
        const before = writer.length;
        codec.write(writer, entries[key]);
        writer.tag(VALUE, codec.wireType);
        writer.text(key);
        writer.tag(KEY, DELIMITED);
        writer.varint(writer.length - before);
        writer.tag(number, DELIMITED);
      }
    },
    read(reader, object) {
      expectWireType(reader, DELIMITED, name);
      const before = object[name];
      const entries: JsonObject = isJsonObject(before) ? before : {};
      if (before === undefined) setMember(object, name, entries);
      const outer = reader.enter();
      let key = '';
      let value: JsonValue | undefined;
      while (reader.more) {
        const part = reader.tag(name);
        if (part === KEY && reader.wireType === DELIMITED) key = reader.text();
        else if (part === VALUE && reader.wireType === codec.wireType) value = codec.read(reader, value);
        else reader.skip();
      }
      reader.leave(outer);
      setMember(entries, key, value ?? null);
    },
  };
}

/** Declares a field whose message does not appear in JSON: its fields are the object's own. */
export function inline(number: number, codec: Message, name: string): MessageField {
  return {
    number,
    write(writer, object) {
      codec.write(writer, object);
      writer.tag(number, DELIMITED);
    },
    read(reader, object) {
      expectWireType(reader, DELIMITED, name);
      codec.read(reader, object);
    },
  };
}

/**
 * Checks the wire type of the current field.
 * @throws DecodeError for another wire type.
 */
export function expectWireType(reader: WireReader, wireType: number, name: string): void {
  if (reader.wireType === wireType) return;
  throw new DecodeError(`proto: wrong wireType = ${reader.wireType} for field ${goFieldName(name)}`);
}

/** Returns the name of a field in errors. */
function goFieldName(name: string): string {
  if (name === 'metadata') return 'ObjectMeta';
  return name.replace(/^(?:uid|api|.)/, (start) => start.toUpperCase());
}
