import { DecodeError } from '../../json/decode-error.js';
import { NumberText } from '../../json/number-text.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { decoderOf } from '../../schema/decode.js';
import { Decoding } from '../../schema/decoding.js';
import { setMember } from '../../schema/json-objects.js';
import type { ObjectSchema, Property, Schema } from '../../schema/schema.js';
import { markNumbers } from './decode.js';
import { numberTexts, walkJson } from './keys.js';

/**
 * Separates the name of a repeated member from a number while the document is parsed, so that JSON.parse keeps all values. A name that
 * contains this character gets a number, too. So in every name with this character, the number follows its last occurrence.
 */
const MARK = '\u0000';

/**
 * Parses a document with repeated members as Go decodes it into the struct of a schema (spec 3.9): each member of a struct is decoded into
 * the result of the earlier members with its name. So structs merge, maps get further entries, and lists merge element by element. null
 * clears a list, a map, or a pointer and leaves other values. An entry of a map replaces the earlier one. Go decodes a value even if a later
 * one replaces it, so the first value that cannot be decoded is kept, and the caller's decoding then refuses the document for it.
 * @param text a valid JSON document
 * @returns the document, in which numbers that JavaScript prints differently are `NumberText`s: the path of a number does not say which of
 * the repeated members it comes from
 */
export function mergeRepeated(text: string, schema: ObjectSchema): JsonValue {
  let marked = '';
  let from = 0;
  let count = 0;
  walkJson(text, {
    key(_path, name, repeated, end) {
      if (!repeated && !name.includes(MARK)) return undefined;
      marked += `${text.slice(from, end - 1)}\\u0000${count++}"`;
      from = end;
      return undefined;
    },
  });
  marked += text.slice(from);
  // JSON.parse returns only JSON values, so the cast is safe.
  const document = markNumbers(JSON.parse(marked) as JsonValue, numberTexts(marked));
  return new Merge().within(document, schema, 0);
}

/** The depth up to which members are merged. The decoder refuses deeper values anyway. */
const MAX_DEPTH = 1001;

/** The merge of one document. */
class Merge {
  /** Whether a value was found that cannot be decoded. From then on, the values that come first are kept. */
  #isRefused = false;

  /** Returns a value with the repeated members of its structs merged. Without a schema, the last member of a name is kept. */
  within(value: JsonValue, schema: Schema | undefined, depth: number): JsonValue {
    if (depth > MAX_DEPTH || value instanceof NumberText) return value;
    if (Array.isArray(value)) {
      const items = schema?.type === 'list' ? schema.items : undefined;
      return value.map((item: JsonValue) => this.within(item, items, depth + 1));
    }
    if (!isJsonObject(value)) return value;
    const out: { [name: string]: JsonValue } = {};
    for (const [marked, member] of Object.entries(value)) {
      if (member === undefined) continue;
      const at = marked.lastIndexOf(MARK);
      const name = at < 0 ? marked : marked.slice(0, at);
      const inner = propertyOf(schema, name)?.schema ?? valuesOf(schema);
      const wasRefused = this.#isRefused;
      const next = this.within(member, inner, depth + 1);
      if (at < 0 || !Object.hasOwn(out, name)) setMember(out, name, next);
      else if (!this.#isRefused) setMember(out, name, this.#again(out, name, next, schema));
      // The value that cannot be decoded is within `next`, which is therefore kept unless the earlier value cannot be decoded, either.
      else if (!wasRefused && inner && isDecodable(out[name] ?? null, inner)) setMember(out, name, next);
    }
    return out;
  }

  /** Returns the value of the member `name` of `object`, which `schema` describes, after the member was decoded again from `after`. */
  #again(object: JsonObject, name: string, after: JsonValue, schema: Schema | undefined): JsonValue {
    const before = object[name] ?? null;
    const property = propertyOf(schema, name);
    return property ? this.#member(before, after, property) : this.#replaced(before, after, valuesOf(schema));
  }

  /** Returns the value of a member that was `before` and is decoded again from `after`. */
  #member(before: JsonValue, after: JsonValue, { schema, presence }: Property): JsonValue {
    if (this.#isRefused) return before;
    if (after === null) return isCleared(schema, presence) ? this.#replaced(before, null, schema) : before;
    if (before === null) return after;
    if (schema.type === 'list' && isList(before) && isList(after)) return this.#list(before, after, schema.items);
    if (!isJsonObject(before) || !isJsonObject(after) || (schema.type !== 'map' && schema.type !== 'object'))
      return this.#replaced(before, after, schema);
    // The object was created for this document, so it may be changed. Copying it for each repeated member would take quadratic time.
    for (const [name, member] of Object.entries(after)) {
      if (member === undefined) continue;
      setMember(before, name, Object.hasOwn(before, name) ? this.#again(before, name, member, schema) : member);
    }
    return before;
  }

  #list(before: readonly JsonValue[], after: readonly JsonValue[], items: Schema): JsonValue {
    for (const dropped of before.slice(after.length))
      if (this.#replaced(dropped, null, items) !== null) return [...before];
    return after.map((item, i) =>
      i < before.length ? this.#member(before[i] ?? null, item, { schema: items }) : item,
    );
  }

  /** Returns `after`, or `before` if it cannot be decoded. */
  #replaced(before: JsonValue, after: JsonValue, schema: Schema | undefined): JsonValue {
    if (!this.#isRefused && schema !== undefined) this.#isRefused = !isDecodable(before, schema);
    return this.#isRefused ? before : after;
  }
}

const isList = (value: JsonValue): value is readonly JsonValue[] =>
  Array.isArray(value) && !(value instanceof NumberText);

function propertyOf(schema: Schema | undefined, name: string): Property | undefined {
  return schema?.type === 'object' ? schema.properties.get(name) : undefined;
}

const valuesOf = (schema: Schema | undefined) => (schema?.type === 'map' ? schema.values : undefined);

/** Returns whether null clears a value: a list, a map, a pointer, bytes, and the types that decode null themselves. */
function isCleared(schema: Schema, presence: Property['presence']): boolean {
  if (schema.type === 'list' || schema.type === 'map' || presence === 'omitNull' || presence === 'orNull') return true;
  return schema.type === 'string' && CLEARED_FORMATS.has(schema.format ?? '');
}
const CLEARED_FORMATS: ReadonlySet<string> = new Set(['byte', 'date-time', 'micro-time', 'quantity']);

function isDecodable(value: JsonValue, schema: Schema): boolean {
  if (value === null) return true;
  try {
    const at = new Decoding(schema, { marksNumbers: true });
    decoderOf(schema)(value, at);
    at.finish();
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}
