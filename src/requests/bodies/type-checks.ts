import type { JsonValue } from '../../json/value.js';
import type { ServedResource } from '../../registry/served-resource.js';
import { missingKind, otherType, wrongVersion } from '../../registry/type-problems.js';
import { type TypeMeta, unrecognized } from '../../serialization/type-meta.js';
import { decodeUtf8 } from '../../serialization/utf8.js';
import type { RawBody } from './raw-body.js';

/**
 * Bodies of declared kinds say themselves what they are (spec 9.6).
 * @throws ApiError 400 when one does not, or says another version; 422 for another kind.
 */
export function checkDeclaredType(resource: ServedResource, given: TypeMeta, document: JsonValue, body: RawBody): void {
  if (given.kind === '') {
    const text = body.mediaType === 'json' ? decodeUtf8(body.bytes) : JSON.stringify(document);
    throw unrecognized(resource.gvk.kind, missingKind(text), body.bytes);
  }
  if (given.apiVersion !== resource.apiVersion) throw wrongVersion(resource, given.apiVersion);
  const refusal = otherType(resource, given, document);
  if (refusal) throw refusal;
}
