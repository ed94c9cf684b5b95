import type { JsonObject, JsonValue } from '../meta/json.js';

/** The object's own member: a name such as `__proto__` never reaches what every object inherits. */
export function getOwn(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Adds a member under any name, `__proto__` included. */
export function setOwn(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else object[name] = value;
}

/** Whether an object has no members (those that are `undefined` do not count). */
export function hasNoMembers(object: JsonObject): boolean {
  for (const name in object) if (object[name] !== undefined) return false;
  return true;
}

/** Whether a value is nested deeper than `levels`; looks no further down than that. */
export function isDeeperThan(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const name in value) if (isDeeperThan((value as JsonObject)[name], levels - 1)) return true; // not a list: checked
  return false;
}
