import type { JsonValue } from '../meta/json.js';
import { isRecord, setMember } from './json-objects.js';
import type { ObjectSchema, Schema } from './schema.js';

type WithMembers = Extract<Schema, { type: 'object' | 'map' }>;

/** Frozen values that were found in order, and by which schema: they are looked at once. */
const ordered = new WeakMap<object, Schema>();
const ranks = new WeakMap<ObjectSchema['properties'], Ranks>();

/** The place of each property among all, and its schema. */
type Ranks = ReadonlyMap<string, { readonly rank: number; readonly schema: Schema }>;

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
  const members = value as Readonly<Record<string, unknown>>; // whatever an object holds
  return schema.type === 'map' ? entriesInOrder(schema.values, members) : propertiesInOrder(schema, members);
}

function entriesInOrder(values: Schema, members: Readonly<Record<string, unknown>>): boolean {
  let last = '';
  for (const name in members) {
    if (name < last || !isInOrder(values, members[name])) return false;
    last = name;
  }
  return true;
}

function propertiesInOrder({ properties }: ObjectSchema, members: Readonly<Record<string, unknown>>): boolean {
  const ranked = ranksOf(properties);
  let last = -1;
  for (const name in members) {
    const property = ranked.get(name);
    const rank = property?.rank ?? ranked.size;
    if (rank < last || (property && !isInOrder(property.schema, members[name]))) return false;
    last = rank;
  }
  return true;
}

function memberSchema(schema: WithMembers, name: string): Schema | undefined {
  return schema.type === 'map' ? schema.values : schema.properties.get(name)?.schema;
}

function ranksOf(properties: ObjectSchema['properties']): Ranks {
  let known = ranks.get(properties);
  if (!known) {
    known = new Map([...properties].map(([name, { schema }], rank) => [name, { rank, schema }]));
    ranks.set(properties, known);
  }
  return known;
}

function namesInOrder(schema: WithMembers, names: readonly string[]): readonly string[] {
  if (schema.type === 'map') return names.toSorted();
  const ranked = ranksOf(schema.properties);
  const rank = (name: string) => ranked.get(name)?.rank ?? ranked.size;
  return names.toSorted((a, b) => rank(a) - rank(b));
}
