import { applyOwnership } from '../fields/field-manager.js';
import { apiError } from '../meta/api-error.js';
import { isJsonObject, type JsonObject } from '../meta/json.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ServedResource } from '../registry/served-resource.js';
import { decodeYaml } from '../serialization/yaml-decode.js';
import { decodeFields } from './decode-kind.js';
import type { Exchange } from './exchange.js';

/** What an apply request carries beside its options. */
export interface ReadApply {
  readonly applied: JsonObject;
  /** Uid the body names, '' when none. */
  readonly uid: string;
}

/** @throws ApiError 400 for a body that is no YAML, or no object. */
export async function readApply(exchange: Exchange, bytes: Uint8Array, level: 'Ignore' | 'Warn' | 'Strict'): Promise<ReadApply> {
  const { value, duplicates } = await decodeYaml(bytes, { duplicates: level !== 'Ignore' }).catch((error: unknown) => {
    throw apiError.badRequest(`error decoding YAML: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (value !== null && !isJsonObject(value))
    throw apiError.badRequest(`error decoding YAML: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`);
  if (duplicates.length > 0 && level === 'Strict')
    throw apiError.badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${duplicates.map((text) => `  ${text}`).join('\n')}`,
    );
  if (level === 'Warn') for (const duplicate of duplicates) exchange.warnings.add(duplicate);
  const applied = value ?? {};
  const metadata = isJsonObject(applied['metadata']) ? applied['metadata'] : {};
  return { applied, uid: typeof metadata['uid'] === 'string' ? metadata['uid'] : '' };
}

/**
 * Applies to the stored object, or makes a new one (document 2, section 4.10).
 * @throws ApiError 409 for conflicts, 400 and 500 as recorded for bodies that do not fit.
 */
export function applyTo(
  exchange: Exchange,
  resource: ServedResource,
  { applied }: ReadApply,
  live: ApiObject | undefined,
  options: { readonly manager: string; readonly force: boolean; readonly subresource: string },
): ApiObject {
  const { definition, gvk, apiVersion } = resource;
  const route = options.subresource === '' ? definition : definition.subresources?.[options.subresource];
  const resetFields = route && 'resetFields' in route ? route.resetFields : undefined;
  const merged = applyOwnership({
    ...options,
    schema: definition.schema,
    kind: gvk.kind,
    apiVersion,
    live,
    applied,
    now: exchange.environment.clock.now(),
    ...(resetFields ? { resetFields } : {}),
  });
  if (merged === live) return live;
  return decodeFields(resource, merged as unknown as JsonObject, (problem) => apiError.unknown(problem)).object; // objects are plain JSON
}
