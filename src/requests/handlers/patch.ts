import { NumberRangeError } from '../../json/decode-error.js';
import { jsonTypeName } from '../../json/number-text.js';
import { isJsonObject } from '../../json/value.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import type { FieldValidation } from '../../meta/field-validation.js';
import { BUILTIN_PATCH_KINDS, CUSTOM_PATCH_KINDS, patchKindOf } from '../../patch/media-types.js';
import { servedPart } from '../../registry/served/served-part.js';
import type { AppliedDocument } from '../../registry/transforms/apply.js';
import type { PatchDocument } from '../../registry/transforms/patch.js';
import { type ParsedJson, parseJson } from '../../serialization/json/decode.js';
import { decodeYaml } from '../../serialization/yaml/decode.js';
import { unmarshalErrors } from '../../serialization/yaml/format.js';
import { deepFreeze } from '../../store/freeze.js';
import { messageOf } from '../../values/message-of.js';
import { negotiateRoute } from '../answers/negotiate-route.js';
import { bodyBytes, decodeProblem, sentObject } from '../bodies/body.js';
import { readWriteOptions, type WriteOptions } from '../bodies/options.js';
import { type Exchange, noteDocument } from '../exchange.js';
import type { RequestDocument } from '../request-observer.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { writeContext } from './write-context.js';

/**
 * Handles a PATCH: a JSON patch, a merge patch, a strategic merge patch or an apply (spec 5.1). Unlike the other handlers, it negotiates the
 * media type of the response itself, because upstream checks the media type of the patch first.
 */
export async function handlePatch(exchange: Exchange, route: Route): Promise<Result> {
  const { environment, query, request } = exchange;
  const accepted = route.store.resource.definition.decoding === 'typed' ? BUILTIN_PATCH_KINDS : CUSTOM_PATCH_KINDS;
  const kind = patchKindOf(request.headers.get('content-type'), accepted);
  negotiateRoute(exchange, route);
  const value = sentObject(exchange);
  const body: RequestDocument = value ? { value } : { bytes: await bodyBytes(exchange) };
  const options = readWriteOptions(query, 'Patch', environment.host.dialect, kind === 'apply');
  noteDocument(exchange, body);
  if (kind === 'apply') return await apply(exchange, route, body, options);
  const patch: PatchDocument = {
    kind,
    read: () =>
      'bytes' in body ? readPatch(kind, body.bytes, options.fieldValidation) : { value: body.value, duplicates: [] },
  };
  const { object } = await route.store.patch(writeContext(exchange, options), route, patch, options);
  return { type: 'object', status: 200, object, resource: answeredResource(route) };
}

async function apply(exchange: Exchange, route: Route, body: RequestDocument, options: WriteOptions): Promise<Result> {
  // The document is parsed before the update begins, because the transform of the stored object is synchronous. A parse error is thrown
  // only when the transform calls `read`, so that it does not hide an error that upstream finds earlier.
  const [reading] = await Promise.allSettled([readApplied(body, options.fieldValidation, exchange.pause)]);
  const read = () => {
    if (reading.status === 'rejected') throw reading.reason;
    // The audit event contains the decoded object and not the YAML.
    noteDocument(exchange, { value: reading.value.applied });
    return reading.value;
  };
  const { object, created } = await route.store.apply(
    writeContext(exchange, options),
    route,
    { read, force: options.force },
    options,
  );
  return { type: 'object', status: created ? 201 : 200, object, resource: answeredResource(route) };
}

/**
 * Returns the resource whose kind the response has. For a subresource that serves a part of the object (`/scale`), it is the kind of that
 * part.
 */
const answeredResource = ({ store, subresource }: Route) =>
  servedPart(store.resource, subresource)?.resource ?? store.resource;

/**
 * Reads the body of an apply.
 * @throws ApiError 400 for a body that is not YAML, or not an object (spec 6.11).
 */
async function readApplied(
  body: RequestDocument,
  level: FieldValidation,
  pause: Exchange['pause'],
): Promise<AppliedDocument> {
  if ('value' in body) return { applied: isJsonObject(body.value) ? body.value : {}, warnings: [], refusal: '' };
  let read: ParsedJson;
  try {
    read = await decodeYaml(body.bytes, { duplicates: level !== 'Ignore', pause });
  } catch (error) {
    throw undecodable(`error converting YAML to JSON: ${decodeProblem(error)}`);
  }
  const { value, duplicates } = read;
  if (pause) {
    await pause();
    // The document is traversed many times. Freezing it also caches the member names of large objects, which makes the traversals faster.
    deepFreeze(value);
    await pause();
  }
  if (value !== null && !isJsonObject(value))
    throw undecodable(
      `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`,
    );
  const repeats = level === 'Ignore' ? [] : duplicates;
  const refused = level === 'Strict' && repeats.length > 0;
  return {
    applied: value ?? {},
    warnings: refused ? [] : repeats,
    refusal: refused ? `error strict decoding YAML: error converting YAML to JSON: ${unmarshalErrors(repeats)}` : '',
  };
}

const undecodable = (problem: string) => apiError.badRequest(`error decoding YAML: ${problem}`);

/** Parses the body of a patch other than apply. @throws ApiError 400, 413. */
function readPatch(kind: PatchDocument['kind'], bytes: Uint8Array, level: 'Ignore' | 'Warn' | 'Strict'): ParsedJson {
  try {
    // A strategic merge patch is never serialized again, so the number literals are not kept.
    return parseJson(bytes, { duplicates: level !== 'Ignore', numberTexts: kind !== 'strategic' });
  } catch (error) {
    const message = messageOf(error);
    // If a number is out of range, upstream's decoder names the member of the JSON patch operation that contains it.
    const inOperation = kind === 'json' && error instanceof NumberRangeError && level !== 'Ignore';
    throw unreadablePatch(
      kind,
      level,
      inOperation ? message.replace('Go value', 'Go struct field jsonPatchOp.value') : message,
    );
  }
}

/**
 * Returns the error of a patch that is not JSON; `text` is the message of the JSON parser, e.g. `unexpected end of JSON input` (spec 5.2,
 * 5.3, 5.4).
 */
export function unreadablePatch(
  kind: 'json' | 'merge' | 'strategic',
  fieldValidation: FieldValidation,
  text: string,
): ApiError {
  if (kind === 'strategic') return apiError.badRequest(text);
  if (fieldValidation !== 'Ignore') return apiError.badRequest(`error decoding patch: ${text}`);
  return apiError.badRequest(kind === 'json' ? text : 'Invalid JSON Patch');
}
