import { equalJson } from '../../json/equal.js';
import { getOwn, hasNoMembers, namesOf } from '../../json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { copyMembers, setMember } from '../../schema/json-objects.js';
import type { ListSchema, Schema } from '../../schema/schema.js';
import type { PathElement } from '../paths/path-element.js';
import { areAligned, itemElement } from './item-element.js';
import { asFields, asItems, type FieldsSchema, itemsIn, memberSchema, membersIn } from './shape.js';

/**
 * Merges an applied value into the live one (spec 6.8): leaves are replaced, structs and maps merged by field, sets and map lists by item.
 * Nothing is removed. Unchanged objects are shared with the live value; the result is `live` itself when nothing changes.
 * @throws UnidentifiableItem for items without keys.
 */
export function merge(schema: Schema, live: JsonValue, applied: JsonValue): JsonValue {
  if (live === applied) return live;
  const fields = asFields(schema, applied);
  if (fields !== undefined) return mergeMembers(fields, live, applied);
  const items = asItems(schema);
  if (items !== undefined) return mergeItems(items, live, applied);
  return equalJson(live, applied) ? live : applied;
}

function mergeMembers(schema: FieldsSchema, live: JsonValue, applied: JsonValue): JsonValue {
  const old = membersIn(live);
  const appliedMembers = membersIn(applied);
  let shared = false;
  let merged: ReturnType<typeof copyMembers> | undefined;
  for (const name of namesOf(appliedMembers)) {
    const value = appliedMembers[name];
    if (value === undefined) continue;
    const before = getOwn(old, name);
    if (before !== undefined) shared = true;
    const after = before === undefined ? value : merge(memberSchema(schema, name), before, value);
    if (after !== before) setMember((merged ??= copyMembers(old)), name, after);
  }
  // If the live value has no members, the applied value replaces it like a leaf, so null and {} differ.
  if (!shared && hasNoMembers(old)) return equalJson(live, applied) ? live : applied;
  return merged ?? live;
}

function mergeItems(schema: ListSchema, live: JsonValue, applied: JsonValue): JsonValue {
  const old = itemsIn(live);
  const appliedItems = itemsIn(applied);
  if (old.length === 0 && appliedItems.length === 0) return equalJson(live, applied) ? live : applied;
  if (appliedItems.length === 0) return live;
  const merged = areAligned(schema, old, appliedItems)
    ? appliedItems.map((item, i) => merge(schema.items, old[i] ?? null, item))
    : inMergedOrder(schema, old, appliedItems);
  return merged.length === old.length && merged.every((item, i) => item === old[i]) ? live : merged;
}

/**
 * Merges a live and an applied list in one pass over both (spec 6.9). Applied items keep their applied order. A live item that is not
 * applied is added when the pass reaches it in the live list, before a new applied item at the same position. A live item whose place in
 * the applied list comes later is skipped and added there: live [a b x c] with applied [c n a] becomes [b x c n a].
 */
function inMergedOrder(schema: ListSchema, old: readonly JsonValue[], appliedItems: readonly JsonValue[]): JsonValue[] {
  const oldElements = old.map((item) => itemElement(schema, item));
  const appliedElements = appliedItems.map((item) => itemElement(schema, item));
  const oldItems = itemToMergeWith(oldElements, old);
  const appliedSet = new Set(appliedElements);
  const shared = appliedElements.filter((element) => oldItems.has(element));
  const merged: JsonValue[] = [];
  const taken = new Set<PathElement>();
  let nextShared = 0;
  let left = 0;
  let right = 0;

  const takeApplied = () => {
    const element = appliedElements[right];
    const item = appliedItems[right];
    right++;
    if (element === undefined || item === undefined) return;
    const before = oldItems.get(element);
    merged.push(before === undefined ? item : merge(schema.items, before, item));
    taken.add(element);
    if (shared[nextShared] === element) nextShared++;
  };

  while (left < old.length || right < appliedItems.length) {
    const element = oldElements[left];
    if (element !== undefined && right < appliedItems.length) {
      if (element === appliedElements[right]) {
        left++;
        takeApplied();
        continue;
      }
      if (appliedSet.has(element) && nextShared < shared.length && shared[nextShared] !== element) {
        // The item is added later, at its applied position.
        left++;
        continue;
      }
    }
    if (element !== undefined) {
      if (!appliedSet.has(element)) {
        merged.push(old[left] ?? null);
        left++;
        continue;
      }
      if (taken.has(element)) left++;
    }
    if (right < appliedItems.length) takeApplied();
  }
  return merged;
}

/**
 * Returns, for each path element, the live item with which an applied item of the same element is merged. It is null for an element that
 * occurs more than once, because an applied item is not merged with duplicates.
 */
function itemToMergeWith(elements: readonly PathElement[], items: readonly JsonValue[]): Map<PathElement, JsonValue> {
  const found = new Map<PathElement, JsonValue>();
  for (const [i, element] of elements.entries()) found.set(element, found.has(element) ? null : (items[i] ?? null));
  return found;
}

/**
 * Restores the applied empty maps and lists that pruning has removed or left as null. All other applied values have an owner and are never
 * removed. Objects in which nothing is restored are shared with `value`.
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
