import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { type DecodeOptions, decodeTyped } from '../../schema/decode.js';
import { decodeStructural } from '../../schema/decode-structural.js';
import { DefaultsTooLarge } from '../../schema/defaults.js';
import { editOwn } from '../edit.js';
import type { ResourceDefinition } from '../resource-definition.js';
import type { ServedResource } from '../served/served-resource.js';

/**
 * Decodes a JSON value, such as the result of a patch, as the resource's kind.
 * @throws the error that `badRequest` makes of a problem; ApiError 413 when defaults would make the object too large
 */
export function decodeFields(
  { definition, gvk, apiVersion, dialect }: ServedResource,
  value: JsonObject,
  badRequest: (problem: string) => Error,
  options: DecodeOptions = {},
): { readonly object: ApiObject; readonly unknownFields: readonly string[] } {
  const named = value['kind'] === gvk.kind && value['apiVersion'] === apiVersion;
  const whole = named ? value : { ...value, kind: gvk.kind, apiVersion };
  try {
    const decode = definition.decoding === 'typed' ? decodeTyped : decodeStructural;
    const { value: decoded, unknownFields } = decode(definition.schema, whole, options);
    const object = withSentOwners(decoded as unknown as ApiObject, value); // the schema is that of a whole object
    return { object: withDefaults(object, definition, dialect), unknownFields };
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    if (error instanceof DefaultsTooLarge) throw apiError.tooLarge(error.message);
    throw error;
  }
}

function withDefaults(object: ApiObject, { setDefaults }: ResourceDefinition, dialect: Dialect): ApiObject {
  return setDefaults ? editOwn(object, (draft) => setDefaults(draft, dialect)) : object;
}

/** Decoding drops empty lists, but an empty list of managedFields has a meaning: it resets ownership (spec 6.6). */
function withSentOwners(object: ApiObject, { metadata }: JsonObject): ApiObject {
  const sent = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  if (!Array.isArray(sent) || sent.length > 0) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: [] } };
}
