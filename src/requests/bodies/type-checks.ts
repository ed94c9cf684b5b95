import type { JsonValue } from '../../json/value.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { missingKind, otherType, wrongVersion } from '../../registry/type-problems.js';
import type { Format } from '../../serialization/format.js';
import { type TypeMeta, unrecognized } from '../../serialization/type-meta.js';
import type { RawBody } from './raw-body.js';

/**
 * Checks that a body of a custom resource states its own kind and version (spec 9.6).
 * @throws ApiError 400 for a body that states no kind, or another version; 422 for another kind.
 */
export function checkDeclaredType(
  resource: ServedResource,
  typeMeta: TypeMeta,
  document: JsonValue,
  { format, bytes }: Extract<RawBody, { format: Format }>,
): void {
  if (typeMeta.kind === '') {
    throw unrecognized(resource.gvk.kind, missingKind(format.quoteDocument(bytes, document)), bytes);
  }
  if (typeMeta.apiVersion !== resource.apiVersion) throw wrongVersion(resource, typeMeta.apiVersion);
  const refusal = otherType(resource, typeMeta, document);
  if (refusal) throw refusal;
}
