import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { copyMembers, setMember } from '../../schema/json-objects.js';
import type { ListSchema, Schema } from '../../schema/schema.js';
import { itemElement } from './item-element.js';
import { asFields, asItems, type FieldsSchema, itemsIn, memberSchema, membersIn } from './shape.js';

/**
 * Returns the value with the applied empty maps and lists restored, which pruning has removed or left as null. All other applied values
 * have an owner and are never removed. Parts without such maps and lists stay the same objects.
 */
export function restoreEmptied(schema: Schema, value: JsonValue, applied: JsonValue): JsonValue {
  if (value === null) return applied;
  const fields = asFields(schema, value);
  if (fields && isJsonObject(applied)) return withMembers(fields, membersIn(value), applied);
  const items = asItems(schema);
  return items && Array.isArray(applied) ? withItems(items, value, applied) : value;
}

function withMembers(schema: FieldsSchema, value: JsonObject, applied: JsonObject): JsonObject {
  let restored: ReturnType<typeof copyMembers> | undefined;
  for (const name of Object.keys(applied)) {
    const appliedMember = applied[name];
    if (appliedMember === undefined || appliedMember === null) continue;
    const member = (Object.hasOwn(value, name) ? value[name] : undefined) ?? null;
    const whole = restoreEmptied(memberSchema(schema, name), member, appliedMember);
    if (whole === member) continue;
    restored ??= copyMembers(value);
    setMember(restored, name, whole);
  }
  return restored ?? value;
}

function withItems(schema: ListSchema, value: JsonValue, applied: readonly JsonValue[]): JsonValue {
  const appliedItems = new Map(applied.map((item) => [itemElement(schema, item), item]));
  const items = itemsIn(value);
  const restored = items.map((item) =>
    restoreEmptied(schema.items, item, appliedItems.get(itemElement(schema, item)) ?? item),
  );
  return restored.some((item, i) => item !== items[i]) ? restored : value;
}
