import type { Schema } from './schema.js';

/**
 * The prefixes of schema extensions in the API dialects k8s and orch. Schemas are read with both prefixes, except that the k8s dialect
 * accepts only `x-kubernetes-` in a CustomResourceDefinition.
 */
export const SCHEMA_EXTENSION_PREFIXES: readonly string[] = ['x-kubernetes-', 'x-orch-'];

// The spellings are cached, because the same few names are looked up for every schema.
const spellings = new Map<string, readonly string[]>();

/**
 * Returns the value of a schema extension by its name without the prefix: `list-type` for `x-kubernetes-list-type` or `x-orch-list-type`.
 */
export function extension(schema: Readonly<Record<string, unknown>>, name: string): unknown {
  let names = spellings.get(name);
  if (!names) spellings.set(name, (names = SCHEMA_EXTENSION_PREFIXES.map((prefix) => prefix + name)));
  for (const each of names) if (Object.hasOwn(schema, each)) return schema[each];
  return undefined;
}

/**
 * Returns the extensions about merging, unknown fields, embedded objects and CEL rules as members of a {@link Schema}. Extensions with
 * unknown values are left out.
 */
export function extensionsOf(type: Schema['type'], schema: Readonly<Record<string, unknown>>): object {
  const out: Record<string, unknown> = {};
  // Most schemas have no extensions, so the look-ups are skipped for them.
  if (!Object.keys(schema).some((name) => name.startsWith('x-'))) return out;
  const listType = extension(schema, 'list-type');
  const mapKeys = extension(schema, 'list-map-keys');
  const mapType = extension(schema, 'map-type');
  if (type === 'list' && (listType === 'atomic' || listType === 'set' || listType === 'map'))
    out['listType'] = listType;
  if (type === 'list' && Array.isArray(mapKeys) && mapKeys.every((key) => typeof key === 'string'))
    out['mapKeys'] = Object.freeze([...mapKeys]);
  if ((type === 'object' || type === 'map') && (mapType === 'atomic' || mapType === 'granular'))
    out['mapType'] = mapType;
  if ((type === 'object' || type === 'map' || type === 'list') && extension(schema, 'preserve-unknown-fields') === true)
    out['preserveUnknown'] = true;
  if (type === 'object' && extension(schema, 'embedded-resource') === true) out['embeddedResource'] = true;
  const rules = extension(schema, 'validations');
  if (Array.isArray(rules) && rules.length > 0) out['rules'] = rules;
  return out;
}
