import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { childPath } from '../../meta/field-error.js';
import { setMember } from '../../schema/json-objects.js';
import type { Schema } from '../../schema/schema.js';
import { declaredMember } from './shape.js';

/**
 * Returns a value without the members that its schema does not declare; the same value when there are none.
 * @param onUndeclared called with the path of each undeclared member as warnings show it: `spec.items[0].x`
 */
export function dropUndeclared(
  schema: Schema,
  value: JsonValue,
  onUndeclared: (path: string) => void,
  path = '',
): JsonValue {
  if (schema.type === 'list') {
    if (!Array.isArray(value)) return value;
    const kept = value.map((item: JsonValue, i) => dropUndeclared(schema.items, item, onUndeclared, `${path}[${i}]`));
    return kept.some((item, i) => item !== value[i]) ? kept : value;
  }
  if ((schema.type !== 'object' && schema.type !== 'map') || !isJsonObject(value)) return value;
  const kept: JsonObject = {};
  let same = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const declared = declaredMember(schema, name);
    const inner = declared && dropUndeclared(declared, member, onUndeclared, childPath(path, name));
    if (inner === undefined) onUndeclared(childPath(path, name));
    else setMember(kept, name, inner);
    if (inner !== member) same = false;
  }
  return same ? value : kept;
}
