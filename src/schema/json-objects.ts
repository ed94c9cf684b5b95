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

/**
 * A copy of a JSON value; frozen parts are shared. Goes without recursion, so depth does no harm.
 * @throws TypeError for a value that contains itself.
 */
export function copyJson(value: JsonValue): JsonValue {
  const root: { value?: JsonValue } = {};
  // A source is open while its members are being copied: meeting it again is a circle.
  const open = new Set<object>();
  type Task = { readonly source: unknown; readonly target: object; readonly key: string } | { readonly close: object };
  const tasks: Task[] = [{ source: value, target: root, key: 'value' }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('close' in task) {
      open.delete(task.close);
      continue;
    }
    const { source, target, key } = task;
    if (typeof source !== 'object' || source === null || Object.isFrozen(source)) {
      setMember(target, key, source);
      continue;
    }
    if (open.has(source)) throw new TypeError('a value contains itself');
    open.add(source);
    tasks.push({ close: source });
    const copy: object = Array.isArray(source) ? new Array(source.length) : {};
    setMember(target, key, copy);
    const entries = Object.entries(source);
    // Members land in their order: the stack gives them back reversed.
    for (let i = entries.length - 1; i >= 0; i--) {
      const [name, member] = entries[i] ?? ['', undefined];
      if (member !== undefined) tasks.push({ source: member, target: copy, key: name });
    }
  }
  return root.value ?? null;
}
