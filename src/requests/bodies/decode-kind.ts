import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { apiError, isApiError } from '../../meta/api-error.js';
import { formatGroupVersion, parseGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { decodeFields } from '../../registry/decode-fields.js';
import type { ServedResource } from '../../registry/served-resource.js';
import { conversionProblem, wrongVersion } from '../../registry/type-problems.js';
import { DecodeError } from '../../schema/decode.js';
import { parseJson } from '../../serialization/json/decode.js';
import { MAX_STRICT_ERRORS, numberTexts, strictErrors } from '../../serialization/json/keys.js';
import { decodeProtobuf, readEnvelope } from '../../serialization/protobuf/documents.js';
import { noTypeMeta, readTypeMeta, unrecognized } from '../../serialization/type-meta.js';
import { decodeYaml } from '../../serialization/yaml/decode.js';
import type { Exchange } from '../exchange.js';
import { decodeProblem } from './decode-problem.js';
import type { RawBody } from './raw-body.js';
import { checkDeclaredType } from './type-checks.js';

/** A body as an object of the expected kind, and what was questionable about it. */
export interface DecodedKind {
  readonly object: ApiObject;
  /** Unknown and duplicate fields, as they are told in warnings. */
  readonly problems: readonly string[];
  /** The same, as they are told in a refusal. */
  readonly refusal: string;
  /** What the body called itself, or the route's when it said nothing. */
  readonly kind: string;
  readonly version: string;
}

/** A document off the wire, and its duplicate keys as they are told in warnings. */
export interface ParsedBody {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
  /** The object of a protobuf document, of which `value` tells only the type. */
  readonly raw?: Uint8Array;
}

/** Reads JSON, YAML, or the envelope of protobuf. @throws DecodeError with the inner text. */
export async function parseDocument(
  bytes: Uint8Array,
  mediaType: RawBody['mediaType'],
  wantDuplicates: boolean,
  pause?: () => Promise<void>,
): Promise<ParsedBody> {
  if (mediaType === 'protobuf') {
    const { type, raw } = readEnvelope(bytes);
    return { value: { ...type }, duplicates: [], raw };
  }
  if (mediaType === 'yaml') return decodeYaml(bytes, { duplicates: wantDuplicates, pause });
  try {
    const { value, duplicates } = parseJson(bytes, { duplicates: wantDuplicates });
    return { value, duplicates: duplicates.map((path) => `duplicate field "${path}"`) };
  } catch (error) {
    throw noTypeMeta(decodeProblem(error));
  }
}

/** @throws ApiError 400 for a body that cannot be read: its kind cannot be made out. */
async function parseBody(
  bytes: Uint8Array,
  mediaType: RawBody['mediaType'],
  kind: string,
  wantDuplicates: boolean,
  pause: (() => Promise<void>) | undefined,
): Promise<ParsedBody> {
  try {
    return await parseDocument(bytes, mediaType, wantDuplicates, pause);
  } catch (error) {
    throw unrecognized(kind, decodeProblem(error), bytes);
  }
}

/** Reads a body's kind, then the object. @throws ApiError 400 (spec 9.6). */
export async function decodeKind(
  exchange: Exchange,
  resource: ServedResource,
  body: RawBody,
  level: string,
): Promise<DecodedKind> {
  const expected = resource.gvk;
  const parsed: ParsedBody =
    body.value === undefined
      ? await parseBody(body.bytes, body.mediaType, expected.kind, level !== 'Ignore', exchange.pause)
      : { value: body.value, duplicates: [] };
  if (exchange.pause) await exchange.pause();
  const given = typeMetaOf(parsed.value, expected.kind, body.bytes);
  if (resource.definition.decoding === 'structural' && body.mediaType !== 'object')
    checkDeclaredType(resource, given, parsed.value, body);
  const kind = given.kind === '' ? expected.kind : given.kind;
  const groupVersion = parseGroupVersion(given.apiVersion === '' ? resource.apiVersion : given.apiVersion) ?? expected;
  const told = (problem: string) =>
    apiError.badRequest(
      `${kind} in version "${groupVersion.version}" cannot be handled as a ${expected.kind}: ${problem}`,
    );
  if (kind !== expected.kind || formatGroupVersion(groupVersion) !== resource.apiVersion) {
    const problem = conversionProblem(exchange.registry, resource, { ...groupVersion, kind });
    throw problem === undefined ? wrongVersion(resource, formatGroupVersion(groupVersion)) : told(problem);
  }
  const value = membersOf(parsed, resource, told);
  const { object, unknownFields } = decodeFields(resource, value, told, {
    ...(body.mediaType === 'json' ? { numberTexts: numberTexts(body.bytes) } : {}),
    copyRaw: body.mediaType === 'object',
  });
  return { object, ...problemsOf(unknownFields, parsed.duplicates, body), kind, version: groupVersion.version };
}

function membersOf(
  { value, raw }: ParsedBody,
  { definition }: ServedResource,
  told: (problem: string) => Error,
): JsonObject {
  if (raw === undefined) return isJsonObject(value) ? value : {};
  try {
    return decodeProtobuf(raw, definition.schema);
  } catch (error) {
    if (error instanceof DecodeError || isApiError(error)) throw told(error.message);
    throw error;
  }
}

function typeMetaOf(value: JsonValue, kind: string, bytes: Uint8Array) {
  try {
    return readTypeMeta(value);
  } catch (error) {
    throw unrecognized(kind, decodeProblem(error), bytes);
  }
}

/** Bytes of a body whose problems are told in the order of the text. */
const MAX_INTERLEAVED = 64 * 1024;

/** JSON tells unknown and duplicate fields interleaved as they stand, YAML its duplicates first. */
function problemsOf(
  unknownFields: readonly string[],
  duplicates: readonly string[],
  body: RawBody,
): Pick<DecodedKind, 'problems' | 'refusal'> {
  const unknown = unknownFields.map((path) => `unknown field "${path}"`);
  if (body.mediaType === 'yaml') {
    const told = duplicates.length > 0 ? [unmarshalErrors(duplicates), ...unknown] : unknown;
    return { problems: [...duplicates, ...unknown], refusal: told.join(', ') };
  }
  // To find their order every path of the body is compared: for bodies of ordinary size.
  const interleaved = unknown.length > 0 && duplicates.length > 0 && body.bytes.length <= MAX_INTERLEAVED;
  const problems = interleaved
    ? strictErrors(body.bytes, unknownFields)
    : [...duplicates, ...unknown].slice(0, MAX_STRICT_ERRORS);
  return { problems, refusal: problems.join(', ') };
}

/** Duplicate keys of a YAML text as one error. */
export function unmarshalErrors(duplicates: readonly string[]): string {
  return `yaml: unmarshal errors:\n${duplicates.map((text) => `  ${text}`).join('\n')}`;
}
