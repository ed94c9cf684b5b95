import type { JsonValue } from '../meta/json.js';
import { isRecord, setMember } from './json-objects.js';
import type { Schema } from './schema.js';

const ordered = new WeakMap<Schema, WeakSet<object>>();

/**
 * The same value with the members of structs in the order of their schema and those of maps by name: what decoding makes,
 * and edits (defaults, strategies, admission) upset. Members that a schema does not know come last. Parts in order are
 * taken over as they are; frozen ones are looked at once.
 */
export function inWireOrder<T>(schema: Schema, value: T): T;
export function inWireOrder(schema: Schema, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.type !== 'object' && schema.type !== 'map' && schema.type !== 'list') return value;
  let known = ordered.get(schema);
  if (known === undefined) ordered.set(schema, (known = new WeakSet()));
  if (known.has(value)) return value;
  const result = schema.type === 'list' ? orderItems(schema.items, value) : orderMembers(schema, value);
  if (result === value && Object.isFrozen(value)) known.add(value);
  return result;
}

function orderItems(items: Schema, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  const next = value.map((item: JsonValue) => inWireOrder(items, item));
  return next.every((item, i) => item === value[i]) ? value : next;
}

function orderMembers(schema: Extract<Schema, { type: 'object' | 'map' }>, value: JsonValue): JsonValue {
  if (!isRecord(value)) return value;
  const names = Object.keys(value);
  const wanted = schema.type === 'map' ? names.toSorted() : structOrder(schema.properties, names);
  let same = wanted.every((name, i) => name === names[i]);
  const out = {};
  for (const name of wanted) {
    const member = value[name] as JsonValue; // a JSON object
    const inner = schema.type === 'map' ? schema.values : schema.properties.get(name)?.schema;
    const next = inner === undefined ? member : inWireOrder(inner, member);
    if (next !== member) same = false;
    setMember(out, name, next);
  }
  return same ? (value as JsonValue) : out; // checked above
}

/** The names that a struct has, the known ones in the struct's order. */
function structOrder(properties: ReadonlyMap<string, unknown>, names: readonly string[]): readonly string[] {
  const present = new Set(names);
  const known = [...properties.keys()].filter((name) => present.has(name));
  return known.length === names.length ? known : [...known, ...names.filter((name) => !properties.has(name))];
}
