import { applyOwnership } from '../../fields/index.js';
import { jsonTypeName } from '../../json/type-name.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { FieldValidation } from '../../meta/field-validation.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { ownershipRules } from '../../registry/ownership.js';
import type { ServedResource } from '../../registry/served-resource.js';
import type { ParsedJson } from '../../serialization/json/decode.js';
import { decodeYaml } from '../../serialization/yaml/decode.js';
import { unmarshalErrors } from '../../serialization/yaml/format.js';
import { messageOf } from '../../values/message-of.js';
import type { Exchange } from '../exchange.js';
import { decodeFields } from './decode-kind.js';

/** What an apply request carries beside its options. */
export interface ReadApply {
  readonly applied: JsonObject;
  /** Uid the body names, '' when none. */
  readonly uid: string;
  /** Keys that stand twice, as they are told in warnings. */
  readonly duplicates: readonly string[];
}

/** @throws ApiError 400 for a body that is no YAML, or no object (gap file 4.10.2). */
export async function readApply(
  bytes: Uint8Array,
  level: FieldValidation,
  pause?: () => Promise<void>,
): Promise<ReadApply> {
  let read: ParsedJson;
  try {
    read = await decodeYaml(bytes, { duplicates: level !== 'Ignore', pause });
  } catch (error) {
    throw undecodable(`error converting YAML to JSON: ${messageOf(error)}`);
  }
  const { value, duplicates } = read;
  if (value !== null && !isJsonObject(value))
    throw undecodable(
      `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`,
    );
  const applied = value ?? {};
  const metadata = isJsonObject(applied['metadata']) ? applied['metadata'] : {};
  return {
    applied,
    uid: typeof metadata['uid'] === 'string' ? metadata['uid'] : '',
    duplicates: level === 'Ignore' ? [] : duplicates,
  };
}

const undecodable = (problem: string) => apiError.badRequest(`error decoding YAML: ${problem}`);

/**
 * Applies to the stored object, or makes a new one (document 2, section 4.10). Duplicate keys count only when the apply
 * itself would do.
 * @throws ApiError 409 for conflicts, 400 and 500 as recorded for bodies that do not fit.
 */
export function applyTo(
  exchange: Exchange,
  resource: ServedResource,
  { applied, duplicates }: ReadApply,
  live: ApiObject | undefined,
  options: {
    readonly manager: string;
    readonly force: boolean;
    readonly subresource: string;
    readonly fieldValidation: FieldValidation;
  },
): ApiObject {
  const { schema, apiVersion, subresource, resetFields, convert } = ownershipRules(resource, options.subresource);
  const merged = applyOwnership({
    schema,
    apiVersion,
    subresource,
    resetFields,
    convert,
    manager: options.manager,
    force: options.force,
    kind: resource.gvk.kind,
    live,
    applied,
    now: exchange.environment.clock.now(),
  });
  if (duplicates.length > 0 && options.fieldValidation === 'Strict')
    throw apiError.badRequest(
      `error strict decoding YAML: error converting YAML to JSON: ${unmarshalErrors(duplicates)}`,
    );
  for (const duplicate of duplicates) exchange.warnings.add(duplicate);
  if (merged === live) return live;
  return decodeFields(resource, merged as unknown as JsonObject, (problem) => apiError.unknown(problem)).object; // objects are plain JSON
}
