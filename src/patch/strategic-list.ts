import { getOwn } from '../json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import { arrangeElements, elementKey } from './element-order.js';
import { kindOf, type PatchField } from './patch-schema.js';
import { typeText } from './plain-text.js';
import { strategicError } from './strategic-errors.js';

/** Merges a patch into the list element with the same merge key. */
export type MergeElement = (element: JsonObject, patch: JsonObject) => JsonObject;

/**
 * The number of values that one patch has merged again, because it contains several elements with the same merge key. Each repeated merge
 * adds the number of values in the element.
 */
export interface RepeatedEffort {
  spent: number;
}
/**
 * The maximum {@link RepeatedEffort} of one patch. Each merge may copy the element, so a patch that repeats the key of a large element very
 * often would take minutes.
 */
const MAX_REPEATED_EFFORT = 500_000;

/**
 * Returns a list after a patch; `before` itself when nothing changed. If the field does not have the merge strategy, the list is replaced.
 */
export function mergeLists(
  before: readonly JsonValue[],
  patch: readonly JsonValue[],
  field: PatchField,
  mergeElement: MergeElement,
  effort: RepeatedEffort,
): readonly JsonValue[] {
  if (field.strategy !== 'merge') return patch;
  if (before.length === 0 && patch.length === 0) return before;
  if (!holdsObjects(before, patch)) {
    return arrangeElements([...new Set([...before, ...patch])], patch, before, field.mergeKey);
  }
  if (field.mergeKey === '') throw strategicError.mergeKeyUndeclared(kindOf(field.schema));
  const rest = applyElementDirectives(before, patch, field.mergeKey);
  const merged = mergeByKey(rest.before, rest.patch, field.mergeKey, mergeElement, effort);
  return arrangeElements(merged, rest.patch, rest.before, field.mergeKey);
}

/** Returns a list without the values of its `$deleteFromPrimitiveList`. The patch strategy of the field does not matter. */
export function deleteFromList(
  before: readonly JsonValue[],
  values: readonly JsonValue[],
  field: PatchField,
  mergeElement: MergeElement,
  effort: RepeatedEffort,
): readonly JsonValue[] {
  if (before.length + values.length === 0) return before;
  if (holdsObjects(before, values))
    return mergeLists(before, values, { ...field, strategy: 'merge' }, mergeElement, effort);
  const gone = new Set(values);
  return before.filter((value) => !gone.has(value));
}

/**
 * Returns whether the elements of all lists are objects.
 * @throws ApiError 422 for lists of lists, 500 when all lists are empty or the elements differ in type.
 */
export function holdsObjects(...lists: readonly (readonly JsonValue[])[]): boolean {
  let type: string | undefined;
  for (const list of lists) {
    for (const element of list) {
      if (type === undefined && Array.isArray(element)) throw strategicError.listOfLists();
      type ??= typeText(element);
      if (element === null || typeText(element) !== type) throw strategicError.mixedElements(lists);
    }
  }
  if (type === undefined) throw strategicError.noElements();
  return type === typeText({});
}

/**
 * Returns the old order for `$setElementOrder`: the elements of the list before the patch, in their positions. If the patch deletes
 * elements, the elements that it adds are appended until the list has its old length.
 */
export function orderAfterMerge(
  before: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): readonly JsonValue[] {
  if (mergeKey === '') return before;
  const rest = applyElementDirectives(before, patch, mergeKey);
  if (rest.before.length === before.length) return before;
  const known = new Set(rest.before.map((element) => elementKey(element, mergeKey)));
  const added = rest.patch.filter((element) => !known.has(elementKey(element, mergeKey)));
  return [...rest.before, ...added].slice(0, before.length);
}

/**
 * Applies the elements with `$patch` and removes them from the patch: `delete` removes elements of the list, `replace` drops the whole old
 * list.
 */
function applyElementDirectives(before: readonly JsonValue[], patch: readonly JsonValue[], mergeKey: string) {
  const gone = new Set<JsonValue>();
  const rest: JsonValue[] = [];
  let replaced = false;
  for (const element of patch) {
    const directive = isJsonObject(element) ? getOwn(element, '$patch') : undefined;
    if (directive === undefined || !isJsonObject(element)) rest.push(element);
    else if (directive === 'delete') gone.add(elementKey(element, mergeKey));
    else if (directive === 'replace') replaced = true;
    else if (directive === 'merge') throw strategicError.mergeInList();
    else throw strategicError.unknownDirective(directive, element);
  }
  if (replaced) return { before: rest, patch: [] };
  if (gone.size === 0) return { before, patch: rest };
  const remainingElements = before.filter((element) => {
    const key = isJsonObject(element) ? getOwn(element, mergeKey) : undefined;
    return key === undefined || !gone.has(key);
  });
  return { before: remainingElements, patch: rest };
}

function mergeByKey(
  before: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
  mergeElement: MergeElement,
  effort: RepeatedEffort,
): readonly JsonValue[] {
  const merged = [...before];
  const places = new Map<JsonValue, number>();
  merged.forEach((element, place) => {
    const key = elementKey(element, mergeKey);
    if (!places.has(key)) places.set(key, place);
  });
  const touched = new Set<JsonValue>();
  for (const element of patch) {
    const key = elementKey(element, mergeKey);
    const place = places.get(key);
    const existing = place === undefined ? undefined : merged[place];
    if (touched.has(key) && existing !== undefined) spend(effort, existing);
    touched.add(key);
    if (place !== undefined && isJsonObject(existing) && isJsonObject(element)) {
      merged[place] = mergeElement(existing, element);
    } else {
      places.set(key, merged.push(element) - 1);
    }
  }
  return merged;
}

/**
 * Adds to `effort` the number of values in an element that is merged again.
 * @throws ApiError 413 when the effort exceeds {@link MAX_REPEATED_EFFORT}
 */
function spend(effort: RepeatedEffort, element: JsonValue): void {
  const open: JsonValue[] = [element];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (++effort.spent > MAX_REPEATED_EFFORT)
      throw apiError.tooLarge('the patch names large elements of a list too often');
    if (typeof value !== 'object' || value === null) continue;
    for (const inside of Object.values(value)) if (inside !== undefined) open.push(inside);
  }
}
