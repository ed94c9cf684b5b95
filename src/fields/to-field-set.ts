import { isJsonObject, type JsonValue } from '../meta/json.js';
import type { ListSchema, Schema } from '../schema/schema.js';
import { itemElement } from './item-element.js';
import { hasNoMembers } from './own-property.js';
import { fieldElement } from './path-element.js';
import { below, branchFrom, EMPTY, type PathSet, SELF } from './path-set.js';
import { asFields, asItems, type FieldsSchema, isNamed, itemsIn, memberSchema, membersIn } from './shape.js';
import { type Parts, withPart } from './shared-branch.js';

/**
 * The fields a value speaks of, as an apply of it would own them (gap file 2.4): leaves, items of sets and map lists,
 * entries of maps, and what is null or {}. Structs and maps as such are not owned, nor are empty sets and map lists.
 * @throws UnidentifiableItem for items without keys.
 */
export function toFieldSet(schema: Schema, value: JsonValue): PathSet {
  return below(branchOf(schema, value, false) ?? EMPTY);
}

/** `member`: the path of the value itself is owned. Undefined when nothing at or below it is. */
function branchOf(schema: Schema, value: JsonValue, member: boolean): PathSet | undefined {
  const fields = asFields(schema, value);
  if (fields !== undefined) return membersBranch(fields, value, member);
  const items = asItems(schema);
  return items === undefined ? EMPTY : itemsBranch(items, itemsIn(value), member);
}

function membersBranch(schema: FieldsSchema, value: JsonValue, self: boolean): PathSet | undefined {
  const members = membersIn(value);
  const parts = newGathered(self);
  for (const name in members) {
    const member = members[name];
    if (member === undefined) continue;
    let branch = branchOf(memberSchema(schema, name), member, member === null || !isNamed(schema, name));
    if (branch === undefined && isJsonObject(member) && hasNoMembers(member)) branch = EMPTY;
    if (branch !== undefined) withPart(parts, fieldElement(name), branch);
  }
  return branchOfGathered(parts);
}

function itemsBranch(schema: ListSchema, items: readonly JsonValue[], self: boolean): PathSet | undefined {
  const parts = newGathered(self);
  // Of duplicates only the item as a whole is owned: what lies below could not be told apart.
  for (const item of items) withPart(parts, itemElement(schema, item), branchOf(schema.items, item, true) ?? EMPTY);
  return branchOfGathered(parts);
}

function newGathered(self: boolean): Parts {
  return { elements: self ? [SELF] : [], branches: self ? [EMPTY] : [] };
}
function branchOfGathered({ elements, branches }: Parts): PathSet | undefined {
  return elements.length === 0 ? undefined : branchFrom(elements, branches);
}
