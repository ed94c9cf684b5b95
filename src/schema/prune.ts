import { DecodeError } from '../json/decode-error.js';
import type { JsonValue } from '../json/value.js';
import { childPath } from '../meta/field-error.js';
import { isRecord, setMember } from './json-objects.js';
import type { ObjectSchema, Schema } from './schema.js';

/** What an embedded object has without being declared. */
export const IMPLICIT_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];
const MAX_DEPTH = 1000;

export interface PruneOptions {
  /** Called with the path of every field left out. */
  readonly onUnknown?: (path: string) => void;
  /** Gives what every object has ({@link IMPLICIT_FIELDS}) its proper form, in an embedded object. */
  readonly embeddedField?: (name: string, value: unknown, path: string) => JsonValue | undefined;
  /** Whether nulls stay and only unknown fields are left out. Default false. */
  readonly keepsNull?: boolean;
}

/**
 * Leaves out what a schema does not know, and null where null is neither allowed nor replaced by a default
 * (spec 21.3). Values of other types than declared stay; validation reports them. Gives the same value back when
 * nothing had to go.
 * @throws DecodeError for values nested deeper than any schema needs.
 */
export function prune(schema: Schema, value: JsonValue, options: PruneOptions = {}, path = '', depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new DecodeError('json: exceeded max depth');
  if (schema.type === 'list' && Array.isArray(value)) {
    const items = value.map((item: JsonValue, i) => prune(schema.items, item, options, `${path}[${i}]`, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (schema.type !== 'object' && schema.type !== 'map') return value;
  if (!isRecord(value)) return value;
  let changed = false;
  const out: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = value[name] as JsonValue | undefined; // a JSON object
    const kept = member === undefined ? undefined : pruneMember(schema, name, member, options, path, depth);
    if (kept !== member) changed = true;
    if (kept !== undefined) setMember(out, name, kept);
  }
  return changed ? out : value;
}

function pruneMember(
  schema: Exclude<Schema, { type: 'list' }>,
  name: string,
  member: JsonValue,
  options: PruneOptions,
  path: string,
  depth: number,
): JsonValue | undefined {
  const full = childPath(path, name);
  const inner = schema.type === 'map' ? schema.values : (schema as ObjectSchema).properties.get(name)?.schema; // no others come here
  if (schema.type === 'object' && schema.embeddedResource === true && IMPLICIT_FIELDS.includes(name))
    return options.embeddedField ? options.embeddedField(name, member, full) : member;
  if (inner === undefined) {
    if (schema.type === 'object' && schema.preserveUnknown === true) return member;
    options.onUnknown?.(full);
    return undefined;
  }
  if (member === null && !options.keepsNull && isBareNull(inner)) return undefined;
  return prune(inner, member, options, full, depth + 1);
}

/** Whether the schema neither allows null nor has a default in its place. Its type does not matter. */
const isBareNull = (schema: Schema) => schema.nullable !== true && schema.default === undefined;
