import { unreadablePatch } from '../../patch/field-validation.js';
import type { PatchDocument } from '../../registry/transforms/patch.js';
import { type ParsedJson, parseJson } from '../../serialization/json/decode.js';
import { messageOf } from '../../values/message-of.js';

/** Reads the text of a patch other than apply. @throws ApiError 400, 413. */
export function readPatch(
  kind: PatchDocument['kind'],
  bytes: Uint8Array,
  level: 'Ignore' | 'Warn' | 'Strict',
): ParsedJson {
  try {
    // A strategic merge patch is never turned back into text, so the original spelling of its numbers is not kept.
    return parseJson(bytes, { duplicates: level !== 'Ignore', numberTexts: kind !== 'strategic' });
  } catch (error) {
    throw unreadablePatch(kind, level, messageOf(error));
  }
}
