import { namesOf, noteNames } from '../../json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { childPath } from '../../meta/field-error.js';
import { setMember } from '../../schema/json-objects.js';
import type { ListSchema, Schema } from '../../schema/schema.js';
import { fieldElement } from '../paths/path-element.js';
import { isEmpty, isMember, type PathSet } from '../paths/path-set.js';
import { itemElement } from './item-element.js';
import { asFields, asItems, declaredMember, type FieldsSchema, itemsIn, memberSchema, membersIn } from './shape.js';

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
