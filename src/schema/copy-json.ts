import { DecodeError } from '../json/decode-error.js';
import type { JsonValue } from '../json/value.js';
import { setMember } from './json-objects.js';

/** As deep as Go reads JSON. */
const MAX_DEPTH = 10_000;
/** What is frozen and nested deeper is copied. Circles are. */
const DEEPEST_SHARED = 1000;

/**
 * What a value of a caller in this process says as JSON, without its text: `toJSON` is asked, what is not finite is null, functions
 * and symbols are left out. A copy, so that nothing of the caller's is kept, but for parts that are frozen all the way down: those
 * are shared. Goes without recursion.
 * @returns undefined for what JSON does not have
 * @throws TypeError for a bigint, and for a value that contains itself; DecodeError for one that is nested too deep.
 */
export function copyJson(value: unknown): JsonValue | undefined {
  const root: { value?: JsonValue } = {};
  // A source is open while its members are being copied: meeting it again is a circle.
  const open = new Set<object>();
  const tasks: Task[] = [{ source: value, target: root, key: 'value', mayBeFinal: true }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('close' in task) {
      open.delete(task.close);
      continue;
    }
    const { target, key } = task;
    const source = plainOf(task.source, key);
    if (typeof source !== 'object' || source === null || (task.mayBeFinal && isFinal(source))) {
      if (source !== undefined) setMember(target, key, source);
      else if (Array.isArray(target)) setMember(target, key, null);
      continue;
    }
    if (open.has(source)) throw new TypeError('a value contains itself');
    if (open.size === MAX_DEPTH) throw new DecodeError('json: exceeded max depth');
    open.add(source);
    tasks.push({ close: source });
    // Holes are null.
    const copy: object = Array.isArray(source) ? new Array(source.length).fill(null) : {};
    setMember(target, key, copy);
    // What is frozen and not final was looked at all the way down.
    const mayBeFinal = task.mayBeFinal && !Object.isFrozen(source);
    const entries = Object.entries(source);
    // Members land in their order: the stack gives them back reversed.
    for (let i = entries.length - 1; i >= 0; i--) {
      const [name, member] = entries[i] ?? ['', undefined];
      if (member !== undefined) tasks.push({ source: member, target: copy, key: name, mayBeFinal });
    }
  }
  return root.value;
}

type Task =
  | { readonly source: unknown; readonly target: object; readonly key: string; readonly mayBeFinal: boolean }
  | { readonly close: object };

/** A value as `JSON.stringify` takes it; undefined: not at all. */
function plainOf(value: unknown, key: string): JsonValue | object | undefined {
  let plain = value;
  if (typeof plain === 'object' && plain !== null) {
    if ('toJSON' in plain && typeof plain.toJSON === 'function') plain = plain.toJSON(key) as unknown;
    if (plain instanceof Number || plain instanceof String || plain instanceof Boolean) plain = plain.valueOf();
  }
  if (typeof plain === 'bigint') throw new TypeError('JSON has no bigint: give a number or a string');
  if (typeof plain === 'number') return Number.isFinite(plain) ? plain : null;
  if (typeof plain === 'function' || typeof plain === 'symbol') return undefined;
  return plain as JsonValue | object | undefined; // nothing else is left
}

/** Frozen values that were found to be final: those of stored objects come again with the next change. */
const final = new WeakSet<object>();

/** Whether a value is JSON that does not change: plain objects and lists, all of them frozen. */
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
