import { namesOf, noteNames } from '../../json/members.js';
import type { JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';
import type { ListSchema, Schema } from '../../schema/schema.js';
import { fieldElement } from '../paths/path-element.js';
import { isEmpty, isMember, type PathSet } from '../paths/path-set.js';
import { itemElement } from './item-element.js';
import { asFields, asItems, type FieldsSchema, itemsIn, memberSchema, membersIn } from './shape.js';

/**
 * Returns the value without the fields and items in the path set and everything below them; null when nothing is left. The result shares
 * all objects and lists that do not change with `value`.
 * @throws UnidentifiableItem for items without keys.
 */
export function removeItems(schema: Schema, value: JsonValue, paths: PathSet): JsonValue {
  if (isEmpty(paths)) return value;
  const fields = asFields(schema, value);
  if (fields !== undefined) return withoutMembers(fields, value, paths);
  const items = asItems(schema);
  if (items !== undefined) return withoutItems(items, value, paths);
  // If the path set has paths inside an atomic value, the whole value is removed.
  return typeof value === 'object' ? null : value;
}

function withoutMembers(schema: FieldsSchema, value: JsonValue, paths: PathSet): JsonValue {
  const members = membersIn(value);
  const rest: Record<string, JsonValue> = {};
  let changed = false;
  const names: string[] = [];
  for (const name of namesOf(members)) {
    const member = members[name];
    if (member === undefined) continue;
    const branch = paths[fieldElement(name)];
    if (branch !== undefined && isMember(branch)) {
      changed = true;
      continue;
    }
    const kept = branch === undefined ? member : removeItems(memberSchema(schema, name), member, branch);
    if (kept !== member) changed = true;
    setMember(rest, name, kept);
    names.push(name);
  }
  if (names.length === 0) return null;
  return changed ? noteNames(rest, names) : value;
}

function withoutItems(schema: ListSchema, value: JsonValue, paths: PathSet): JsonValue {
  const items = itemsIn(value);
  const rest: JsonValue[] = [];
  let changed = false;
  for (const item of items) {
    const branch = paths[itemElement(schema, item)];
    if (branch !== undefined && isMember(branch)) {
      changed = true;
      continue;
    }
    const kept = branch === undefined ? item : removeItems(schema.items, item, branch);
    if (kept !== item) changed = true;
    rest.push(kept);
  }
  if (rest.length === 0) return null;
  return changed ? rest : value;
}
