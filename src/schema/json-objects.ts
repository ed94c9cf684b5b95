import { DecodeError } from '../json/decode-error.js';
import { notedNames } from '../json/members.js';
import type { JsonObject, JsonValue } from '../json/value.js';

/** Sets a member of an object under construction. `__proto__` becomes an own member like any other name. */
export function setMember(object: object, name: string, value: unknown): void {
  if (name !== '__proto__')
    (object as Record<string, unknown>)[name] = value; // Callers pass only plain objects, so the cast is safe.
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Returns a copy of an object with one member added or replaced; the copy has the members in the same order. The members are copied one by
 * one, because Node 20 needs ten times as long to add a member to the result of a spread (`{ ...object }`), which gets a hidden class of
 * its own.
 */
export function withMember<T extends object, K extends string & keyof T>(object: T, name: K, value: T[K]): T {
  const copy = {};
  for (const member in object) setMember(copy, member, object[member]);
  setMember(copy, name, value);
  return copy as T; // The copy has all members of the object, so the cast is safe.
}

/** Returns a shallow copy of an object. Small objects are spread, because that is faster; for very large ones spreading is much slower. */
export function copyMembers(object: JsonObject): Record<string, JsonValue | undefined> {
  const many = notedNames(object);
  if (many === undefined) return { ...object };
  const copy = {};
  for (const name of many) setMember(copy, name, object[name]);
  return copy;
}

/** The depth limit of Go's JSON decoder. */
const MAX_DEPTH = 10_000;
/** Frozen parts nested deeper than this are copied instead of shared. The limit also ends the check of values that contain themselves. */
const DEEPEST_SHARED = 1000;

/**
 * Copies a value of a caller in this process as `JSON.stringify` would serialize it: `toJSON` is called, numbers that are not finite become
 * null, functions and symbols are left out. Deeply frozen parts are shared, because the caller cannot change them. The function does not
 * recurse.
 * @returns undefined for a value that JSON does not have
 * @throws TypeError for a bigint, and for a value that contains itself; DecodeError for a value that is nested too deep.
 */
export function copyJson(value: unknown): JsonValue | undefined {
  // The objects whose members are being copied. If a member is one of these objects, the value contains itself.
  const open = new Set<object>();
  const tasks: Task[] = [];
  /**
   * Begins the copy of a value and returns the copy. Its members are copied later. A scalar or deeply frozen value is returned as it is.
   */
  const begin = (source: JsonValue | object | undefined, mayBeFinal: boolean): JsonValue | undefined => {
    // A scalar is JSON, and so is a final value, so the cast is safe.
    if (typeof source !== 'object' || source === null || (mayBeFinal && isFinal(source))) return source as JsonValue;
    const copy = Array.isArray(source) ? [] : {};
    // If the source is frozen, but not deeply, then `isFinal` has already checked its parts. They are not checked again.
    tasks.push({ source, copy, mayBeFinal: mayBeFinal && !Object.isFrozen(source) });
    return copy;
  };
  const root = begin(plainOf(value, ''), true);
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('close' in task) {
      open.delete(task.close);
      continue;
    }
    const { source, copy, mayBeFinal } = task;
    if (open.has(source)) throw new TypeError('a value contains itself');
    if (open.size === MAX_DEPTH) throw new DecodeError('json: exceeded max depth');
    open.add(source);
    tasks.push({ close: source });
    if (Array.isArray(source))
      for (let i = 0; i < source.length; i++)
        (copy as unknown[])[i] = begin(plainOf(source[i], String(i)), mayBeFinal) ?? null;
    else
      for (const name of Object.keys(source)) {
        const member = begin(plainOf((source as Record<string, unknown>)[name], name), mayBeFinal);
        if (member !== undefined) setMember(copy, name, member);
      }
  }
  return root;
}

type Task =
  | { readonly source: object; readonly copy: object; readonly mayBeFinal: boolean }
  | { readonly close: object };

/** Returns a value as `JSON.stringify` converts it; undefined when `JSON.stringify` omits the value. */
function plainOf(value: unknown, key: string): JsonValue | object | undefined {
  let plain = value;
  if (typeof plain === 'object' && plain !== null) {
    if ('toJSON' in plain && typeof plain.toJSON === 'function') plain = plain.toJSON(key) as unknown;
    if (plain instanceof Number || plain instanceof String || plain instanceof Boolean) plain = plain.valueOf();
  }
  if (typeof plain === 'bigint') throw new TypeError('JSON has no bigint: give a number or a string');
  if (typeof plain === 'number') return Number.isFinite(plain) ? plain : null;
  if (typeof plain === 'function' || typeof plain === 'symbol') return undefined;
  return plain as JsonValue | object | undefined; // All other types have been handled, so the cast is safe.
}

/**
 * Values that are known to be deeply frozen JSON. They are cached, because the parts of a stored object are passed again with its next
 * update.
 */
const final = new WeakSet<object>();

/** Returns whether a value is deeply frozen JSON: plain objects and lists only. */
function isFinal(value: object, depth = 0): boolean {
  if (!Object.isFrozen(value) || depth > DEEPEST_SHARED) return false;
  if (final.has(value)) return true;
  const members: unknown[] = Object.values(value);
  const isPlain = Array.isArray(value) ? members.length === value.length : isPlainObject(value);
  if (!isPlain || !members.every((member) => isFinalMember(member, depth + 1))) return false;
  if (depth === 0) final.add(value);
  return true;
}

function isFinalMember(member: unknown, depth: number): boolean {
  if (typeof member === 'object') return member === null || isFinal(member, depth);
  return typeof member === 'string' || typeof member === 'boolean' || Number.isFinite(member);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
