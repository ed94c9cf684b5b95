import { isJsonObject, type JsonObject, type JsonValue } from './value.js';

/** The object's own member: a name such as `__proto__` never reaches what every object inherits. */
export function getOwn(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Objects of more members than this are large. */
export const MANY = 256;

const noted = new WeakMap<object, readonly string[]>();

/**
 * The names of a large object's members, where they were noted; undefined for all others. Engines put the members of a very large
 * object in order whenever they are listed, which takes several times as long as to read them all.
 */
export function notedNames(object: object): readonly string[] | undefined {
  return noted.get(object);
}

/** Notes the names of an object that does not change any more, none of them `undefined`, and returns it. */
export function noteNames<T extends object>(object: T, names: readonly string[]): T {
  if (names.length > MANY) noted.set(object, names);
  return object;
}

/** The names of an object's members. Of small objects `for in` is faster. */
export function namesOf(object: object): readonly string[] {
  return noted.get(object) ?? Object.keys(object);
}

/** Whether a name is an array index: JavaScript lists members with such names before all others, in numeric order. */
export const isIndexName = (name: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;

/** Whether some members have array indexes for names. Those come first. */
export function hasIndexNames(object: object): boolean {
  for (const first in object) return isIndexName(first);
  return false;
}

/** Whether an object has no members (those that are `undefined` do not count). */
export function hasNoMembers(object: JsonObject): boolean {
  if (noted.has(object)) return false;
  for (const name in object) if (object[name] !== undefined) return false;
  return true;
}

/** Whether a value is nested deeper than `levels`; looks no further down than that, nor into parts shared with `known`. */
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
  const members = value as JsonObject; // not a list: checked
  const others = isJsonObject(known) ? known : {};
  const isMemberDeeper = (name: string) => {
    const member = members[name];
    return typeof member === 'object' && isDeeperThan(member, levels - 1, others[name]);
  };
  const many = noted.get(members);
  if (many !== undefined) return many.some(isMemberDeeper);
  for (const name in members) if (isMemberDeeper(name)) return true;
  return false;
}
