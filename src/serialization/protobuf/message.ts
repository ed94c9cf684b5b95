import { DecodeError } from '../../json/decode-error.js';
import { compareText } from '../../json/order.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';
import type { ValueCodec } from './scalars.js';
import type { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';
import type { WireWriter } from './wire-writer.js';

/** One field of a message, with functions that convert it from and to a member of a JSON object. */
export interface MessageField {
  readonly number: number;
  /** Writes the field with its tag. Writes nothing if the field is absent. */
  write(writer: WireWriter, object: JsonObject): void;
  /**
   * Reads the value that follows the tag and sets it in the object.
   * @throws DecodeError
   */
  read(reader: WireReader, object: JsonObject): void;
}

/** A message that is an object in JSON. */
export interface Message extends ValueCodec {
  /** Writes only the fields, without the length of the message. */
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
  // The fields are sorted by descending number, because the writer writes from the end to the start.
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
 * @param optional whether an absent value is omitted. Otherwise its zero value is written.
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

/** Declares a repeated field. It is written once for each item of a list. */
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
      // Numbers may also be packed, that is, written one after another with one length for all of them.
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

/** Declares a map field. It is written once for each entry, sorted by key. */
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
        // As in upstream, the wire types of the entry's key and value are not checked.
        if (part === KEY) key = reader.text();
        else if (part === VALUE) value = codec.read(reader, value);
        else reader.skip();
      }
      reader.leave(outer);
      setMember(entries, key, value ?? null);
    },
  };
}

/** Declares a field for a message that does not appear in JSON: the fields of the message are members of the object itself. */
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
 * @throws DecodeError when the field has another wire type
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
