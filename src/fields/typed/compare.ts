import { equalJson } from '../../json/equal.js';
import { getOwn, hasNoMembers, namesOf } from '../../json/members.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { ListSchema, Schema } from '../../schema/schema.js';
import { fieldElement, type PathElement } from '../paths/path-element.js';
import {
  below,
  branchFrom,
  EMPTY,
  isEmpty,
  type Parts,
  type PathSet,
  recursiveDifference,
  SELF,
  withPart,
} from '../paths/path-set.js';
import { areAligned, itemElement, itemsByElement } from './item-element.js';
import { asFields, asItems, type FieldsSchema, hasOnlyLeaves, itemsIn, memberSchema, membersIn } from './shape.js';

/** The differences between two states of an object. Each member is a path set, and no path is in two of them. */
export interface Comparison {
  /** Paths in the newer state only: leaves, and the structs, maps and items above them that are new, too. */
  readonly added: PathSet;
  /** Leaves that are in both states with different values. */
  readonly modified: PathSet;
  /** Paths in the older state only. */
  readonly removed: PathSet;
}

const SAME: Comparison = Object.freeze({ added: EMPTY, modified: EMPTY, removed: EMPTY });

/**
 * Compares two values of one schema. Members that are the same object in both are skipped.
 * @throws UnidentifiableItem for changed lists that have items without keys.
 */
export function compare(schema: Schema, before: JsonValue, after: JsonValue): Comparison {
  const change = changeBetween(schema, before, after);
  if (change === undefined) return SAME;
  const { added = EMPTY, modified = EMPTY, removed = EMPTY } = change;
  return { added: below(added), modified: below(modified), removed: below(removed) };
}

/** Returns the comparison without the paths at or below the given ones. */
export function excludeFields(comparison: Comparison, paths: PathSet): Comparison {
  if (isEmpty(paths)) return comparison;
  return {
    added: recursiveDifference(comparison.added, paths),
    modified: recursiveDifference(comparison.modified, paths),
    removed: recursiveDifference(comparison.removed, paths),
  };
}

/** The differences between two values at and below one path. Each member is a subtree of a path set; an absent member means no paths. */
interface Change {
  readonly added?: PathSet | undefined;
  readonly modified?: PathSet | undefined;
  readonly removed?: PathSet | undefined;
}
const MODIFIED: Change = Object.freeze({ modified: EMPTY });

/** Compares two values; undefined when they are equal. */
function changeBetween(
  schema: Schema,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Change | undefined {
  if (before === after) return undefined;
  if (before === undefined) return after === undefined ? undefined : { added: everyPath(schema, after) };
  if (after === undefined) return { removed: everyPath(schema, before) };
  const fieldsBefore = asFields(schema, before);
  const fieldsAfter = asFields(schema, after);
  if (fieldsBefore !== undefined && fieldsAfter !== undefined) return changeOfMembers(fieldsAfter, before, after);
  if (fieldsBefore !== undefined || fieldsAfter !== undefined) return changeOfKind(schema, before, after);
  const items = asItems(schema);
  if (items !== undefined) return changeOfItems(items, before, after);
  return equalJson(before, after) ? undefined : MODIFIED;
}

/**
 * Returns the change of a value that was an object and has become a leaf, or the reverse. Only a value without a schema can change in this
 * way. The paths below it are removed or added.
 */
function changeOfKind(schema: Schema, before: JsonValue, after: JsonValue): Change {
  return {
    modified: EMPTY,
    removed: isJsonObject(before) ? belowOrNothing(everyPath(schema, before)) : undefined,
    added: isJsonObject(after) ? belowOrNothing(everyPath(schema, after)) : undefined,
  };
}
function belowOrNothing(branch: PathSet): PathSet | undefined {
  return isEmpty(branch) ? undefined : below(branch);
}

function changeOfMembers(schema: FieldsSchema, before: JsonValue, after: JsonValue): Change | undefined {
  const old = membersIn(before);
  const now = membersIn(after);
  // Null and {} are compared like leaves. Compared with an object that has members, null counts as an empty object.
  if ((before === null || after === null) && hasNoMembers(old) && hasNoMembers(now)) return MODIFIED;
  const changes: Changes = {};
  for (const name of namesOf(old)) {
    const after = getOwn(now, name);
    if (old[name] === undefined || old[name] === after) continue;
    const change = changeBetween(memberSchema(schema, name), old[name], after);
    if (change !== undefined) addChange(changes, fieldElement(name), change);
  }
  for (const name of namesOf(now)) {
    const added = now[name];
    if (added === undefined || getOwn(old, name) !== undefined) continue;
    addChange(changes, fieldElement(name), { added: everyPath(memberSchema(schema, name), added) });
  }
  return wholeChange(schema, changes);
}

function changeOfItems(schema: ListSchema, before: JsonValue, after: JsonValue): Change | undefined {
  const old = itemsIn(before);
  const now = itemsIn(after);
  if (old.length === 0 && now.length === 0) return equalJson(before, after) ? undefined : MODIFIED;
  const changes = changesOfAlignedItems(schema, old, now) ?? changesOfAnyItems(schema, old, now);
  return wholeChange(schema, changes);
}

/**
 * Compares two lists that have the same items at the same positions, which is cheaper than matching the items by their keys. Returns
 * undefined for all other lists.
 */
function changesOfAlignedItems(
  schema: ListSchema,
  old: readonly JsonValue[],
  now: readonly JsonValue[],
): Changes | undefined {
  if (!areAligned(schema, old, now)) return undefined;
  const changes: Changes = {};
  for (let i = 0; i < old.length; i++) {
    const change = changeBetween(schema.items, old[i], now[i]);
    if (change !== undefined) addChange(changes, itemElement(schema, now[i] ?? null), change);
  }
  // Duplicates need the general comparison. The search for them is needed only if the items differ.
  const isChanged = (changes.added ?? changes.modified ?? changes.removed) !== undefined;
  return isChanged && itemsByElement(schema, now).size !== now.length ? undefined : changes;
}

function changesOfAnyItems(schema: ListSchema, old: readonly JsonValue[], now: readonly JsonValue[]): Changes {
  if (old.length === 0) return { added: addItems(undefined, schema, now) };
  const changes: Changes = {};
  const oldItems = itemsByElement(schema, old);
  const nowItems = itemsByElement(schema, now);
  for (const element of new Set([...oldItems.keys(), ...nowItems.keys()])) {
    addItemChange(changes, schema, element, oldItems.get(element) ?? [], nowItems.get(element) ?? []);
  }
  return changes;
}

/** Adds the change of an item. Duplicates count as one leaf, which is added or removed separately from the single item (spec 6.9). */
function addItemChange(
  changes: Changes,
  schema: ListSchema,
  element: PathElement,
  old: readonly JsonValue[],
  now: readonly JsonValue[],
): void {
  const single = (before: JsonValue | undefined, after: JsonValue | undefined) =>
    addChange(changes, element, changeBetween(schema.items, before, after) ?? {});
  if (old.length <= 1 && now.length <= 1) single(old[0], now[0]);
  else if (old.length > 1 && now.length > 1) addChange(changes, element, equalJson(old, now) ? {} : MODIFIED);
  else if (old.length > 1) {
    single(undefined, now[0]);
    addChange(changes, element, { removed: EMPTY });
  } else {
    single(old[0], undefined);
    addChange(changes, element, { added: EMPTY });
  }
}

/**
 * Returns all paths at and below a value that is completely new or removed: its leaves and everything above them. With the zero value of
 * its schema, returns the paths that a new value adds or modifies, that is, without those that are equal in the zero value; undefined when
 * there are none.
 */
export function everyPath(schema: Schema, value: JsonValue): PathSet;
export function everyPath(schema: Schema, value: JsonValue, zero: JsonValue | undefined): PathSet | undefined;
export function everyPath(schema: Schema, value: JsonValue, zero?: JsonValue): PathSet | undefined {
  if (value === zero) return undefined;
  const fields = asFields(schema, value);
  const items = fields === undefined ? asItems(schema) : undefined;
  if (fields === undefined && items === undefined)
    return typeof zero === 'object' && equalJson(value, zero) ? undefined : EMPTY;
  const parts: Parts = zero === undefined ? withPart(undefined, SELF, EMPTY) : { elements: [], branches: [] };
  if (items !== undefined) addItems(parts, items, itemsIn(value));
  if (fields !== undefined) {
    const members = membersIn(value);
    const zeros = zero === undefined ? undefined : membersIn(zero);
    const onlyLeaves = hasOnlyLeaves(schema);
    for (const name of namesOf(members)) {
      const member = members[name];
      if (member === undefined) continue;
      const branch = onlyLeaves ? EMPTY : everyPath(memberSchema(fields, name), member, zeros && getOwn(zeros, name));
      if (branch !== undefined) withPart(parts, fieldElement(name), branch);
    }
  }
  if (parts.elements.length > 0) return sharedBranch(schema, parts);
  // Null and {} are compared like leaves, as in `changeOfMembers`.
  return zero === null || (value === null && hasNoMembers(membersIn(zero ?? null))) ? EMPTY : undefined;
}

/** Adds all paths of new items to a subtree. Duplicates become one leaf, so only the first two of equal items are added. */
function addItems(parts: Parts | undefined, schema: ListSchema, items: readonly JsonValue[]): Parts | undefined {
  let all = parts;
  const seen = new Set<PathElement>();
  const doubled = new Set<PathElement>();
  for (const item of items) {
    const element = itemElement(schema, item);
    if (!seen.has(element)) all = withPart(all, element, everyPath(schema.items, item));
    else if (!doubled.has(element)) {
      all = withPart(all, element, EMPTY);
      doubled.add(element);
    }
    seen.add(element);
  }
  return all;
}

/** The changes below one path, while they are collected. */
interface Changes {
  added?: Parts | undefined;
  modified?: Parts | undefined;
  removed?: Parts | undefined;
}

function addChange(changes: Changes, element: PathElement, { added, modified, removed }: Change): void {
  if (added !== undefined) changes.added = withPart(changes.added, element, added);
  if (modified !== undefined) changes.modified = withPart(changes.modified, element, modified);
  if (removed !== undefined) changes.removed = withPart(changes.removed, element, removed);
}

function wholeChange(schema: Schema, { added, modified, removed }: Changes): Change | undefined {
  if ((added ?? modified ?? removed) === undefined) return undefined;
  return {
    added: added && sharedBranch(schema, added),
    modified: modified && sharedBranch(schema, modified),
    removed: removed && sharedBranch(schema, removed),
  };
}

interface RecentBranch {
  readonly parts: Parts;
  readonly branch: PathSet;
}
const recent = new WeakMap<Schema, RecentBranch[]>();
/**
 * The number of cached subtrees per schema. Objects that clients create from up to this many templates in turn still share their subtrees.
 */
const MAX_RECENT = 4;
/**
 * The maximum number of elements of a cached subtree. Larger subtrees and those that contain them are not cached, because a few large
 * objects would hold much memory forever.
 */
const MAX_PARTS = 256;

/**
 * Returns the subtree with the given elements, which may be in any order. The last few subtrees of a schema are cached and returned again
 * for equal elements. Objects of one kind mostly have the same fields, and so share their `fieldsV1` values. Cached subtrees are frozen.
 */
function sharedBranch(schema: Schema, parts: Parts): PathSet {
  if (parts.elements.length === 0) return EMPTY;
  let recentBranches = recent.get(schema);
  if (recentBranches === undefined) recent.set(schema, (recentBranches = []));
  for (const known of recentBranches) if (isSame(known.parts, parts)) return known.branch;
  const branch = branchFrom(parts.elements, parts.branches);
  if (parts.elements.length > MAX_PARTS || !parts.branches.every(Object.isFrozen)) return branch;
  Object.freeze(branch);
  if (recentBranches.length === MAX_RECENT) recentBranches.pop();
  recentBranches.unshift({ parts, branch });
  return branch;
}

function isSame(a: Parts, b: Parts): boolean {
  const { length } = a.elements;
  if (length !== b.elements.length) return false;
  for (let i = 0; i < length; i++) if (a.branches[i] !== b.branches[i] || a.elements[i] !== b.elements[i]) return false;
  return true;
}
