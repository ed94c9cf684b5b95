import { existsSync, readFileSync } from 'node:fs';
import type { JsonValue } from '../../src/json/value.js';

const SHARED = new URL('../../../shared/', import.meta.url);

/** Whether the data beside the project is there. */
export const sharedIsThere = existsSync(SHARED);
export const WHY_SKIPPED = 'the folder ../shared is not there';

export const sharedUrl = (path: string) => new URL(path, SHARED);

/** A JSON file of the data beside the project; its shape is known to the test that reads it. */
export function readShared<T>(path: string, fallback: T): T {
  return sharedIsThere ? (JSON.parse(readFileSync(sharedUrl(path), 'utf8')) as T) : fallback;
}

/** Freezes a value all the way down, so that any change to it throws. */
export function frozen<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) if (child !== undefined) frozen(child);
    Object.freeze(value);
  }
  return value;
}
