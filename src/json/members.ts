import { isJsonObject, type JsonObject, type JsonValue } from './value.js';

/** The object's own member: a name such as `__proto__` never reaches what every object inherits. */
export function getOwn(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether an object has no members (those that are `undefined` do not count). */
export function hasNoMembers(object: JsonObject): boolean {
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
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && isDeeperThan(member, levels - 1, others[name])) return true;
  }
  return false;
}
