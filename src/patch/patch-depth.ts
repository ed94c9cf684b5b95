import { isDeeperThan } from '../json/members.js';
import type { JsonValue } from '../json/value.js';
import { apiError } from '../meta/api-error.js';

/** The most levels of a merge patch, because merging recurses along the patch. */
const MAX_PATCH_DEPTH = 1000;

/**
 * Refuses a patch that is nested deeper than {@link MAX_PATCH_DEPTH}.
 * @throws ApiError 400 with `message`.
 */
export function checkPatchDepth(patch: JsonValue, message: string): void {
  if (isDeeperThan(patch, MAX_PATCH_DEPTH + 1)) throw apiError.badRequest(message);
}
