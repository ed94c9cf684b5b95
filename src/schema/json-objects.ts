import { notedNames } from '../json/members.js';
import type { JsonObject, JsonValue } from '../json/value.js';

/** Sets a member of an object under construction, `__proto__` like any other. */
export function setMember(object: object, name: string, value: unknown): void {
  if (name !== '__proto__')
    (object as Record<string, unknown>)[name] = value; // a plain object
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A copy of an object, its members shared. Engines spread small objects faster, and very large ones much slower. */
export function copyMembers(object: JsonObject): Record<string, JsonValue | undefined> {
  const many = notedNames(object);
  if (many === undefined) return { ...object };
  const copy = {};
  for (const name of many) setMember(copy, name, object[name]);
  return copy;
}

/** Whether a value is an object of named members: no list, no null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
