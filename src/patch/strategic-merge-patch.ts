import { getOwn } from '../json/members.js';
import { jsonTypeName } from '../json/number-text.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { type ApiError, apiError } from '../meta/api-error.js';
import type { Schema } from '../schema/schema.js';
import { arrangeElements, checkElementOrder } from './element-order.js';
import { editObject, isJsonList, type ObjectEdit } from './json-members.js';
import { checkPatchDepth, keepIfSame } from './merge-patch.js';
import { listField, objectField, type PatchField } from './patch-schema.js';
import { typeText } from './plain-text.js';
import { strategicError } from './strategic-errors.js';
import {
  deleteFromList,
  holdsObjects,
  type MergeElement,
  mergeLists,
  orderAfterMerge,
  type RepeatedEffort,
} from './strategic-list.js';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
const ELEMENT_ORDER = '$setElementOrder';

/**
 * Reads a parsed document as a strategic merge patch; null counts as an empty patch.
 * @throws ApiError 400 when it is not a strategic merge patch.
 */
export function decodeStrategicMergePatch(document: JsonValue): JsonObject {
  if (document === null) return {};
  if (isJsonObject(document)) return document;
  const type = jsonTypeName(document);
  throw apiError.badRequest(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

/**
 * Applies a strategic merge patch: like a merge patch, but lists merge as the schema defines and directives are applied (spec 5.4). Neither
 * argument is changed; the result shares unchanged parts with `current` (or is `current` when nothing changed), and values with the patch.
 * @throws ApiError 400, 422 or 500, as upstream responds; 413 when the patch merges large elements too often.
 */
export function applyStrategicMergePatch(current: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  checkPatchDepth(patch, 'exceeded max depth');
  return mergeObjects(current, patch, schema, { spent: 0 });
}

function mergeObjects(current: JsonObject, patch: JsonObject, schema: Schema, effort: RepeatedEffort): JsonObject {
  const directive = getOwn(patch, DIRECTIVE);
  if (directive !== undefined) return applyDirective(directive, patch);
  const edit = editObject(current);
  retainKeys(edit, patch);
  const mergedWithOrder = mergeOrderedLists(edit, patch, schema, effort);
  deleteFromLists(edit, patch, schema, effort);
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === undefined || isDirective(name) || mergedWithOrder.has(name)) continue;
    mergeMember(edit, name, value, schema, effort);
  }
  return edit.finish();
}

const isDirective = (name: string) =>
  name === RETAIN_KEYS || name.startsWith(DELETE_FROM_LIST) || name.startsWith(ELEMENT_ORDER);

/** Applies the `$patch` directive of an object. */
function applyDirective(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw strategicError.unknownDirective(directive, patch);
  const edit = editObject(patch);
  edit.remove(DIRECTIVE);
  return edit.finish();
}

/** Applies `$retainKeys`: removes members that are not listed; the patch may set only listed members. */
function retainKeys(edit: ObjectEdit, patch: JsonObject): void {
  const list = getOwn(patch, RETAIN_KEYS);
  if (list === undefined) return;
  if (!isJsonList(list)) throw strategicError.badRetainKeys();
  const retained = new Set(list);
  for (const name of Object.keys(patch)) {
    if ((patch[name] ?? null) !== null && !isDirective(name) && !retained.has(name))
      throw strategicError.badRetainKeys();
  }
  for (const name of edit.names()) if (!retained.has(name)) edit.remove(name);
}

/** Applies the `$setElementOrder/<list>` directives: merges the named lists and orders their elements. Returns the names of the lists. */
function mergeOrderedLists(
  edit: ObjectEdit,
  patch: JsonObject,
  schema: Schema,
  effort: RepeatedEffort,
): ReadonlySet<string> {
  const done = new Set<string>();
  for (const directive of Object.keys(patch)) {
    const order = patch[directive];
    if (order === undefined || !directive.startsWith(ELEMENT_ORDER)) continue;
    if (!isJsonList(order)) throw strategicError.wrongType('list', order);
    const name = listNameIn(directive, ELEMENT_ORDER, strategicError.badElementOrder);
    const before = listOrNothing(edit.get(name));
    const change = listOrNothing(getOwn(patch, name));
    const field = listField(schema, name);
    checkElementOrder(change ?? [], order, field.mergeKey);
    if (before === undefined && change === undefined) continue;
    const merged =
      before === undefined
        ? (change ?? []).flatMap((element) => withoutDirectives(element, false))
        : change === undefined
          ? before
          : mergeLists(before, change, field, elementMerger(field, effort), effort);
    holdsObjects(before ?? [], change ?? []);
    const places = orderAfterMerge(before ?? [], change ?? [], field.mergeKey);
    edit.set(name, keepIfSame(before, arrangeElements(merged, order, places, field.mergeKey)));
    done.add(name);
  }
  return done;
}

/**
 * Applies `$deleteFromPrimitiveList/<list>`: removes values from a list; an absent list is ignored. As in upstream, a member that is not a
 * list is merged with a value of its own type.
 */
function deleteFromLists(edit: ObjectEdit, patch: JsonObject, schema: Schema, effort: RepeatedEffort): void {
  for (const directive of Object.keys(patch)) {
    const values = patch[directive];
    if (values === undefined || !directive.startsWith(DELETE_FROM_LIST)) continue;
    const name = listNameIn(directive, DELETE_FROM_LIST, strategicError.badPrimitiveList);
    const before = edit.get(name);
    if (values === null) edit.remove(name);
    else if (isJsonList(before) && isJsonList(values)) {
      const field = listField(schema, name);
      const left = deleteFromList(before, values, field, elementMerger(field, effort), effort);
      edit.set(name, keepIfSame(before, left));
    } else if (before !== undefined && typeText(before) === typeText(values)) {
      mergeMember(edit, name, values, schema, effort);
    }
  }
}

function mergeMember(edit: ObjectEdit, name: string, value: JsonValue, schema: Schema, effort: RepeatedEffort): void {
  const before = edit.get(name);
  if (value === null) edit.remove(name);
  else if (isJsonObject(before) && isJsonObject(value)) {
    const field = objectField(schema, name);
    const merged = field.strategy === 'replace' ? value : mergeObjects(before, value, field.schema, effort);
    // A directive or the `replace` strategy may have replaced the old value by an equal one, so the values are compared.
    edit.set(name, keepIfSame(before, merged));
  } else if (isJsonList(before) && isJsonList(value)) {
    const field = listField(schema, name);
    edit.set(name, keepIfSame(before, mergeLists(before, value, field, elementMerger(field, effort), effort)));
  } else {
    const [cleaned] = withoutDirectives(value, true);
    if (cleaned === undefined) edit.remove(name);
    else edit.set(name, keepIfSame(before, cleaned));
  }
}

function listNameIn(directive: string, prefix: string, error: () => ApiError): string {
  if (!directive.startsWith(`${prefix}/`)) throw error();
  return directive.slice(prefix.length + 1);
}

function listOrNothing(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value !== undefined && !isJsonList(value)) throw strategicError.wrongType('list', value);
  return value;
}

/** Returns the function that merges a patch into the list element with the same key. */
const elementMerger =
  (field: PatchField, effort: RepeatedEffort): MergeElement =>
  (element, patch) =>
    mergeObjects(element, patch, field.schema, effort);

/**
 * Returns a value that the patch adds, in a list of one item. An object with `$patch` yields an empty list, because the document has
 * nothing to which the directive could apply. Inside the value, objects with `$patch` are removed, and so are null members if `dropNulls`
 * is true.
 */
function withoutDirectives(value: JsonValue, dropNulls: boolean): readonly [] | readonly [JsonValue] {
  if (isJsonList(value)) {
    const cleaned = value.flatMap((item) => withoutDirectives(item, dropNulls));
    return [cleaned.length === value.length && cleaned.every((item, i) => item === value[i]) ? value : cleaned];
  }
  if (!isJsonObject(value)) return [value];
  if (getOwn(value, DIRECTIVE) !== undefined) return [];
  const edit = editObject(value);
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const [cleaned] = member === null && dropNulls ? [] : withoutDirectives(member, dropNulls);
    if (cleaned === undefined) edit.remove(name);
    else edit.set(name, cleaned);
  }
  return [edit.finish()];
}
