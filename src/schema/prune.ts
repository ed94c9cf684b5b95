import { DecodeError } from '../json/decode-error.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import { childPath } from '../meta/field-error.js';
import { setMember } from './json-objects.js';
import type { MapSchema, ObjectSchema, Schema } from './schema.js';

/** The fields that every embedded object may have, even if its schema does not declare them. */
export const IMPLICIT_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];
const MAX_DEPTH = 1000;

export interface PruneOptions {
  /** Receives the path of every dropped field. */
  readonly onUnknown?: (path: string) => void;
  /**
   * Decodes the common fields ({@link IMPLICIT_FIELDS}) of an embedded object. In the path for errors, keys of maps are in brackets.
   */
  readonly embeddedField?: (name: string, value: unknown, path: string, errorPath: string) => JsonValue | undefined;
  /** Whether nulls stay and only unknown fields are dropped. Default: false. */
  readonly keepsNull?: boolean;
}

/** The schema of values of which nothing is known: scalars and lists stay, all fields are dropped. */
const CLOSED: ObjectSchema = { type: 'object', properties: new Map() };

/**
 * Drops the fields that are not in the schema, and nulls that are neither allowed nor replaced by a default (spec 21.3). Values of a wrong
 * type stay, and validation reports them, but an object where the schema has a scalar or a list loses all of its fields. Returns the same
 * value when nothing was dropped.
 * @throws DecodeError for values that are nested deeper than any schema allows.
 */
export function prune(
  schema: Schema,
  value: JsonValue,
  options: PruneOptions = {},
  path = '',
  depth = 0,
  errorPath = path,
): JsonValue {
  if (depth > MAX_DEPTH) throw new DecodeError('json: exceeded max depth');
  if (typeof value !== 'object' || value === null || schema.type === 'any') return value;
  if (Array.isArray(value)) {
    if (schema.type === 'object' && schema.preserveUnknown === true) return value;
    const inner = schema.type === 'list' ? schema.items : CLOSED;
    const items = value.map((item: JsonValue, i) => {
      const full = `${path}[${i}]`;
      return prune(inner, item, options, full, depth + 1, errorPath === path ? full : `${errorPath}[${i}]`);
    });
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const fields = schema.type === 'object' || schema.type === 'map' ? schema : CLOSED;
  let changed = false;
  const out: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = value[name] as JsonValue | undefined; // Members of a JSON object are JSON, so the cast is safe.
    const kept = member === undefined ? undefined : pruneMember(fields, name, member, options, path, depth, errorPath);
    if (kept !== member) changed = true;
    if (kept !== undefined) setMember(out, name, kept);
  }
  return changed ? out : value;
}

function pruneMember(
  schema: ObjectSchema | MapSchema,
  name: string,
  member: JsonValue,
  options: PruneOptions,
  path: string,
  depth: number,
  errorPath: string,
): JsonValue | undefined {
  const full = childPath(path, name);
  const shown =
    schema.type === 'map' ? `${errorPath}[${name}]` : errorPath === path ? full : childPath(errorPath, name);
  const inner = schema.type === 'map' ? schema.values : schema.properties.get(name)?.schema;
  if (inner && member === null && !options.keepsNull && isBareNull(inner)) return undefined;
  if (schema.type === 'object' && schema.embeddedResource === true && IMPLICIT_FIELDS.includes(name))
    return options.embeddedField ? options.embeddedField(name, member, full, shown) : member;
  if (inner === undefined) {
    if (schema.type === 'object' && schema.additional !== undefined)
      return prune(CLOSED, member, options, full, depth + 1, shown);
    if (schema.type === 'object' && schema.preserveUnknown === true) return member;
    options.onUnknown?.(full);
    return undefined;
  }
  return prune(inner, member, options, full, depth + 1, shown);
}

/** Returns whether a null of this schema is dropped: the schema neither allows null nor replaces it by a default. */
const isBareNull = (schema: Schema) => schema.nullable !== true && schema.default === undefined;
