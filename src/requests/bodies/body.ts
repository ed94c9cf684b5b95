import { DecodeError } from '../../json/decode-error.js';
import { noteNames } from '../../json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { type ApiError, apiError, isApiError, quotingContent, REDACTED } from '../../meta/api-error.js';
import type { FieldValidation } from '../../meta/field-validation.js';
import { formatGroupVersion, parseGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { readTypeMeta, type TypeMeta, unrecognized } from '../../meta/type-meta.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import {
  conversionProblem,
  type DecodedObject,
  missingKind,
  otherType,
  unknownInStatedType,
  wrongVersion,
} from '../../registry/type-problems.js';
import { decodeFields } from '../../registry/writes/ownership.js';
import type { Schema } from '../../schema/schema.js';
import {
  type Format,
  type Members,
  membersFor,
  type Problems,
  problemsInTurn,
  type ReadDocument,
} from '../../serialization/format.js';
import { hasInfinity } from '../../serialization/json/decode.js';
import { requestMediaType } from '../../serialization/media-type.js';
import { quote } from '../../values/quote.js';
import { decodeUtf8 } from '../../values/utf8.js';
import type { Exchange } from '../exchange.js';

/** A body that is read but not decoded. An object of an in-process caller was never encoded: it has no format and no bytes. */
export interface RawBody {
  readonly format: Format | undefined;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);
/** Bodies above this size, in bytes, are handled in steps with pauses, so that other requests are served in between. */
const LARGE_BYTES = 128 * 1024;

/**
 * Reads all bytes of the body. There are none if an in-process caller sends an object.
 * @throws ApiError 413 beyond the limit (spec 18.1).
 */
export async function bodyBytes(exchange: Exchange): Promise<Uint8Array> {
  const { request, environment } = exchange;
  const { body } = request;
  if (!body) environment.meter?.bodyRead(exchange, 0);
  if (body?.type !== 'bytes') return NOTHING;
  const { bodyLimit } = environment;
  const bytes = body.arrived?.(bodyLimit) ?? (await exchange.deadline.withinBodyTimeout(body.read(bodyLimit)));
  if (bytes === 'tooLarge') throw apiError.tooLarge(`limit is ${bodyLimit}`);
  environment.meter?.bodyRead(exchange, bytes.length);
  if (bytes.length > LARGE_BYTES && request.pause) exchange.pause = request.pause;
  return bytes;
}

/** Returns the format that the Content-Type of the body names. @throws ApiError 415. */
export function bodyFormat({ request, environment }: Exchange): Format | undefined {
  if (request.body?.type === 'object') return undefined;
  return requestMediaType(request.headers.get('content-type'), environment.mediaTypes).format;
}

/** Returns the object that an in-process caller sends as the body; null for a body of bytes, and for a request without a body. */
export function sentObject({ request: { body } }: Exchange): JsonObject | null {
  return body?.type === 'object' ? body.value : null;
}

/**
 * Decodes a body as an object of a resource's kind, with unknown and duplicate fields handled according to `level`.
 * @throws ApiError 400 with upstream's messages (spec 9.6, 3.9).
 */
export async function decodeObject(
  exchange: Exchange,
  resource: ServedResource,
  body: RawBody,
  level: FieldValidation,
): Promise<DecodedObject> {
  const { object, problems, refusal, kind, version, declared } = await decodeKind(exchange, resource, body, level);
  if (exchange.pause) await exchange.pause();
  if (problems.length > 0 && level === 'Strict')
    throw apiError.badRequest(
      `${kind} in version ${quote(version)} cannot be handled as a ${kind}: strict decoding error: ${refusal}`,
    );
  if (level === 'Warn') for (const problem of problems) exchange.warnings.add(problem);
  if (declared && declared.apiVersion !== resource.apiVersion)
    throw wrongVersion(resource, formatGroupVersion(parseGroupVersion(declared.apiVersion) ?? resource.gvk));
  exchange.audit?.request(object);
  exchange.observer?.request(object);
  // API objects are plain JSON, so the cast is safe.
  const document = object as unknown as JsonValue;
  return { object, otherKind: declared && otherType(resource, declared, document, exchange.info.subresource) };
}

/**
 * Returns the name of an object whose kind another API server serves; '' if the object has none.
 * @throws DecodeError for a body that cannot be parsed
 */
export async function nameInBody(exchange: Exchange, { format, bytes }: RawBody): Promise<string> {
  const read = await format?.read(bytes, { duplicates: false });
  if (read?.outOfRange) throw read.outOfRange;
  const object = read ? read.value : sentObject(exchange);
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/** A body decoded as an object of the expected kind, with its strict decoding errors. */
interface DecodedKind extends Problems {
  readonly object: ApiObject;
  /** The kind that the body states, or the route's kind if it states none. */
  readonly kind: string;
  readonly version: string;
  /** The kind and version that the body of a custom resource states; undefined for other kinds, which have been checked. */
  readonly declared: TypeMeta | undefined;
}

/** Parses a body, checks its kind and decodes its object. @throws ApiError 400 (spec 9.6). */
async function decodeKind(
  exchange: Exchange,
  resource: ServedResource,
  { format, bytes }: RawBody,
  level: FieldValidation,
): Promise<DecodedKind> {
  const expected = resource.gvk;
  let parsed: ReadDocument;
  let typeMeta: TypeMeta;
  try {
    parsed = format
      ? await format.read(bytes, { duplicates: true, pause: exchange.pause })
      : { value: sentObject(exchange), duplicates: [] };
    typeMeta = readTypeMeta(parsed.value);
  } catch (error) {
    throw unrecognized(resource.gvk.kind, decodeProblem(error), bytes);
  }
  if (exchange.pause) {
    await exchange.pause();
    // The object was parsed here and is not changed afterwards, so the names of its members can be cached.
    if (format && isJsonObject(parsed.value)) noteNames(parsed.value, Object.keys(parsed.value));
  }
  const isCustom = resource.definition.decoding === 'structural';
  const { kind, groupVersion, badRequest } = statedKind(resource, typeMeta);
  if (isCustom && parsed.outOfRange) throw badRequest(parsed.outOfRange.message);
  const declared =
    isCustom && format ? declaredType({ resource, level, badRequest }, parsed.value, format, bytes) : undefined;
  const { group, version } = groupVersion;
  if (declared === undefined) {
    const isRead =
      group === expected.group && (version === expected.version || resource.readVersions?.includes(version));
    if (kind !== expected.kind || !isRead) {
      const problem = conversionProblem(exchange.registry, resource, { ...groupVersion, kind });
      throw problem === undefined ? wrongVersion(resource, formatGroupVersion(groupVersion)) : badRequest(problem);
    }
  }
  const { value, ...numbers } = membersOf(parsed, resource, badRequest);
  if (exchange.pause) await exchange.pause();
  const { object, unknownFields: unknown } = decodeFields(resource, value, badRequest, numbers);
  const unknownFields = declared ? unknownInStatedType(exchange.registry, resource, declared, value, unknown) : unknown;
  // JavaScript reads a number beyond the range of a double as infinity. The decoder refuses it in numeric fields, and this check refuses it
  // in arbitrary JSON, where it would become null.
  if (parsed.outOfRange && hasInfinity(object as unknown as JsonValue)) throw badRequest(parsed.outOfRange.message);
  const { schema } = resource.definition;
  // Duplicate fields inside JSON that is stored unparsed (`isInRawJson`) are not reported, as in upstream.
  const duplicates = isCustom
    ? parsed.duplicates
    : parsed.duplicates.filter((problem) => !isInRawJson(schema, problem));
  if (duplicates.length === 0 && unknownFields.length === 0)
    return { object, problems: [], refusal: '', kind, version, declared };
  const { problems, refusal } = format
    ? format.problems(bytes, duplicates, unknownFields, isCustom)
    : problemsInTurn(duplicates, unknownFields);
  return { object, problems, refusal, kind, version, declared };
}

/** Returns the kind and the version that a body states, or those of the route, and a function that creates the 400 for this body. */
function statedKind({ gvk, apiVersion }: ServedResource, stated: TypeMeta) {
  const kind = stated.kind === '' ? gvk.kind : stated.kind;
  const groupVersion = parseGroupVersion(stated.apiVersion === '' ? apiVersion : stated.apiVersion) ?? gvk;
  const badRequest = (problem: string) =>
    apiError.badRequest(
      `${kind} in version ${quote(groupVersion.version)} cannot be handled as a ${gvk.kind}: ${problem}`,
    );
  return { kind, groupVersion, badRequest };
}

/** Returns whether a problem such as `duplicate field "data.a"` is about a field inside JSON that is stored unparsed. */
function isInRawJson(schema: Schema, problem: string): boolean {
  const path = problem.slice(problem.indexOf('"') + 1, problem.lastIndexOf('"'));
  let at: Schema | undefined = schema;
  for (const name of path.split(/\.|(?=\[)/)) {
    if (at?.type === 'any') return true;
    if (at?.type === 'list') at = at.items;
    else if (at?.type === 'map') at = at.values;
    else at = at?.type === 'object' ? at.properties.get(name)?.schema : undefined;
  }
  return false;
}

/** @throws what `badRequest` returns, for members that cannot be decoded by the schema */
function membersOf(
  document: ReadDocument,
  { definition }: ServedResource,
  badRequest: (problem: string) => Error,
): Members {
  // A custom resource is no struct: a repeated member replaces the earlier ones.
  const { merged: _, ...replaced } = document;
  try {
    return membersFor(definition.decoding === 'typed' ? document : replaced, definition.schema);
  } catch (error) {
    if (error instanceof DecodeError || isApiError(error)) throw badRequest(error.message);
    throw error;
  }
}

/** What the body of a request is decoded as. */
interface ExpectedType {
  readonly resource: ServedResource;
  readonly level: FieldValidation;
  /** Returns the 400 for a body that declares its kind but cannot be decoded. */
  badRequest(problem: string): ApiError;
}

/**
 * Returns the kind and version that the body of a custom resource states (spec 9.6). Unlike those of other kinds, the two members have
 * exactly these names.
 * @throws ApiError 400 for a body that states no kind.
 */
function declaredType(
  { resource, level, badRequest }: ExpectedType,
  document: JsonValue,
  format: Format,
  bytes: Uint8Array,
): TypeMeta {
  const { kind, apiVersion } = isJsonObject(document) ? document : {};
  const typeMeta = { kind: String(kind ?? ''), apiVersion: String(apiVersion ?? '') };
  if (typeMeta.kind !== '') return typeMeta;
  // The decoder that ignores unknown fields reads the document as JSON and reports the kind of the route.
  if (level === 'Ignore') {
    const quoted = missingKind(format.quoteDocument(bytes, document));
    throw quotingContent(badRequest(quoted), badRequest(missingKind(REDACTED)));
  }
  throw unrecognized(resource.gvk.kind, missingKind(decodeUtf8(bytes)), bytes, missingKind(REDACTED));
}

/**
 * Returns the message of an error about a body.
 * @throws every error that is not about the body, so that a fault of the server is not reported as a bad request
 */
export function decodeProblem(error: unknown): string {
  if (error instanceof DecodeError) return error.message;
  throw error;
}
