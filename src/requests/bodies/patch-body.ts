import { unreadablePatch } from '../../patch/field-validation.js';
import type { PatchDocument } from '../../registry/transforms/patch.js';
import { parseJson } from '../../serialization/json/decode.js';

/** Reads the text of a patch that is no apply. @throws ApiError 400, 413. */
export function readPatch(
  kind: PatchDocument['kind'],
  bytes: Uint8Array,
  level: 'Ignore' | 'Warn' | 'Strict',
): PatchDocument {
  try {
    return { kind, ...parseJson(bytes, { duplicates: level !== 'Ignore' }) };
  } catch (error) {
    throw unreadablePatch(kind, level, error instanceof Error ? error.message : String(error));
  }
}
