import { type ApiError, apiError, isApiError } from '../meta/api-error.js';
import { fieldError, quote } from '../meta/field-error.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json.js';
import type { ApiObject } from '../meta/object-meta.js';
import { unreadablePatch } from '../patch/field-validation.js';
import { applyJsonPatch, decodeJsonPatch } from '../patch/json-patch.js';
import type { PatchKind } from '../patch/media-types.js';
import { applyMergePatch, decodeMergePatch } from '../patch/merge-patch.js';
import { patchedText } from '../patch/patched-text.js';
import { plainText } from '../patch/plain-text.js';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from '../patch/strategic-merge-patch.js';
import type { ServedResource } from '../registry/served-resource.js';
import { parseJson } from '../serialization/json-decode.js';
import { decodeFields } from './decode-kind.js';
import type { Exchange } from './exchange.js';

/** How a patch changes a JSON document, and what is questionable about the patch itself. */
interface ReadPatch {
  readonly problems: readonly string[];
  change(current: JsonObject): JsonValue;
  /** The result as messages quote it when it is no object of the kind. */
  quoted(next: JsonValue, current: JsonObject): string;
}

/** A patch ready to be applied to whichever object is stored. */
export type AppliedPatch = (current: ApiObject) => ApiObject;

/**
 * Reads a patch that is no apply (gap file 4.5).
 * @throws ApiError 400, 413; what applying it throws: 422, 500.
 */
export function readPatch(
  exchange: Exchange,
  resource: ServedResource,
  kind: Exclude<PatchKind, 'apply'>,
  bytes: Uint8Array,
  level: 'Ignore' | 'Warn' | 'Strict',
): AppliedPatch {
  const document = parsePatch(kind, bytes, level);
  const patch = patchOf(kind, document.value, resource, level);
  const duplicates = document.duplicates.map((path) => `duplicate field ${quote(path)}`);
  const strict = (quoted: string, problems: readonly string[]) => strictRefusal(resource, quoted, problems);
  return (current) => {
    const live = current as unknown as JsonObject; // objects are plain JSON
    const next = patch.change(live);
    const refuse = (problem: string) => invalidPatch(patch.quoted(next, live), problem);
    const { object, unknownFields } = decodePatched(resource, next, refuse);
    const problems = [...patch.problems, ...duplicates, ...unknownFields.map((path) => `unknown field ${quote(path)}`)];
    if (level === 'Strict' && problems.length > 0) throw strict(patch.quoted(next, live), problems);
    if (level === 'Warn') for (const problem of problems) exchange.warnings.add(problem);
    return object;
  };
}

function parsePatch(kind: Exclude<PatchKind, 'apply'>, bytes: Uint8Array, level: 'Ignore' | 'Warn' | 'Strict') {
  try {
    return parseJson(bytes, { duplicates: level !== 'Ignore' });
  } catch (error) {
    throw unreadablePatch(kind, level, error instanceof Error ? error.message : String(error));
  }
}

function patchOf(
  kind: Exclude<PatchKind, 'apply'>,
  document: JsonValue,
  { definition }: ServedResource,
  level: 'Ignore' | 'Warn' | 'Strict',
): ReadPatch {
  if (kind === 'json') {
    const patch = decodeJsonPatch(document, level);
    return {
      problems: patch.problems,
      change: (current) => applyJsonPatch(current, patch),
      quoted: (next, current) => patchedText(next, current, document),
    };
  }
  if (kind === 'merge') {
    const patch = decodeMergePatch(document, level);
    return {
      problems: [],
      change: (current) => applyMergePatch(current, patch),
      quoted: (next, current) => patchedText(next, current, document),
    };
  }
  const patch = decodeStrategicMergePatch(document);
  return {
    problems: [],
    change: (current) => applyStrategicMergePatch(current, patch, definition.schema),
    quoted: () => plainText(patch),
  };
}

function decodePatched(resource: ServedResource, next: JsonValue, refuse: (problem: string) => ApiError) {
  if (!isJsonObject(next)) throw refuse(`json: cannot unmarshal ${next === null ? 'null' : typeof next} into Go value of type map[string]interface {}`);
  const { kind, apiVersion } = next;
  if (kind !== resource.gvk.kind || apiVersion !== resource.apiVersion) throw otherKind(resource, next);
  return decodeFields(resource, next, refuse);
}

/** A patch may not make another kind of an object. */
function otherKind({ gvk, apiVersion }: ServedResource, { kind, apiVersion: given }: JsonObject): ApiError {
  return apiError.badRequest(
    `the API version in the data (${String(given)}${kind === gvk.kind ? '' : `, Kind=${String(kind)}`}) does not match the expected API version (${apiVersion})`,
  );
}

function invalidPatch(quoted: string, problem: string): ApiError {
  return apiError.invalid({ group: '', kind: '' }, '', [fieldError.invalid('patch', quoted, problem)]);
}

/** Status and words of strict failures are the dialect's (ruling 4). */
function strictRefusal({ dialect }: ServedResource, quoted: string, problems: readonly string[]): ApiError {
  const refusal = invalidPatch(quoted, `strict decoding error: ${problems.join(', ')}`);
  return dialect.rulings.strictPatchFailure === 422 || !isApiError(refusal) ? refusal : refusal.withCode(400, 'BadRequest');
}
