import type { JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';

/**
 * What a value of a caller in this process says as JSON, without its text: a copy, so that nothing of the caller's is kept.
 * @throws TypeError for a value that contains itself.
 */
export function copyLocalDocument(value: unknown, open: Set<object> = new Set()): JsonValue | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') throw new TypeError('a document cannot hold a bigint');
  if (typeof value !== 'object') return undefined;
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyLocalDocument(value.toJSON(), open);
  if (open.has(value)) throw new TypeError('a document contains itself');
  open.add(value);
  const copy = Array.isArray(value)
    ? value.map((item) => copyLocalDocument(item, open) ?? null)
    : copyMembers(value, open);
  open.delete(value);
  return copy;
}

function copyMembers(value: object, open: Set<object>): JsonValue {
  const copy = {};
  for (const [name, member] of Object.entries(value)) {
    const copied = copyLocalDocument(member, open);
    if (copied !== undefined) setMember(copy, name, copied);
  }
  return copy;
}
