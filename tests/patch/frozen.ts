import type { JsonValue } from '../../src/json/value.js';

/** Freezes a value deeply, so that any change to it throws. */
export function frozen<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) if (child !== undefined) frozen(child);
    Object.freeze(value);
  }
  return value;
}
