import { namesOf } from '../json/members.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import { copyMembers, setMember } from '../schema/json-objects.js';
import type { Schema } from '../schema/schema.js';

/**
 * Converts the numbers of a merged document to the types of their fields. Upstream converts such a document without serializing it, so a
 * number that is too large for an integer wraps around (spec 5.4). Fractions stay, because they are refused later. Returns the same value
 * when nothing changes. Frozen objects and lists are skipped, because their numbers have been converted before.
 */
export function restoreNumbers(schema: Schema, value: JsonValue): JsonValue {
  if (typeof value === 'number')
    return schema.type === 'integer' && Number.isInteger(value) ? wrapInteger(value, schema.format) : value;
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (schema.type === 'list' && Array.isArray(value)) {
    const items = value.map((item: JsonValue) => restoreNumbers(schema.items, item));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if ((schema.type !== 'object' && schema.type !== 'map') || !isJsonObject(value)) return value;
  let restored: Record<string, JsonValue | undefined> | undefined;
  for (const name of namesOf(value)) {
    const member = value[name];
    const inner = schema.type === 'map' ? schema.values : schema.properties.get(name)?.schema;
    if (inner === undefined || member === undefined) continue;
    const next = restoreNumbers(inner, member);
    if (next !== member) setMember((restored ??= copyMembers(value)), name, next);
  }
  // Undefined members count as absent, so the result is a JSON value and the cast is safe.
  return (restored ?? value) as JsonValue;
}

const INT64_LIMIT = 2 ** 63;

function wrapInteger(value: number, format: 'int32' | 'int64'): number {
  // Go converts a number beyond 64 bits to the smallest integer.
  const whole = Math.abs(value) >= INT64_LIMIT ? -INT64_LIMIT : value;
  if (format === 'int64') return whole;
  return Math.abs(whole) < 2 ** 31 ? whole : Number(BigInt.asIntN(32, BigInt(whole)));
}
