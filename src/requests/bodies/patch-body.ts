import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import { fieldError } from '../../meta/field-error.js';
import type { FieldValidation } from '../../meta/field-validation.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { unreadablePatch } from '../../patch/field-validation.js';
import { applyJsonPatch, decodeJsonPatch } from '../../patch/json-patch.js';
import type { PatchKind } from '../../patch/media-types.js';
import { applyMergePatch, decodeMergePatch } from '../../patch/merge-patch.js';
import { patchedText } from '../../patch/patched-text.js';
import { plainText } from '../../patch/plain-text.js';
import { repeatedMembers } from '../../patch/repeated-members.js';
import { restoreProblem } from '../../patch/restore-problem.js';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from '../../patch/strategic-merge-patch.js';
import type { ServedResource } from '../../registry/served-resource.js';
import { parseJson } from '../../serialization/json/decode.js';
import { readTypeMeta } from '../../serialization/type-meta.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import type { Exchange } from '../exchange.js';
import { decodeFields } from './decode-kind.js';
import { conversionProblem, missingKind, otherType, wrongVersion } from './type-checks.js';

/** A document as an object of the kind, and the fields that kind does not have. */
interface Decoded {
  readonly object: ApiObject;
  readonly unknownFields: readonly string[];
}

/** How a patch changes a JSON document, and what is questionable about the patch itself. */
interface ReadPatch {
  readonly problems: readonly string[];
  change(current: JsonObject): JsonValue;
  /** Members that stand twice in the result. */
  repeated?(next: JsonValue): readonly string[];
  /** @throws what `refuse` makes of a problem; ApiError. */
  decode(next: JsonValue, refuse: (problem: string) => ApiError): Decoded;
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
  level: FieldValidation,
): AppliedPatch {
  const { value, duplicates } = parsePatch(kind, bytes, level);
  const patch = READERS[kind](exchange, resource, { value, duplicates, level });
  return (current) => {
    const live = current as unknown as JsonObject; // objects are plain JSON
    const next = patch.change(live);
    const { object, unknownFields } = patch.decode(next, (problem) => invalidPatch(patch.quoted(next, live), problem));
    const repeated = patch.repeated?.(next) ?? [];
    const problems = [
      ...patch.problems,
      ...repeated.map(duplicateField),
      ...unknownFields.map((path) => `unknown field ${quote(path)}`),
    ];
    if (level === 'Strict' && problems.length > 0) throw strictRefusal(resource, patch.quoted(next, live), problems);
    if (level === 'Warn') for (const problem of problems) exchange.warnings.add(problem);
    return object;
  };
}

function parsePatch(kind: Exclude<PatchKind, 'apply'>, bytes: Uint8Array, level: FieldValidation) {
  try {
    return parseJson(bytes, { duplicates: level !== 'Ignore' });
  } catch (error) {
    throw unreadablePatch(kind, level, messageOf(error));
  }
}

const duplicateField = (path: string) => `duplicate field ${quote(path)}`;

interface PatchDocument {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
  readonly level: FieldValidation;
}

const READERS: Readonly<
  Record<
    Exclude<PatchKind, 'apply'>,
    (exchange: Exchange, resource: ServedResource, document: PatchDocument) => ReadPatch
  >
> = {
  json(exchange, resource, { value, duplicates, level }) {
    const patch = decodeJsonPatch(value, level);
    return {
      problems: [...patch.problems, ...duplicates.map((path) => `json patch ${duplicateField(path)}`)],
      change: (current) => applyJsonPatch(current, patch),
      repeated: (next) => repeatedMembers(next, patch, duplicates),
      decode: (next, refuse) => decodeText(exchange, resource, next, refuse),
      quoted: (next, current) => patchedText(next, current, value),
    };
  },
  merge(exchange, resource, { value, duplicates, level }) {
    const patch = decodeMergePatch(value, level);
    return {
      problems: duplicates.map(duplicateField),
      change: (current) => applyMergePatch(current, patch),
      decode: (next, refuse) => decodeText(exchange, resource, next, refuse),
      quoted: (next, current) => patchedText(next, current, value),
    };
  },
  strategic(_exchange, resource, { value, duplicates }) {
    const patch = decodeStrategicMergePatch(value);
    const { schema } = resource.definition;
    return {
      problems: duplicates.map(duplicateField),
      change: (current) => applyStrategicMergePatch(current, patch, schema),
      // Its result never was a text: kind and apiVersion in it mean nothing.
      decode(next, refuse) {
        const document = isJsonObject(next) ? next : {};
        return decodeFields(resource, document, (problem) => refuse(restoreProblem(schema, next) ?? problem));
      },
      quoted: () => plainText(patch),
    };
  },
};

/** Reads a patched document as if it had come as a text: it may have lost its kind, or say it is another. */
function decodeText(
  exchange: Exchange,
  resource: ServedResource,
  next: JsonValue,
  refuse: (problem: string) => ApiError,
): Decoded {
  const given = typeMetaOf(next, refuse);
  const document = isJsonObject(next) ? next : {};
  if (resource.definition.decoding === 'structural') {
    if (given.kind === '') throw refuse(missingKind(JSON.stringify(next)));
    const refusal = otherType(resource, given, next);
    if (refusal) throw refusal;
    return decodeFields(resource, document, refuse);
  }
  if (given.apiVersion === '') return decodeUnversioned(resource, document, refuse);
  const kind = given.kind === '' ? resource.gvk.kind : given.kind;
  if (kind !== resource.gvk.kind || given.apiVersion !== resource.apiVersion) {
    const problem = conversionProblem(exchange, resource, {
      ...(parseGroupVersion(given.apiVersion) ?? resource.gvk),
      kind,
    });
    throw problem === undefined ? wrongVersion(resource, given.apiVersion) : refuse(problem);
  }
  return decodeFields(resource, document, refuse);
}

function typeMetaOf(next: JsonValue, refuse: (problem: string) => ApiError) {
  try {
    return readTypeMeta(next);
  } catch (error) {
    throw refuse(messageOf(error));
  }
}

/** Without a version a document is taken for the server's own form, whose fields have other names: none is understood. */
function decodeUnversioned(
  resource: ServedResource,
  document: JsonObject,
  refuse: (problem: string) => ApiError,
): Decoded {
  const unknownFields = Object.keys(document).filter(
    (name) => name !== 'kind' && name !== 'apiVersion' && document[name] !== undefined,
  );
  return { object: decodeFields(resource, {}, refuse).object, unknownFields: unknownFields.sort() };
}

function invalidPatch(quoted: string, problem: string): ApiError {
  return apiError.invalid({ group: '', kind: '' }, '', [fieldError.invalid('patch', quoted, problem)]);
}

/** Status and words of strict failures are the dialect's (ruling 4). */
function strictRefusal({ dialect }: ServedResource, quoted: string, problems: readonly string[]): ApiError {
  const refusal = invalidPatch(quoted, `strict decoding error: ${problems.join(', ')}`);
  return dialect.rulings.strictPatchFailure === 422 ? refusal : refusal.withCode(400, 'BadRequest');
}
