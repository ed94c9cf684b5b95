import { getOwn } from '../json/members.js';
import type { JsonObject, JsonValue } from '../json/value.js';

export type JsonContainer = JsonObject | readonly JsonValue[];

/**
 * Returns the member names of a JSON pointer; undefined for one without a slash, including the pointer to the whole document (''). Text
 * before the first slash is ignored, and an escape other than `~0` and `~1` is kept (spec 5.2).
 */
export function parsePointer(pointer: string): readonly string[] | undefined {
  const [, ...tokens] = pointer.split('/');
  if (tokens.length === 0) return undefined;
  return pointer.includes('~') ? tokens.map((token) => token.replace(/~[01]/g, unescaped)) : tokens;
}
const unescaped = (sequence: string) => (sequence === '~1' ? '/' : '~');

/** Returns the index that a token names in a list; negative ones count from the end (-1 is the last). */
export function elementIndex(list: readonly JsonValue[], token: string): number | undefined {
  return withinBounds(token, list.length, list.length - 1);
}

/** Returns the index at which a token inserts: `-` and -1 mean after the last element. */
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

/** Returns the value that a token names in a container; undefined when there is none. */
export function childOf(container: JsonContainer, token: string): JsonValue | undefined {
  if (!isList(container)) return getOwn(container, token);
  const index = elementIndex(container, token);
  return index === undefined ? undefined : container[index];
}

/** Returns the container of the value that a path names; undefined when there is none. */
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

/** Returns whether a container is a list. */
export function isList(container: JsonContainer): container is readonly JsonValue[] {
  return Array.isArray(container);
}
