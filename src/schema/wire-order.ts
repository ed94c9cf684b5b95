import type { JsonValue } from '../meta/json.js';
import { isRecord, setMember } from './json-objects.js';
import type { Schema } from './schema.js';

type WithMembers = Extract<Schema, { type: 'object' | 'map' }>;

/** Frozen values that were found in order, and by which schema: they are looked at once. */
const ordered = new WeakMap<object, Schema>();
const ranks = new WeakMap<ReadonlyMap<string, unknown>, ReadonlyMap<string, number>>();

/**
 * The same value with the members of structs in the order of their schema and those of maps by name: what decoding makes,
 * and edits (defaults, strategies, admission) upset. Members that a schema does not know come last. Parts in order are
 * taken over as they are.
 */
export function inWireOrder<T>(schema: Schema, value: T): T;
export function inWireOrder(schema: Schema, value: JsonValue): JsonValue {
  if (isInOrder(schema, value)) return value;
  if (schema.type === 'list')
    return Array.isArray(value) ? value.map((item: JsonValue) => inWireOrder(schema.items, item)) : value;
  if ((schema.type !== 'object' && schema.type !== 'map') || !isRecord(value)) return value;
  const out = {};
  for (const name of namesInOrder(schema, Object.keys(value))) {
    const member = value[name] as JsonValue; // a JSON object
    const inner = memberSchema(schema, name);
    setMember(out, name, inner === undefined ? member : inWireOrder(inner, member));
  }
  return out;
}

/** Allocates nothing: most values are in order. */
function isInOrder(schema: Schema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (schema.type !== 'object' && schema.type !== 'map' && schema.type !== 'list') return true;
  const frozen = Object.isFrozen(value);
  if (frozen && ordered.get(value) === schema) return true;
  const result = schema.type === 'list' ? itemsInOrder(schema.items, value) : membersInOrder(schema, value);
  if (result && frozen) ordered.set(value, schema);
  return result;
}

function itemsInOrder(items: Schema, value: object): boolean {
  return !Array.isArray(value) || value.every((item) => isInOrder(items, item));
}

function membersInOrder(schema: WithMembers, value: object): boolean {
  const ranked = schema.type === 'object' ? ranksOf(schema.properties) : undefined;
  let rank = -1;
  let last = '';
  for (const name in value) {
    const next = ranked ? (ranked.get(name) ?? ranked.size) : 0;
    if (ranked ? next < rank : name < last) return false;
    rank = next;
    last = name;
    const inner = memberSchema(schema, name);
    if (inner !== undefined && !isInOrder(inner, (value as Record<string, unknown>)[name])) return false;
  }
  return true;
}

function memberSchema(schema: WithMembers, name: string): Schema | undefined {
  return schema.type === 'map' ? schema.values : schema.properties.get(name)?.schema;
}

function ranksOf(properties: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> {
  let known = ranks.get(properties);
  if (!known) ranks.set(properties, (known = new Map([...properties.keys()].map((name, i) => [name, i]))));
  return known;
}

function namesInOrder(schema: WithMembers, names: readonly string[]): readonly string[] {
  if (schema.type === 'map') return names.toSorted();
  const ranked = ranksOf(schema.properties);
  const rank = (name: string) => ranked.get(name) ?? ranked.size;
  return names.toSorted((a, b) => rank(a) - rank(b));
}
