import { equalJson } from '../meta/equal-json.js';
import type { JsonValue } from '../meta/json.js';

/** The earlier value where both are equal, so that later steps see at once that nothing changed. */
export function keepIfSame(before: JsonValue | undefined, after: JsonValue): JsonValue {
  return before !== undefined && equalJson(before, after) ? before : after;
}
