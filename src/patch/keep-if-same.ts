import { equalJson } from '../json/equal.js';
import type { JsonValue } from '../json/value.js';

/** The earlier value where both are equal, so that later steps see at once that nothing changed. */
export function keepIfSame(before: JsonValue | undefined, after: JsonValue): JsonValue {
  return before !== undefined && equalJson(before, after) ? before : after;
}
