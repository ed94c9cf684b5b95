import { apiError } from '../meta/api-error.js';
import type { JsonValue } from '../meta/json.js';

/** How deep a merge patch may nest; merging recurses along the patch. */
export const MAX_PATCH_DEPTH = 1000;

/**
 * Refuses a patch that nests deeper than {@link MAX_PATCH_DEPTH}.
 * @throws ApiError 400 with `message`.
 */
export function checkPatchDepth(patch: JsonValue, message: string): void {
  let level: JsonValue[] = [patch];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_PATCH_DEPTH) throw apiError.badRequest(message);
    const next: JsonValue[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
}
