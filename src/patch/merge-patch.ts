import { equalJson } from '../json/equal.js';
import { getOwn, isDeeperThan } from '../json/members.js';
import { jsonTypeName } from '../json/number-text.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { FieldValidation } from '../meta/field-validation.js';
import { copyMembers, setMember } from '../schema/json-objects.js';
import { editObject, isJsonList, type MutableJsonObject } from './json-members.js';

/** A merge patch. It can be a list only when field validation is off; applying such a patch returns that list. */
type MergePatch = JsonObject | readonly JsonValue[];

/**
 * Reads a parsed document as a merge patch (RFC 7386; spec 5.3).
 * @throws ApiError 400 when it is not a merge patch.
 */
export function decodeMergePatch(document: JsonValue, fieldValidation: FieldValidation): MergePatch {
  if (isJsonObject(document)) return document;
  if (document === null) throw apiError.badRequest('Invalid JSON Patch');
  if (fieldValidation === 'Ignore') {
    if (isJsonList(document)) return document;
    throw apiError.badRequest('Invalid JSON Patch');
  }
  const type = jsonTypeName(document);
  throw apiError.badRequest(
    `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  );
}

/**
 * Applies a merge patch: null removes a member, objects merge, all other values replace. Unlike RFC 7386, and like upstream, it also
 * removes null members of objects in a list of the patch. Neither argument is changed; the result shares unchanged parts with `current` (or
 * is `current` when nothing changed), and values with the patch.
 * @throws ApiError 400 when the patch is nested too deep.
 */
export function applyMergePatch(current: JsonValue, patch: MergePatch): JsonValue {
  checkPatchDepth(patch, 'error decoding patch: exceeded max depth');
  if (isJsonObject(current) && isJsonObject(patch)) return mergeObjects(current, patch);
  return keepIfSame(current, withoutNulls(patch));
}

function mergeObjects(current: JsonObject, patch: JsonObject): JsonObject {
  let merged: MutableJsonObject | undefined;
  for (const name in patch) {
    const value = patch[name];
    const before = getOwn(current, name);
    if (value === null && before !== undefined) delete (merged ??= copyMembers(current))[name];
    if (value === null || value === undefined) continue;
    const after = mergeValue(before, value);
    if (after !== before) setMember((merged ??= copyMembers(current)), name, after);
  }
  return merged ?? current;
}

function mergeValue(before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!isJsonObject(before)) return keepIfSame(before, withoutNulls(value));
  return isJsonObject(value) ? mergeObjects(before, value) : value;
}

/**
 * Returns the value without null members of objects; null elements of lists stay. Objects and lists without nulls are shared with the
 * value.
 */
function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonList(value)) {
    const cleaned = value.map(withoutNulls);
    return cleaned.every((item, i) => item === value[i]) ? value : cleaned;
  }
  if (!isJsonObject(value)) return value;
  const edit = editObject(value);
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === null) edit.remove(name);
    else if (member !== undefined) edit.set(name, withoutNulls(member));
  }
  return edit.finish();
}

/** Returns `before` when both values are equal, so that callers see by identity that nothing changed. */
export function keepIfSame(before: JsonValue | undefined, after: JsonValue): JsonValue {
  return before !== undefined && equalJson(before, after) ? before : after;
}

/** The maximum nesting depth of a merge patch. It is limited because merging is recursive. */
const MAX_PATCH_DEPTH = 1000;

/**
 * Refuses a patch that is nested deeper than {@link MAX_PATCH_DEPTH}.
 * @throws ApiError 400 with `message`.
 */
export function checkPatchDepth(patch: JsonValue, message: string): void {
  if (isDeeperThan(patch, MAX_PATCH_DEPTH + 1)) throw apiError.badRequest(message);
}
