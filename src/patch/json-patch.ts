import { equalJson } from '../json/equal.js';
import { getOwn } from '../json/members.js';
import { jsonTypeName } from '../json/number-text.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { Rulings } from '../meta/dialect.js';
import { shorten } from '../meta/field-error.js';
import type { FieldValidation } from '../meta/field-validation.js';
import { setMember } from '../schema/json-objects.js';
import { quote } from '../values/quote.js';
import {
  childOf,
  type DocumentDraft,
  elementIndex,
  findContainer,
  insertionIndex,
  isContainer,
  type JsonContainer,
  ownContainer,
  parsePointer,
  releaseValue,
} from './document-draft.js';
import { isJsonList } from './json-members.js';

/** The maximum number of operations in one patch (spec 18.1). */
const MAX_OPERATIONS = 10_000;
/** The maximum number of bytes of JSON that all `copy` operations of one patch may add (spec 18.1). */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * The maximum number of list elements that all insertions and removals of one patch may shift. This corresponds to 10,000 insertions at the
 * front of a list of about 26,000 elements. A larger patch would take seconds.
 */
const MAX_SHIFTED_ELEMENTS = 2 ** 28;

/** A decoded patch. It is decoded once and applied again if another write has changed the object in the meantime. */
export interface JsonPatch {
  readonly operations: readonly JsonValue[];
  /** The errors that field validation reports, e.g. `json patch unknown field "[0].x"`. Duplicate names are not included. */
  readonly problems: readonly string[];
}

const TEXT_MEMBERS = ['op', 'path', 'from'];
const MEMBERS = new Set([...TEXT_MEMBERS, 'value']);

/**
 * Reads a parsed document as a JSON patch (RFC 6902; spec 5.2).
 * @throws ApiError 400 when it is not a patch, 413 when it has more than {@link MAX_OPERATIONS} operations.
 */
export function decodeJsonPatch(document: JsonValue, fieldValidation: FieldValidation): JsonPatch {
  const lenient = fieldValidation === 'Ignore';
  const operations = document ?? [];
  const wrong = isJsonList(operations)
    ? firstDefined(operations, (operation) => operationError(operation, lenient))
    : `json: cannot unmarshal ${jsonTypeName(operations)} into Go value of type ${lenient ? 'jsonpatch.Patch' : '[]handlers.jsonPatchOp'}`;
  if (wrong !== undefined) throw apiError.badRequest(lenient ? wrong : `error decoding patch: ${wrong}`);
  if (!isJsonList(operations)) return { operations: [], problems: [] };
  if (operations.length > MAX_OPERATIONS) {
    const text = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`;
    throw apiError.tooLarge(text);
  }
  return { operations, problems: lenient ? [] : operations.flatMap(unknownMembers) };
}

function firstDefined<T, R>(items: readonly T[], test: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = test(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

function operationError(operation: JsonValue, lenient: boolean): string | undefined {
  if (operation === null) return undefined;
  if (!isJsonObject(operation)) {
    const type = lenient ? 'jsonpatch.Operation' : 'handlers.jsonPatchOp';
    return `json: cannot unmarshal ${jsonTypeName(operation)} into Go value of type ${type}`;
  }
  if (lenient) return undefined;
  return firstDefined(Object.keys(operation), (name) => {
    const value = getOwn(operation, name) ?? null;
    if (!TEXT_MEMBERS.includes(name) || value === null || typeof value === 'string') return undefined;
    return `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field jsonPatchOp.${name} of type string`;
  });
}

function unknownMembers(operation: JsonValue, index: number): readonly string[] {
  if (!isJsonObject(operation)) return [];
  const unknown = Object.keys(operation).filter((name) => !MEMBERS.has(name) && operation[name] !== undefined);
  return unknown.map((name) => `json patch unknown field "[${index}].${name}"`);
}

/** The rules of an API dialect that determine how a JSON patch is applied. */
export type JsonPatchRulings = Pick<Rulings, 'replaceOfAbsentMember' | 'failedJsonPatch'>;

const AS_REFERENCE: JsonPatchRulings = { replaceOfAbsentMember: 'sets', failedJsonPatch: 'generic' };

/** Thrown when an operation cannot be applied. The API dialect decides whether the client receives the message. */
class FailedOperation extends Error {}

/**
 * Applies a JSON patch with upstream's interpretation of RFC 6902 (spec 5.2):
 * - `replace` of a missing member sets it, or fails if `rulings.replaceOfAbsentMember` is `refused`;
 * - `copy` of a missing member copies null, and `test` of a missing member against null passes;
 * - negative indexes count from the end, and a missing `value` is null.
 * Neither argument is changed. The result shares unchanged parts with `current` (or is `current` when nothing changed), and values with the
 * patch.
 * @throws ApiError 422 when an operation cannot be applied. Its message names a failed `test` or a refused `replace` only if
 * `rulings.failedJsonPatch` is `names-the-operation`. 413 when the patch shifts more than {@link MAX_SHIFTED_ELEMENTS} elements.
 */
export function applyJsonPatch(
  current: JsonValue,
  patch: JsonPatch,
  rulings: JsonPatchRulings = AS_REFERENCE,
): JsonValue {
  if (!isContainer(current)) throw apiError.unprocessable();
  const draft: DocumentDraft = { root: current, owned: new Set(), shifted: 0 };
  let copied = 0;
  for (const [index, operation] of patch.operations.entries()) {
    try {
      copied += applyOperation(draft, operation, MAX_COPIED_BYTES - copied, rulings);
    } catch (error) {
      if (!(error instanceof FailedOperation)) throw error;
      const namesOperation = rulings.failedJsonPatch === 'names-the-operation';
      throw apiError.unprocessable(
        namesOperation ? `${describeOperation(operation, index)}: ${error.message}` : undefined,
      );
    }
  }
  return draft.root;
}

/** The maximum number of characters of an operation's `op` and `path` in a message. */
const MAX_REPORTED = 256;

/** Describes an operation for a message: `operation 1 (test "/data/a")`. */
function describeOperation(operation: JsonValue, index: number): string {
  const text = (name: string) => {
    const value = isJsonObject(operation) ? getOwn(operation, name) : undefined;
    return typeof value === 'string' ? shorten(value, MAX_REPORTED) : '';
  };
  return `operation ${index} (${text('op')} ${quote(text('path'))})`;
}

/** Applies one operation. Returns the number of bytes that it has copied. */
function applyOperation(
  draft: DocumentDraft,
  operation: JsonValue,
  mayCopy: number,
  rulings: JsonPatchRulings,
): number {
  if (!isJsonObject(operation)) throw apiError.unprocessable();
  switch (getOwn(operation, 'op')) {
    case 'add':
      add(draft, pathIn(operation, 'path'), valueIn(operation) ?? null);
      return 0;
    case 'remove':
      remove(draft, pathIn(operation, 'path'));
      return 0;
    case 'replace':
      replace(draft, operation, rulings);
      return 0;
    case 'move': {
      const from = pathIn(operation, 'from');
      const moved = childOf(containerAt(draft, from), lastOf(from));
      remove(draft, from);
      // The `remove` has already changed the document, so a check for an unchanged value would save nothing.
      add(draft, pathIn(operation, 'path'), moved ?? null, true);
      return 0;
    }
    case 'copy':
      return copy(draft, operation, mayCopy);
    case 'test':
      test(draft.root, operation);
      return 0;
    default:
      throw apiError.unprocessable();
  }
}

function textIn(operation: JsonObject, name: 'path' | 'from'): string {
  const text = getOwn(operation, name);
  if (typeof text !== 'string') throw apiError.unprocessable();
  return text;
}

function pathIn(operation: JsonObject, name: 'path' | 'from'): readonly string[] {
  const path = parsePointer(textIn(operation, name));
  if (path === undefined) throw apiError.unprocessable();
  return path;
}

const valueIn = (operation: JsonObject) => getOwn(operation, 'value');
const MISSING = 'there is nothing at its path';
const ANOTHER = 'the value there is another';
const lastOf = (path: readonly string[]) => path.at(-1) ?? '';

function containerAt(draft: DocumentDraft, path: readonly string[]): JsonContainer {
  const container = findContainer(draft.root, path);
  if (container === undefined) throw apiError.unprocessable();
  return container;
}

function add(draft: DocumentDraft, path: readonly string[], value: JsonValue, always = false): void {
  const container = containerAt(draft, path);
  if (!isJsonList(container)) {
    if (always) setMember(ownContainer(draft, path), lastOf(path), value);
    else setAt(draft, path, container, value);
    return;
  }
  const index = insertionIndex(container, lastOf(path));
  if (index === undefined) throw apiError.unprocessable();
  const own = ownContainer(draft, path);
  if (Array.isArray(own)) splice(draft, own, index, 0, value);
}

function remove(draft: DocumentDraft, path: readonly string[]): void {
  const container = containerAt(draft, path);
  const index = isJsonList(container) ? elementIndex(container, lastOf(path)) : undefined;
  if (isJsonList(container) ? index === undefined : getOwn(container, lastOf(path)) === undefined) {
    throw apiError.unprocessable();
  }
  const own = ownContainer(draft, path);
  if (Array.isArray(own)) splice(draft, own, index ?? 0, 1);
  else delete own[lastOf(path)];
}

function splice(draft: DocumentDraft, list: JsonValue[], index: number, removed: number, ...added: JsonValue[]): void {
  draft.shifted += list.length - index;
  if (draft.shifted > MAX_SHIFTED_ELEMENTS) {
    throw apiError.tooLarge(`The JSON Patch shifts more than ${MAX_SHIFTED_ELEMENTS} elements of lists`);
  }
  list.splice(index, removed, ...added);
}

function replace(
  draft: DocumentDraft,
  operation: JsonObject,
  { replaceOfAbsentMember }: Pick<Rulings, 'replaceOfAbsentMember'>,
): void {
  const value = valueIn(operation);
  if (textIn(operation, 'path') === '') {
    if (!isContainer(value)) throw apiError.unprocessable();
    if (!equalJson(draft.root, value)) draft.root = value;
    return;
  }
  const path = pathIn(operation, 'path');
  const container = containerAt(draft, path);
  if (isJsonList(container) && elementIndex(container, lastOf(path)) === undefined) throw apiError.unprocessable();
  if (replaceOfAbsentMember === 'refused' && childOf(container, lastOf(path)) === undefined)
    throw new FailedOperation(MISSING);
  setAt(draft, path, container, value ?? null);
}

/** Sets a member or an existing element. An equal value is kept, so that the document counts as unchanged. */
function setAt(draft: DocumentDraft, path: readonly string[], container: JsonContainer, value: JsonValue): void {
  const before = childOf(container, lastOf(path));
  if (before !== undefined && equalJson(before, value)) return;
  const own = ownContainer(draft, path);
  if (Array.isArray(own)) own[elementIndex(own, lastOf(path)) ?? 0] = value;
  else setMember(own, lastOf(path), value);
}

/** Applies a `copy` operation. Returns the number of bytes copied; null counts as 0. */
function copy(draft: DocumentDraft, operation: JsonObject, allowed: number): number {
  const from = pathIn(operation, 'from');
  const container = containerAt(draft, from);
  if (isJsonList(container) && elementIndex(container, lastOf(from)) === undefined) throw apiError.unprocessable();
  const value = childOf(container, lastOf(from)) ?? null;
  const size = value === null ? 0 : releaseValue(draft, value, allowed);
  if (size > allowed) throw apiError.unprocessable();
  add(draft, pathIn(operation, 'path'), value);
  return size;
}

function test(root: JsonValue, operation: JsonObject): void {
  const expected = valueIn(operation) ?? null;
  if (textIn(operation, 'path') === '') {
    if (!equalJson(root, expected)) throw new FailedOperation(ANOTHER);
    return;
  }
  const path = pathIn(operation, 'path');
  const container = findContainer(root, path);
  if (container === undefined) throw new FailedOperation(MISSING);
  if (isJsonList(container) && elementIndex(container, lastOf(path)) === undefined) throw new FailedOperation(MISSING);
  if (!equalJson(childOf(container, lastOf(path)) ?? null, expected)) throw new FailedOperation(ANOTHER);
}
