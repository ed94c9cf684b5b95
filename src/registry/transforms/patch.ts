import { plainNumbers } from '../../json/number-text.js';
import { compareText } from '../../json/order.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { type ApiError, apiError, quotingContent, REDACTED } from '../../meta/api-error.js';
import { fieldError } from '../../meta/field-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { readTypeMeta } from '../../meta/type-meta.js';
import { applyJsonPatch, decodeJsonPatch } from '../../patch/json-patch.js';
import type { PatchKind } from '../../patch/media-types.js';
import { applyMergePatch, decodeMergePatch } from '../../patch/merge-patch.js';
import { patchedText } from '../../patch/patched-text.js';
import { plainText } from '../../patch/plain-text.js';
import { repeatedMembers } from '../../patch/repeated-members.js';
import { restoreNumbers } from '../../patch/restore-numbers.js';
import { restoreProblem } from '../../patch/restore-problem.js';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from '../../patch/strategic-merge-patch.js';
import type { ParsedJson } from '../../serialization/json/decode.js';
import { quote } from '../../values/quote.js';
import type { RequestContext } from '../request-context.js';
import type { ServedResource } from '../served/served-resource.js';
import { conversionProblem, missingKind, otherType, unknownInStatedType, wrongVersion } from '../type-problems.js';
import { decodeFields } from '../writes/ownership.js';
import { placeObject } from '../writes/prepare.js';
import type { Transform, UpdateTarget } from '../writes/update.js';

/** A document decoded as an object of the kind, with the paths of its unknown fields. */
interface Decoded {
  readonly object: ApiObject;
  readonly unknownFields: readonly string[];
  /** The 422 for a custom resource whose kind or version was changed. Strict decoding errors take precedence. Default: neither was. */
  readonly otherType?: ApiError | undefined;
}

/**
 * Builds the error of a patched document that cannot be decoded.
 * @param redacted the problem without content of the document. Default: `problem` contains no content.
 */
type Refuse = (problem: string, redacted?: string) => ApiError;

/** A decoded patch: its own strict decoding errors, and the functions that apply it and decode the patched document. */
interface ReadPatch {
  readonly problems: readonly string[];
  change(current: JsonObject): JsonValue;
  /** Whether messages escape the names of unknown fields like Go strings. Default true. */
  readonly quotesNames?: boolean;
  /** Returns the paths of duplicate members in the patched document. */
  repeated?(next: JsonValue): readonly string[];
  /** Decodes the patched document. @throws ApiError, also the error that `refuse` builds from the message of the decoder. */
  decode(next: JsonValue, refuse: Refuse): Decoded;
  /** Returns the string by which the error message represents a patched document that cannot be decoded. */
  quoted(next: JsonValue, current: JsonObject): string;
}

/** The body of a patch request. */
export interface PatchDocument {
  readonly kind: Exclude<PatchKind, 'apply'>;
  /**
   * Parses the body. It is called only after the stored object was found, so a 404 takes precedence over a bad patch. @throws ApiError 400.
   */
  read(): ParsedJson;
}

/**
 * Returns a transform that changes the stored object by a patch other than apply (spec 5.1). 404 takes precedence over a bad patch.
 * @throws what the transform throws: ApiError 404, 400, 413, 422, 500.
 */
export function patchTransform(target: UpdateTarget, context: RequestContext, document: PatchDocument): Transform {
  const { resource, name } = target;
  const level = context.fieldValidation;
  let patch: ReadPatch | undefined;
  return (current) => {
    if (!current) throw apiError.notFound(resource.groupResource, name);
    patch ??= READERS[document.kind](context, target, document.read());
    const { decode, quoted } = patch;
    const live = current as unknown as JsonObject; // API objects are plain JSON, so the cast is safe.
    const next = patch.change(live);
    const { object, unknownFields, otherType } = decode(next, (...problem) =>
      invalidPatch(quoted(next, live), ...problem),
    );
    const repeated = patch.repeated?.(next) ?? [];
    const problems = [
      ...patch.problems,
      ...repeated.map(duplicateField),
      // Upstream decodes the patched document as a map in the order of names, so its errors are sorted by path.
      ...[...unknownFields]
        .sort(comparePaths)
        .map((path) => `unknown field ${patch?.quotesNames === false ? `"${path}"` : quote(path)}`),
    ];
    if (level === 'Strict' && problems.length > 0) throw strictRefusal(resource, quoted(next, live), problems);
    if (level === 'Warn') for (const problem of problems) context.warn(problem);
    if (otherType) throw otherType;
    return placeObject(resource, object, target);
  };
}

/** Orders paths by the names in them, and list items by their index. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split(SEPARATOR), b.split(SEPARATOR)];
  for (const [i, name] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const isIndex = /^\d+$/.test(name) && /^\d+$/.test(other);
    if (name !== other) return isIndex ? Number(name) - Number(other) : compareText(name, other);
  }
  return left.length - right.length;
}
const SEPARATOR = /[.[\]]+/;

const duplicateField = (path: string) => `duplicate field ${quote(path)}`;

const READERS: Readonly<
  Record<
    Exclude<PatchKind, 'apply'>,
    (context: RequestContext, target: UpdateTarget, document: ParsedJson) => ReadPatch
  >
> = {
  json(context, target, { value, duplicates, hasNumberTexts }) {
    const patch = decodeJsonPatch(value, context.fieldValidation);
    return {
      problems: [...patch.problems, ...duplicates.map((path) => `json patch ${duplicateField(path)}`)],
      change: (current) => applyJsonPatch(current, patch, target.resource.dialect.rulings),
      repeated: (next) => repeatedMembers(next, patch, duplicates),
      decode: (next, refuse) => decodeText(context, target, next, refuse, hasNumberTexts),
      quoted: (next, current) => patchedText(next, current, value),
    };
  },
  merge(context, target, { value, duplicates, hasNumberTexts }) {
    const patch = decodeMergePatch(value, context.fieldValidation);
    return {
      problems: duplicates.map(duplicateField),
      change: (current) => applyMergePatch(current, patch),
      decode: (next, refuse) => decodeText(context, target, next, refuse, hasNumberTexts),
      quoted: (next, current) => patchedText(next, current, value),
    };
  },
  strategic(_context, { resource }, { value, duplicates }) {
    const patch = decodeStrategicMergePatch(value);
    const { dialect, definition } = resource;
    const schema = definition.patchSchema?.(dialect) ?? definition.schema;
    return {
      problems: duplicates.map(duplicateField),
      quotesNames: false,
      change: (current) => applyStrategicMergePatch(current, patch, schema),
      // Upstream never serializes the result of a strategic merge patch, so `kind` and `apiVersion` of the result are ignored.
      decode(next, refuse) {
        const restored = restoreNumbers(schema, next);
        const document = isJsonObject(restored) ? restored : {};
        return decodeFields(resource, document, (problem) => refuse(restoreProblem(schema, next) ?? problem));
      },
      quoted: () => plainText(patch),
    };
  },
};

/** Decodes a patched document like a request body, because the patch may have removed or changed its kind. */
function decodeText(
  context: RequestContext,
  { resource, subresource }: UpdateTarget,
  next: JsonValue,
  refuse: Refuse,
  marksNumbers = false,
): Decoded {
  const typeMeta = typeMetaOf(next, refuse);
  const document = isJsonObject(next) ? next : {};
  if (resource.definition.decoding === 'structural') {
    if (typeMeta.kind === '') throw refuse(missingKind(JSON.stringify(next)), missingKind(REDACTED));
    if (resource.dialect.rulings.clientFault === 500 && typeMeta.apiVersion.replace('/', '') === '')
      throw apiError.internal("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    // Given an object, `plainNumbers` returns an object, so the cast is safe.
    const plain = marksNumbers ? (plainNumbers(document) as JsonObject) : document;
    const { object, unknownFields } = decodeFields(resource, plain, refuse);
    return {
      object,
      unknownFields: unknownInStatedType(context.kinds, resource, typeMeta, plain, unknownFields),
      otherType: otherType(resource, typeMeta, next, subresource),
    };
  }
  if (typeMeta.apiVersion === '') return decodeUnversioned(resource, document, refuse);
  const kind = typeMeta.kind === '' ? resource.gvk.kind : typeMeta.kind;
  if (kind !== resource.gvk.kind || typeMeta.apiVersion !== resource.apiVersion) {
    const problem = conversionProblem(context.kinds, resource, {
      ...(parseGroupVersion(typeMeta.apiVersion) ?? resource.gvk),
      kind,
    });
    throw problem === undefined ? wrongVersion(resource, typeMeta.apiVersion) : refuse(problem);
  }
  return decodeFields(resource, document, refuse, { marksNumbers });
}

function typeMetaOf(next: JsonValue, refuse: Refuse) {
  try {
    return readTypeMeta(next);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Decodes a patched document without apiVersion. Upstream decodes it as the internal version of the kind, in which fields have Go names. No
 * JSON name matches them, so every field counts as unknown.
 */
function decodeUnversioned(resource: ServedResource, document: JsonObject, refuse: Refuse): Decoded {
  const unknownFields = Object.keys(document).filter(
    (name) => name !== 'kind' && name !== 'apiVersion' && document[name] !== undefined,
  );
  return { object: decodeFields(resource, {}, refuse).object, unknownFields: unknownFields.sort() };
}

/**
 * Returns the error of a patch whose result is not valid.
 * @param quoted the patch or the patched object, which the message contains
 * @param redacted the problem without content of the object. Default: `problem` contains no content.
 */
function invalidPatch(quoted: string, problem: string, redacted = problem): ApiError {
  const refusal = (value: string, why: string) =>
    apiError.invalid({ group: '', kind: '' }, '', [fieldError.invalid('patch', value, why)]);
  return quotingContent(refusal(quoted, problem), refusal(REDACTED, redacted));
}

/** Returns the error of a failed strict decoding. Its status depends on the API dialect (spec 19.4). */
function strictRefusal({ dialect }: ServedResource, quoted: string, problems: readonly string[]): ApiError {
  const refusal = invalidPatch(quoted, `strict decoding error: ${problems.join(', ')}`);
  return dialect.rulings.strictPatchFailure === 422 ? refusal : refusal.withCode(400, 'BadRequest');
}
