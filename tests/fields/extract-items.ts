import { fieldElement } from '../../src/fields/paths/path-element.js';
import { below, isEmpty, type PathSet } from '../../src/fields/paths/path-set.js';
import { itemElement } from '../../src/fields/typed/item-element.js';
import {
  asFields,
  asItems,
  type FieldsSchema,
  itemsIn,
  memberSchema,
  membersIn,
} from '../../src/fields/typed/shape.js';
import { hasNoMembers } from '../../src/json/members.js';
import type { JsonValue } from '../../src/json/value.js';
import { setMember } from '../../src/schema/json-objects.js';
import type { ListSchema, Schema } from '../../src/schema/schema.js';

// A client uses this to apply a change of only the fields that it owns. The server never extracts fields.

/** Returns only the fields and items in the set, with the values below its leaves; null if there are none. */
export function extractItems(schema: Schema, value: JsonValue, paths: PathSet): JsonValue {
  const fields = asFields(schema, value);
  if (fields !== undefined) return onlyMembers(fields, value, paths);
  const items = asItems(schema);
  return items === undefined ? value : onlyItems(items, value, paths);
}

function onlyMembers(schema: FieldsSchema, value: JsonValue, paths: PathSet): JsonValue {
  const members = membersIn(value);
  const found: Record<string, JsonValue> = {};
  for (const name in members) {
    const member = members[name];
    const branch = paths[fieldElement(name)];
    if (member !== undefined && branch !== undefined) {
      setMember(found, name, extractItems(memberSchema(schema, name), member, below(branch)));
    }
  }
  return hasNoMembers(found) ? null : found;
}

function onlyItems(schema: ListSchema, value: JsonValue, paths: PathSet): JsonValue {
  const found: JsonValue[] = [];
  for (const item of itemsIn(value)) {
    const branch = paths[itemElement(schema, item)];
    if (branch !== undefined) found.push(isEmpty(branch) ? item : extractItems(schema.items, item, below(branch)));
  }
  return found.length === 0 ? null : found;
}
