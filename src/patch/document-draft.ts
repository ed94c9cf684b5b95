import { getOwn } from '../json/members.js';
import type { JsonObject, JsonValue } from '../json/value.js';
import { setMember } from '../schema/json-objects.js';
import { isJsonList, type MutableJsonObject } from './json-members.js';

/**
 * A document that is being patched. Containers in `owned` were copied by this draft and appear at one place only, so they may be changed in
 * place. All other containers are shared and must not change.
 */
export interface DocumentDraft {
  root: JsonValue;
  readonly owned: Set<JsonValue>;
  /** The number of list elements that insertions and removals have shifted so far. */
  shifted: number;
}

/** Returns the container of the value at `path`, copied so that it may be changed. The container must exist. */
export function ownContainer(draft: DocumentDraft, path: readonly string[]): MutableJsonObject | JsonValue[] {
  let container = ownValue(draft, draft.root);
  draft.root = container;
  for (let i = 0; i < path.length - 1; i++) {
    const token = path[i] ?? '';
    const index = isJsonList(container) ? (elementIndex(container, token) ?? -1) : -1;
    const child: MutableJsonObject | JsonValue[] = ownValue(
      draft,
      isJsonList(container) ? container[index] : container[token],
    );
    if (Array.isArray(container)) container[index] = child;
    else setMember(container, token, child);
    container = child;
  }
  return container;
}

function ownValue(draft: DocumentDraft, value: JsonValue | undefined): MutableJsonObject | JsonValue[] {
  if (!isContainer(value)) throw new TypeError('the path was not looked up before');
  // A container that this draft has copied is not shared.
  if (draft.owned.has(value)) return value as MutableJsonObject | JsonValue[];
  const copy: MutableJsonObject | JsonValue[] = isJsonList(value) ? [...value] : { ...value };
  draft.owned.add(copy);
  return copy;
}

/**
 * Marks `value` as shared, because a `copy` operation is about to put it at a second place. Returns its size as JSON in bytes, or a number
 * above `limit` as soon as the limit is exceeded. The depth of the value is not limited.
 */
export function releaseValue(draft: DocumentDraft, value: JsonValue, limit: number): number {
  let size = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined && size <= limit; next = open.pop()) {
    size += isContainer(next) ? releaseContainer(draft, next, open) : scalarSize(next);
  }
  return size;
}

/** Returns the size of a container without its children. The children are pushed on the stack `open`. */
function releaseContainer(draft: DocumentDraft, container: JsonContainer, open: JsonValue[]): number {
  draft.owned.delete(container);
  let count = 0;
  let size = 2;
  for (const [name, child] of Object.entries(container)) {
    if (child === undefined) continue;
    count++;
    if (!isJsonList(container)) size += textSize(name) + 1;
    open.push(child);
  }
  return size + Math.max(0, count - 1);
}

function scalarSize(value: JsonValue): number {
  return typeof value === 'string' ? textSize(value) : String(value).length;
}

/** Returns the number of bytes of a string in JSON as upstream encodes it: `<`, `>` and `&` take six bytes each. */
function textSize(text: string): number {
  let size = 2;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) size += code === 0x2028 || code === 0x2029 ? 6 : code < 0x800 || isSurrogate(code) ? 2 : 3;
    else if (code === 0x22 || code === 0x5c || (code >= 8 && code <= 13 && code !== 11)) size += 2;
    else size += code < 0x20 || code === 0x26 || code === 0x3c || code === 0x3e ? 6 : 1;
  }
  return size;
}
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

export type JsonContainer = JsonObject | readonly JsonValue[];

/**
 * Returns the member names of a JSON pointer; undefined for a pointer without a slash, such as the pointer to the whole document (''). Text
 * before the first slash is ignored, and an escape other than `~0` and `~1` is kept (spec 5.2).
 */
export function parsePointer(pointer: string): readonly string[] | undefined {
  const [, ...tokens] = pointer.split('/');
  if (tokens.length === 0) return undefined;
  return pointer.includes('~') ? tokens.map((token) => token.replace(/~[01]/g, unescapeSequence)) : tokens;
}
const unescapeSequence = (sequence: string) => (sequence === '~1' ? '/' : '~');

/** Returns the index that a token refers to in a list; negative indexes count from the end (-1 is the last element). */
export function elementIndex(list: readonly JsonValue[], token: string): number | undefined {
  return withinBounds(token, list.length, list.length - 1);
}

/** Returns the index at which a token inserts; `-` and -1 mean after the last element. */
export function insertionIndex(list: readonly JsonValue[], token: string): number | undefined {
  return token === '-' ? list.length : withinBounds(token, list.length + 1, list.length);
}

function withinBounds(token: string, fromEnd: number, max: number): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(token)) return undefined;
  const number = Number(token);
  const index = number < 0 ? number + fromEnd : number;
  // Adding zero turns -0 into 0.
  return index >= 0 && index <= max ? index + 0 : undefined;
}

/** Returns the value that a token refers to in a container; undefined when it does not exist. */
export function childOf(container: JsonContainer, token: string): JsonValue | undefined {
  if (!isJsonList(container)) return getOwn(container, token);
  const index = elementIndex(container, token);
  return index === undefined ? undefined : container[index];
}

/** Returns the container of the value that a path refers to; undefined when the container does not exist. */
export function findContainer(root: JsonValue, path: readonly string[]): JsonContainer | undefined {
  let container = root;
  for (let i = 0; i < path.length - 1; i++) {
    if (!isContainer(container)) return undefined;
    container = childOf(container, path[i] ?? '') ?? null;
  }
  return isContainer(container) ? container : undefined;
}

export function isContainer(value: JsonValue | undefined): value is JsonContainer {
  return typeof value === 'object' && value !== null;
}
