import { hasNoMembers, namesOf, notedNames } from '../../json/members.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { Schema } from '../../schema/schema.js';
import { fieldElement } from '../paths/path-element.js';
import {
  below,
  branchFrom,
  EMPTY,
  isEmpty,
  isMember,
  type Parts,
  type PathSet,
  SELF,
  withPart,
} from '../paths/path-set.js';
import { itemElement } from './item-element.js';
import { asFields, asItems, isNamed, itemsIn, memberSchema, membersIn } from './shape.js';

/**
 * Returns the fields that an apply of a value would own (spec 6.3): leaves, items of sets and map lists, entries of maps, and values that
 * are null or {}. Structs and maps themselves are not owned, nor are empty sets and map lists.
 * @throws UnidentifiableItem for items without keys.
 */
export function toFieldSet(schema: Schema, value: JsonValue): PathSet {
  return below(branchOf(schema, value, NOT_OWNED) ?? EMPTY);
}

/** Returns the same as `withNamedParents(schema, toFieldSet(schema, value))` in one pass. */
export function toFieldSetWithParents(schema: Schema, value: JsonValue): PathSet {
  return below(branchOf(schema, value, OWNED_WITH_PARTS) ?? EMPTY);
}

/** The path to the value is not owned. */
const NOT_OWNED = 0;
/** The path to the value is owned only if a path below it is. The same applies to structs inside the value. */
const OWNED_WITH_PARTS = 1;
const OWNED = 2;
/** The path to the value is owned. The paths to structs inside the value are owned if a path below them is. */
const OWNED_AND_PARENTS = 3;
type SelfOwnership = typeof NOT_OWNED | typeof OWNED_WITH_PARTS | typeof OWNED | typeof OWNED_AND_PARENTS;

/** Returns the owned fields at and below a value; undefined when there are none. */
function branchOf(schema: Schema, value: JsonValue, self: SelfOwnership): PathSet | undefined {
  const fields = asFields(schema, value);
  const items = fields === undefined ? asItems(schema) : undefined;
  if (fields === undefined && items === undefined) return EMPTY;
  const parts: Parts = self === NOT_OWNED ? { elements: [], branches: [] } : { elements: [SELF], branches: [EMPTY] };
  const [ofNamed, ofOthers] = self === OWNED_WITH_PARTS || self === OWNED_AND_PARENTS ? WITH_PARENTS : PLAIN;
  if (items !== undefined) {
    // Duplicates are owned as whole items, because the fields below them could not be distinguished.
    for (const item of itemsIn(value))
      withPart(parts, itemElement(items, item), branchOf(items.items, item, ofOthers) ?? EMPTY);
  }
  if (fields !== undefined) {
    const members = membersIn(value);
    for (const name of namesOf(members)) {
      const member = members[name];
      if (member === undefined) continue;
      const inside = member === null || !isNamed(fields, name) ? ofOthers : ofNamed;
      let branch = branchOf(memberSchema(fields, name), member, inside);
      if (branch === undefined && isJsonObject(member) && hasNoMembers(member)) branch = EMPTY;
      if (branch !== undefined) withPart(parts, fieldElement(name), branch);
    }
  }
  const least = self === OWNED_WITH_PARTS ? 2 : 1;
  return parts.elements.length < least ? undefined : branchFrom(parts.elements, parts.branches);
}

// The ownership of the named members of a value, and that of its other members and its items.
const PLAIN = [NOT_OWNED, OWNED] as const;
const WITH_PARENTS = [OWNED_WITH_PARTS, OWNED_AND_PARENTS] as const;

/**
 * Returns whether a value has exactly the fields in a path set, apart from those in `ignored`. It is equivalent to a comparison with
 * `toFieldSet(schema, value)` but builds no set, which saves time because most applies repeat the same fields.
 */
export function hasFieldSet(schema: Schema, value: JsonValue, set: PathSet, ignored: PathSet): boolean {
  return matchesBranch(schema, value, false, isEmpty(set) ? undefined : set, ignored);
}

/** Compares a value with the subtree `branch` of a path set. `member` is whether the path to the value must be in the set. */
function matchesBranch(
  schema: Schema,
  value: JsonValue,
  member: boolean,
  branch: PathSet | undefined,
  ignored: PathSet | undefined,
): boolean {
  const fields = asFields(schema, value);
  const items = asItems(schema);
  if (fields === undefined && items === undefined) return branch !== undefined && isEmpty(branch);
  let found = 0;
  if (fields !== undefined) {
    const members = membersIn(value);
    for (const name of namesOf(members)) {
      const inside = members[name];
      if (inside === undefined) continue;
      const element = fieldElement(name);
      const below = branch?.[element];
      const ignoredBelow = ignored?.[element];
      if (below === undefined && ignoredBelow !== undefined && isEmpty(ignoredBelow)) continue;
      const own = (!isNamed(fields, name) || isNullOrEmptyObject(inside)) && !isIgnored(ignoredBelow);
      if (!matchesBranch(memberSchema(fields, name), inside, own, below, ignoredBelow)) return false;
      if (below !== undefined) found++;
    }
  } else if (items !== undefined) {
    for (const item of itemsIn(value)) {
      const below = branch?.[itemElement(items, item)];
      if (below === undefined || !matchesBranch(items.items, item, true, below, undefined)) return false;
      found++;
    }
  }
  return branch === undefined ? found === 0 && !member : isMember(branch) === member && countOf(branch) === found;
}

function isIgnored(branch: PathSet | undefined): boolean {
  return branch !== undefined && isMember(branch);
}
function isNullOrEmptyObject(value: JsonValue): boolean {
  return value === null || (typeof value === 'object' && !Array.isArray(value) && hasNoMembers(membersIn(value)));
}
function countOf(branch: PathSet): number {
  const many = notedNames(branch);
  let count = (branch['.'] === undefined ? 0 : -1) + (many?.length ?? 0);
  if (many !== undefined) return count;
  for (const _ in branch) count++;
  return count;
}
