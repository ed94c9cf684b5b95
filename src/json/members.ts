import { isJsonObject, type JsonObject, type JsonValue } from './value.js';

/** Returns an own member of the object, so that a name such as `__proto__` never reads an inherited one. */
export function getOwn(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Objects with more members than this count as large: their member names may be cached. */
export const MANY = 256;

const noted = new WeakMap<object, readonly string[]>();

/**
 * Returns the cached member names of a large object; undefined for all other objects. The names are cached, because engines sort the
 * members of a very large object whenever they are listed, which takes several times as long as reading them all.
 */
export function notedNames(object: object): readonly string[] | undefined {
  return noted.get(object);
}

/** Caches the names of a large object and returns the object. The object must not change afterwards and must have no undefined members. */
export function noteNames<T extends object>(object: T, names: readonly string[]): T {
  if (names.length > MANY) noted.set(object, names);
  return object;
}

/** Returns the names of an object's members, from the cache for a large object. For small objects `for in` is faster. */
export function namesOf(object: object): readonly string[] {
  return noted.get(object) ?? Object.keys(object);
}

/** Returns whether a name is an array index. JavaScript lists members with such names before all others, in numeric order. */
export const isIndexName = (name: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;

/**
 * Returns whether some members have array indexes as names. Only the first name is checked, because JavaScript lists array indexes first.
 */
export function hasIndexNames(object: object): boolean {
  for (const first in object) return isIndexName(first);
  return false;
}

/** Returns whether an object has no members; undefined members do not count. */
export function hasNoMembers(object: JsonObject): boolean {
  if (noted.has(object)) return false;
  for (const name in object) if (object[name] !== undefined) return false;
  return true;
}

/**
 * Returns whether a value is nested deeper than `levels`.
 * @param known a value that is not too deep. Objects that are identical to those at the same path in it are skipped.
 */
export function isDeeperThan(value: JsonValue | undefined, levels: number, known?: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || value === known) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    const items = Array.isArray(known) ? known : [];
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'object' && isDeeperThan(value[i], levels - 1, items[i])) return true;
    }
    return false;
  }
  const members = value as JsonObject; // Lists have been handled before, so this is an object and the cast is safe.
  const others = isJsonObject(known) ? known : {};
  const many = noted.get(members);
  if (many !== undefined) return many.some((name) => isDeeperThan(members[name], levels - 1, others[name]));
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && isDeeperThan(member, levels - 1, others[name])) return true;
  }
  return false;
}
