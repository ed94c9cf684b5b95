import { isIndexName, namesOf, notedNames } from '../json/members.js';
import { compareText } from '../json/order.js';
import type { JsonValue } from '../json/value.js';
import { setMember } from './json-objects.js';
import type { ObjectSchema, Schema } from './schema.js';

/**
 * Frozen parts that are known to be in serialization order (see {@link inWireOrder}). The value of each entry is the mark ({@link marks})
 * of the schema that defines the order.
 */
const ordered = new WeakMap<object, object>();
/**
 * An empty object for each schema, which represents the schema in {@link ordered}. If `ordered` contained the schemas themselves, an object
 * in the watch history would keep the schema of a deleted definition alive.
 */
const marks = new WeakMap<Schema, object>();

/**
 * Returns the value with the members of structs in the order of their schema and the members of maps sorted by name. Decoding creates this
 * order; later edits (defaults, strategies, admission) disturb it. Members that are not in the schema come last. Parts in order are shared;
 * most values are completely in order.
 * @param depth the number of objects and lists around the value. Default 0.
 */
export function inWireOrder<T>(schema: Schema, value: T, depth?: number): T;
export function inWireOrder(schema: Schema, value: JsonValue, depth = 0): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.type !== 'object' && schema.type !== 'map' && schema.type !== 'list') return value;
  if (Array.isArray(value) !== (schema.type === 'list')) return value;
  const remembered = depth === REMEMBERED_DEPTH && Object.isFrozen(value);
  let mark = remembered ? marks.get(schema) : undefined;
  if (mark !== undefined && ordered.get(value) === mark) return value;
  // The type of the value is that of its schema, and the members of a JSON object are JSON, so the casts are safe.
  const result =
    schema.type === 'list'
      ? itemsInOrder(schema.items, value as readonly JsonValue[], depth + 1)
      : schema.type === 'map'
        ? mapInOrder(schema.values, value as Members, depth + 1)
        : structInOrder(positionsOf(schema), value as Members, depth + 1);
  if (result === value && remembered) {
    if (mark === undefined) marks.set(schema, (mark = {}));
    ordered.set(value, mark);
  }
  return result;
}

/**
 * The nesting depth at which the order of parts is cached: the members of an object, such as `spec`. The object itself is not cached,
 * because it is new in every version. Deeper parts are not cached, because checking their order takes less time than a look-up.
 */
const REMEMBERED_DEPTH = 1;

function itemsInOrder(items: Schema, value: readonly JsonValue[], depth: number): readonly JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const before = value[i] ?? null;
    const item = inWireOrder(items, before, depth);
    if (item !== before) (changed ??= [...value])[i] = item;
  }
  return changed ?? value;
}

type Members = Readonly<Record<string, JsonValue>>;
/** The reordered copies of those members that were out of order, by name. */
type Reordered = Record<string, JsonValue> | undefined;

function mapInOrder(values: Schema, members: Members, depth: number): Members {
  const many = notedNames(members);
  // The values of a large map of scalars have no members, so only its names are ordered.
  if (many !== undefined && !hasParts(values))
    return areSorted(many) ? members : inNewOrder(members, many.toSorted(), undefined);
  let reordered: Reordered;
  let last = '';
  let isSorted = true;
  for (const name in members) {
    if (name < last) isSorted = false;
    last = name;
    reordered = withPart(reordered, values, members, name, depth);
  }
  if (isSorted && reordered === undefined) return members;
  return inNewOrder(members, Object.keys(members).toSorted(), reordered);
}

function structInOrder(positions: Positions, members: Members, depth: number): Members {
  let reordered: Reordered;
  let last = -1;
  let isSorted = true;
  for (const name in members) {
    const { rank, parts } = positions.get(name) ?? UNKNOWN;
    if (rank < last) isSorted = false;
    last = rank;
    if (parts) reordered = withPart(reordered, parts, members, name, depth);
  }
  if (isSorted && reordered === undefined) return members;
  return inNewOrder(members, isSorted ? Object.keys(members) : namesByRank(positions, members), reordered);
}

/** Returns the names of members in the order of their ranks. It sorts by insertion, because there are few names and most are in order. */
function namesByRank(positions: Positions, members: Members): string[] {
  const names: string[] = [];
  const ranks: number[] = [];
  for (const name in members) {
    const { rank } = positions.get(name) ?? UNKNOWN;
    let at = names.length;
    for (; at > 0 && (ranks[at - 1] ?? 0) > rank; at--) {
      names[at] = names[at - 1] ?? '';
      ranks[at] = ranks[at - 1] ?? 0;
    }
    names[at] = name;
    ranks[at] = rank;
  }
  return names;
}

function withPart(reordered: Reordered, schema: Schema, members: Members, name: string, depth: number): Reordered {
  const member = members[name];
  if (typeof member !== 'object' || member === null) return reordered;
  const after = inWireOrder(schema, member, depth);
  if (after === member) return reordered;
  // The object has no prototype, so that looking up a name like `constructor` finds nothing that is inherited.
  const all = reordered ?? (Object.create(null) as Record<string, JsonValue>);
  all[name] = after;
  return all;
}

function inNewOrder(members: Members, names: readonly string[], reordered: Reordered): Members {
  const out = {};
  for (const name of names) setMember(out, name, reordered?.[name] ?? members[name]);
  return out;
}

/** The position of a member in its struct. */
interface Position {
  readonly rank: number;
  /** The schema of the member's value; undefined for scalars, in which nothing can be out of order. */
  readonly parts: Schema | undefined;
}
type Positions = ReadonlyMap<string, Position>;

/** The position of members that are not in the schema, after all other members. */
const UNKNOWN: Position = { rank: Number.MAX_SAFE_INTEGER, parts: undefined };
const positions = new WeakMap<ObjectSchema['properties'], Positions>();

function positionsOf({ properties }: ObjectSchema): Positions {
  let known = positions.get(properties);
  if (!known) {
    const all = [...properties].map(([name, { schema }], rank): [string, Position] => [
      name,
      { rank, parts: hasParts(schema) ? schema : undefined },
    ]);
    positions.set(properties, (known = new Map(all)));
  }
  return known;
}

const hasParts = ({ type }: Schema) => type === 'object' || type === 'map' || type === 'list';
const areSorted = (names: readonly string[]) => names.every((name, i) => i === 0 || name >= (names[i - 1] ?? ''));

/** Frozen values in which the members of all objects are sorted by name. */
const named = new WeakSet<object>();
/**
 * Down to this depth, parts are checked before they are copied, and cached if they are in order. Deeper parts are copied without a check.
 */
const KNOWN_DEPTH = 4;

/**
 * Returns the value with the members of all its objects sorted by name, as upstream encodes objects that have no Go struct. Parts in this
 * order are shared. The depth of the value is not limited.
 */
export function byName<T>(value: T): T;
export function byName(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || isByName(value)) return value;
  const tasks: { readonly source: object; readonly copy: object; readonly depth: number }[] = [];
  const begin = (source: JsonValue | undefined, depth: number): JsonValue | undefined => {
    if (typeof source !== 'object' || source === null) return source;
    // The root has already been found out of order, so it is not checked again.
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

/**
 * Returns whether an object is a custom resource, by its first member. Built-in kinds have a struct whose first member is `kind`. In a
 * custom resource the first member is `apiVersion`, or a member whose name sorts before it.
 */
export function isOfUsersKind(object: object): boolean {
  for (const first in object) return first !== 'kind';
  return false;
}

/** Returns a custom resource with its members sorted by name; any other object is returned unchanged. */
export const usersKindByName = <T extends object>(object: T): T => (isOfUsersKind(object) ? byName(object) : object);

/** Returns whether the members of all objects in a value are sorted by name. */
function isByName(value: object): boolean {
  const open: object[] = [value];
  const frozen: object[] = [];
  // The list grows during the loop. The outermost parts come first, so they are the ones that are cached.
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

/** The maximum number of frozen parts of one value (objects and arrays) that are cached as sorted by name. */
const MOST_REMEMBERED = 64;

/** Returns whether the names of one object are sorted, and queues the object's values in `open`. */
function membersAreByName(object: object, open: object[]): boolean {
  let last = '';
  const follows = (name: string): boolean => {
    // JavaScript lists names that are array indexes first, whatever their position, so these names are not compared; the JSON encoder sorts
    // them.
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
