import type { JsonValue } from '../meta/json.js';
import type { ListSchema, Schema } from '../schema/schema.js';
import { itemsByElement } from './item-element.js';
import { hasNoMembers } from './own-property.js';
import { fieldElement } from './path-element.js';
import { asMember, below, EMPTY, makeBranch, type PathSet } from './path-set.js';
import { asFields, asItems, type FieldsSchema, isNamed, itemsIn, memberSchema, membersIn } from './shape.js';

/**
 * The fields a value speaks of, as an apply of it would own them (gap file 2.4): leaves, items of sets and map lists,
 * entries of maps, and what is null or {}. Structs and maps as such are not owned, nor are empty sets and map lists.
 * @throws UnidentifiableItem for items without keys.
 */
export function toFieldSet(schema: Schema, value: JsonValue): PathSet {
  return below(branchOf(schema, value) ?? EMPTY);
}

/** Undefined when nothing at or below the value is owned. */
function branchOf(schema: Schema, value: JsonValue): PathSet | undefined {
  const fields = asFields(schema, value);
  if (fields !== undefined) return membersBranch(fields, value);
  const items = asItems(schema);
  return items === undefined ? EMPTY : itemsBranch(items, itemsIn(value));
}

function membersBranch(schema: FieldsSchema, value: JsonValue): PathSet | undefined {
  const members = membersIn(value);
  const parts: Record<string, PathSet> = {};
  for (const name in members) {
    const member = members[name];
    if (member === undefined) continue;
    const branch = branchOf(memberSchema(schema, name), member);
    if (!isNamed(schema, name) || isNullOrEmpty(member)) parts[fieldElement(name)] = asMember(branch ?? EMPTY);
    else if (branch !== undefined) parts[fieldElement(name)] = branch;
  }
  return makeBranch(parts);
}

function isNullOrEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === 'object' && !Array.isArray(value) && hasNoMembers(membersIn(value)));
}

function itemsBranch(schema: ListSchema, items: readonly JsonValue[]): PathSet | undefined {
  const parts: Record<string, PathSet> = {};
  for (const [element, [item = null, ...duplicates]] of itemsByElement(schema, items)) {
    // Of duplicates only the item as a whole is owned: what lies below could not be told apart.
    parts[element] = asMember((duplicates.length === 0 ? branchOf(schema.items, item) : undefined) ?? EMPTY);
  }
  return makeBranch(parts);
}
