import { isJsonObject, type JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';
import type { ObjectSchema, Property, Schema } from '../../schema/schema.js';
import { walkJson } from './keys.js';

/**
 * Separates the name of a repeated member from a number while the document is parsed, so that JSON.parse keeps all values. A name that
 * contains this character gets a number, too. So in every name with this character, the number follows its last occurrence.
 */
const MARK = '\u0000';

/**
 * Parses a document with repeated members as Go decodes it into the struct of a schema (spec 3.9): each member of a struct is decoded into
 * the result of the earlier members with its name. So structs merge, maps get further entries, and lists merge element by element. null
 * clears a list, a map, or a pointer and leaves other values. An entry of a map replaces the earlier one.
 * @param text a valid JSON document
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
  // JSON.parse returns only JSON values, so the cast is safe.
  return mergeWithin(JSON.parse(marked + text.slice(from)) as JsonValue, schema, 0);
}

/** The depth up to which members are merged. The decoder refuses deeper values anyway. */
const MAX_DEPTH = 1001;

/** Returns a value with the repeated members of its structs merged. Without a schema, the last member of a name is kept. */
function mergeWithin(value: JsonValue, schema: Schema | undefined, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = schema?.type === 'list' ? schema.items : undefined;
    return value.map((item: JsonValue) => mergeWithin(item, items, depth + 1));
  }
  if (!isJsonObject(value)) return value;
  const out: { [name: string]: JsonValue } = {};
  for (const [marked, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const at = marked.lastIndexOf(MARK);
    const name = at < 0 ? marked : marked.slice(0, at);
    const inner = propertyOf(schema, name);
    const next = mergeWithin(member, inner?.schema ?? (schema?.type === 'map' ? schema.values : undefined), depth + 1);
    setMember(
      out,
      name,
      inner && at >= 0 && Object.hasOwn(out, name) ? mergeMember(out[name] ?? null, next, inner) : next,
    );
  }
  return out;
}

function propertyOf(schema: Schema | undefined, name: string): Property | undefined {
  return schema?.type === 'object' ? schema.properties.get(name) : undefined;
}

/** Returns the value of a member that was `before` and is decoded again from `after`. */
function mergeMember(before: JsonValue, after: JsonValue, { schema, presence }: Property): JsonValue {
  // A value of the wrong type is kept, because Go reports the first one even if a correct value follows.
  if (!fits(before, schema)) return before;
  if (after === null) return isCleared(schema, presence) ? null : before;
  if (before === null) return after;
  if (schema.type === 'list' && Array.isArray(before) && Array.isArray(after))
    return after.map((item: JsonValue, i) =>
      i < before.length ? mergeMember(before[i] ?? null, item, { schema: schema.items }) : item,
    );
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  if (schema.type !== 'map' && schema.type !== 'object') return after;
  // The object was created for this document, so it may be changed. Copying it for each repeated member would take quadratic time.
  for (const [name, member] of Object.entries(after)) {
    if (member === undefined) continue;
    const inner = propertyOf(schema, name);
    setMember(
      before,
      name,
      inner && Object.hasOwn(before, name) ? mergeMember(before[name] ?? null, member, inner) : member,
    );
  }
  return before;
}

/** Returns whether null clears a value: a list, a map, a pointer, bytes, and the types that decode null themselves. */
function isCleared(schema: Schema, presence: Property['presence']): boolean {
  if (schema.type === 'list' || schema.type === 'map' || presence === 'omitNull' || presence === 'orNull') return true;
  return schema.type === 'string' && CLEARED_FORMATS.has(schema.format ?? '');
}
const CLEARED_FORMATS: ReadonlySet<string> = new Set(['byte', 'date-time', 'micro-time', 'quantity']);

/** Returns whether a value has the JSON type of a schema. Quantities, and schemas without a type, accept any value. */
function fits(value: JsonValue, schema: Schema): boolean {
  if (value === null) return true;
  switch (schema.type) {
    case 'object':
    case 'map':
      return isJsonObject(value);
    case 'list':
      return Array.isArray(value);
    case 'string':
      return typeof value === 'string' || schema.format === 'quantity';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
    case 'number':
      return typeof value === 'number';
    default:
      return true;
  }
}
