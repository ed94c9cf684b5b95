import { apiError } from '../../meta/api-error.js';
import type { FieldValidation } from '../../meta/field-validation.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { mediaTypesOf, requestMediaType } from '../../serialization/media-type.js';
import { quote } from '../../values/quote.js';
import type { Exchange } from '../exchange.js';
import { decodeKind } from './decode-kind.js';
import type { RawBody } from './raw-body.js';

const NOTHING = new Uint8Array(0);
/** Bodies above this size, in bytes, are handled in steps with pauses, so that other requests are served in between. */
const LARGE_BYTES = 128 * 1024;

/**
 * Reads all bytes of the body.
 * @throws ApiError 413 beyond the limit (spec 18.1).
 */
export async function bodyBytes(exchange: Exchange): Promise<Uint8Array> {
  const { request, environment } = exchange;
  const { body } = request;
  if (!body) {
    environment.meter?.bodyRead(exchange, 0);
    return NOTHING;
  }
  if (body.type === 'object') return new TextEncoder().encode(JSON.stringify(body.value));
  const bytes = await exchange.deadline.withinBodyTimeout(body.read(environment.bodyLimit));
  if (bytes === 'tooLarge') throw apiError.tooLarge(`limit is ${environment.bodyLimit}`);
  environment.meter?.bodyRead(exchange, bytes.length);
  if (bytes.length > LARGE_BYTES && request.pause) exchange.pause = request.pause;
  return bytes;
}

/**
 * Reads the body from the connection without decoding it; {@link decodeObject} does that.
 * @throws ApiError 415, 413.
 */
export async function readBody(exchange: Exchange): Promise<RawBody> {
  const { request, environment } = exchange;
  if (request.body?.type === 'object') return { bytes: NOTHING, value: request.body.value };
  const { format } = requestMediaType(request.headers.get('content-type'), mediaTypesOf(environment.host.dialect));
  return { format, bytes: await bodyBytes(exchange) };
}

/**
 * Decodes a body as an object of a resource's kind, with unknown and duplicate fields handled as asked.
 * @throws ApiError 400 with the recorded texts (spec 9.6, 3.9).
 */
export async function decodeObject(
  exchange: Exchange,
  resource: ServedResource,
  body: RawBody,
  level: FieldValidation,
): Promise<ApiObject> {
  const { object, problems, refusal, kind, version } = await decodeKind(exchange, resource, body);
  if (exchange.pause) await exchange.pause();
  if (problems.length > 0 && level === 'Strict')
    throw apiError.badRequest(
      `${kind} in version ${quote(version)} cannot be handled as a ${resource.gvk.kind}: strict decoding error: ${refusal}`,
    );
  if (level === 'Warn') for (const problem of problems) exchange.warnings.add(problem);
  exchange.audit?.request(object);
  exchange.observer?.request(object);
  return object;
}
