import { equalJson } from '../json/equal.js';
import type { JsonValue } from '../json/value.js';

/** Returns the earlier value when both are equal, so that later steps see by identity that nothing changed. */
export function keepIfSame(before: JsonValue | undefined, after: JsonValue): JsonValue {
  return before !== undefined && equalJson(before, after) ? before : after;
}
