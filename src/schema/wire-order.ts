import { isIndexName, namesOf, notedNames } from '../json/members.js';
import { compareText } from '../json/order.js';
import type { JsonValue } from '../json/value.js';
import { isRecord, setMember } from './json-objects.js';
import { ranksOf } from './properties.js';
import type { ObjectSchema, Schema } from './schema.js';

type WithMembers = Extract<Schema, { type: 'object' | 'map' }>;

/** Frozen values already found in order, each with the mark of the schema it was checked against. */
const ordered = new WeakMap<object, object>();
/** Marks take the place of schemas here, so that a value in the history does not keep the schema of a deleted definition alive. */
const marks = new WeakMap<Schema, object>();

/**
 * The same value with the members of structs in the order of their schema and those of maps by name: what decoding makes,
 * and edits (defaults, strategies, admission) upset. Members that a schema does not know come last. Parts in order are
 * taken over as they are; most values are wholly in order.
 */
export function inWireOrder<T>(schema: Schema, value: T): T;
export function inWireOrder(schema: Schema, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.type !== 'object' && schema.type !== 'map' && schema.type !== 'list') return value;
  const frozen = Object.isFrozen(value);
  const known = frozen ? ordered.get(value) : undefined;
  if (known !== undefined && known === marks.get(schema)) return value;
  const result = schema.type === 'list' ? itemsInOrder(schema.items, value) : membersInOrder(schema, value);
  if (result === value && frozen) ordered.set(value, markOf(schema));
  return result;
}

function markOf(schema: Schema): object {
  let mark = marks.get(schema);
  if (mark === undefined) marks.set(schema, (mark = {}));
  return mark;
}

function itemsInOrder(items: Schema, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  let changed: JsonValue[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const item = inWireOrder(items, value[i]);
    if (item !== value[i]) (changed ??= [...value])[i] = item;
  }
  return changed ?? value;
}

function membersInOrder(schema: WithMembers, value: JsonValue): JsonValue {
  if (!isRecord(value)) return value;
  const members = value as Readonly<Record<string, JsonValue>>; // a JSON object
  const many = notedNames(members);
  // Large maps that decoding made hold plain values.
  if (many !== undefined && schema.type === 'map' && isScalar(schema.values))
    return areSorted(many) ? value : inNewOrder(members, many.toSorted(), undefined);
  let changed: Map<string, JsonValue> | undefined;
  for (const name in members) {
    const member = members[name] ?? null;
    const inner = memberSchema(schema, name);
    const after = inner === undefined ? member : inWireOrder(inner, member);
    if (after !== member) (changed ??= new Map()).set(name, after);
  }
  const inOrder = schema.type === 'map' ? namesAreSorted(members) : namesAreRanked(schema, members);
  if (inOrder && changed === undefined) return value;
  return inNewOrder(members, namesInOrder(schema, Object.keys(members)), changed);
}

function inNewOrder(
  members: Readonly<Record<string, JsonValue>>,
  names: readonly string[],
  changed: ReadonlyMap<string, JsonValue> | undefined,
): JsonValue {
  const out = {};
  for (const name of names) setMember(out, name, changed?.get(name) ?? members[name]);
  return out;
}

const isScalar = ({ type }: Schema) => type !== 'object' && type !== 'map' && type !== 'list' && type !== 'any';
const areSorted = (names: readonly string[]) => names.every((name, i) => i === 0 || name >= (names[i - 1] ?? ''));

function namesAreSorted(members: object): boolean {
  let last = '';
  for (const name in members) {
    if (name < last) return false;
    last = name;
  }
  return true;
}

function namesAreRanked({ properties }: ObjectSchema, members: object): boolean {
  const ranked = ranksOf(properties);
  let last = -1;
  for (const name in members) {
    const rank = ranked.get(name) ?? ranked.size;
    if (rank < last) return false;
    last = rank;
  }
  return true;
}

function memberSchema(schema: WithMembers, name: string): Schema | undefined {
  return schema.type === 'map' ? schema.values : schema.properties.get(name)?.schema;
}

function namesInOrder(schema: WithMembers, names: readonly string[]): readonly string[] {
  if (schema.type === 'map') return names.toSorted();
  const ranked = ranksOf(schema.properties);
  const rank = (name: string) => ranked.get(name) ?? ranked.size;
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/** Frozen values all members of which were found to be by name. */
const named = new WeakSet<object>();
/** Parts that deep are looked at before they are copied, and remembered; what is below is copied and looked at anew. */
const KNOWN_DEPTH = 4;

/**
 * The same value with the members of all its objects by name, as the reference writes what it has no struct for. Parts that are so
 * already are taken over as they are. Any depth is fine.
 */
export function byName<T>(value: T): T;
export function byName(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || isByName(value)) return value;
  const tasks: { readonly source: object; readonly copy: object; readonly depth: number }[] = [];
  const begin = (source: JsonValue | undefined, depth: number): JsonValue | undefined => {
    if (typeof source !== 'object' || source === null) return source;
    // The root is not by name, which was found out a line above.
    if (depth > 0 && depth <= KNOWN_DEPTH && isByName(source)) return source;
    const copy = Array.isArray(source) ? new Array<JsonValue>(source.length) : {};
    tasks.push({ source, copy, depth: depth + 1 });
    return copy;
  };
  const root = begin(value, 0);
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { source, copy, depth } = task;
    if (Array.isArray(source))
      for (let i = 0; i < source.length; i++) (copy as (JsonValue | undefined)[])[i] = begin(source[i], depth);
    else
      for (const name of namesOf(source).toSorted(compareText))
        setMember(copy, name, begin((source as Readonly<Record<string, JsonValue>>)[name], depth));
  }
  return root ?? null;
}

/** Whether an object is one of a user's kind: what has a struct is read with its kind first, all else with its apiVersion. */
export function isOfUsersKind(object: object): boolean {
  for (const first in object) return first === 'apiVersion';
  return false;
}

/** An object of a user's kind with its members by name; any other as it is. */
export const usersKindByName = <T extends object>(object: T): T => (isOfUsersKind(object) ? byName(object) : object);

/** Whether the members of all objects in a value are by name. */
function isByName(value: object): boolean {
  const open: object[] = [value];
  const frozen: object[] = [];
  // It grows while it is gone through: the outermost parts come first, and are remembered.
  for (const next of open) {
    if (Object.isFrozen(next)) {
      if (named.has(next)) continue;
      if (frozen.length < MOST_REMEMBERED) frozen.push(next);
    }
    if (!Array.isArray(next)) {
      if (!membersAreByName(next, open)) return false;
      continue;
    }
    for (const item of next as readonly unknown[]) if (typeof item === 'object' && item !== null) open.push(item);
  }
  for (const each of frozen) named.add(each);
  return true;
}

/** Of a value with more parts only so many are remembered. */
const MOST_REMEMBERED = 64;

/** Looks at the names of one object, and leaves its parts to be looked at. */
function membersAreByName(object: object, open: object[]): boolean {
  let last = '';
  const follows = (name: string): boolean => {
    // Array indexes come first wherever they are put; they are written in their place.
    if (compareText(last, name) > 0 && !isIndexName(last)) return false;
    last = name;
    const member: unknown = (object as Readonly<Record<string, unknown>>)[name];
    if (typeof member === 'object' && member !== null) open.push(member);
    return true;
  };
  const many = notedNames(object);
  if (many !== undefined) return many.every(follows);
  for (const name in object) if (!follows(name)) return false;
  return true;
}
