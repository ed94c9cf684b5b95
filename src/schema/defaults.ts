import type { JsonValue } from '../json/value.js';
import { isRecord, setMember } from './json-objects.js';
import type { Schema } from './schema.js';

// Only defaults that contain themselves get so deep: values were measured when they were pruned.
const MAX_DEPTH = 2000;
const withDefaults = new WeakMap<Schema, boolean>();

/**
 * Fills in the defaults of a schema: where a field is absent, or null without being nullable; inside defaults too
 * (spec 21.3). Gives the same value back when nothing was missing. Values that are filled in are frozen and shared.
 * @throws TypeError for a default that contains itself.
 */
export function applyDefaults(schema: Schema, value: JsonValue, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new TypeError('a default leads to itself');
  if (!hasDefaults(schema, new Set())) return value;
  if (schema.type === 'list' && Array.isArray(value)) {
    const items = value.map((item: JsonValue) => memberWithDefaults(schema.items, item, depth));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if ((schema.type !== 'object' && schema.type !== 'map') || !isRecord(value)) return value;
  const filled: [string, JsonValue][] = [];
  const fill = (name: string, inner: Schema) => {
    const member = (Object.hasOwn(value, name) ? value[name] : undefined) as JsonValue | undefined; // a JSON object
    const next = memberWithDefaults(inner, member, depth);
    if (next !== undefined && next !== member) filled.push([name, next]);
  };
  if (schema.type === 'map') for (const name of Object.keys(value)) fill(name, schema.values);
  else for (const [name, property] of schema.properties) fill(name, property.schema);
  if (filled.length === 0) return value;
  const out = {};
  for (const name of Object.keys(value)) setMember(out, name, value[name]);
  for (const [name, member] of filled) setMember(out, name, member);
  return out;
}

function memberWithDefaults<T extends JsonValue | undefined>(schema: Schema, value: T, depth: number): T | JsonValue {
  const missing = value === undefined || (value === null && schema.nullable !== true);
  const given = missing && schema.default !== undefined ? schema.default : value;
  return given === undefined || given === null ? given : applyDefaults(schema, given, depth + 1);
}

/** Whether there is anything to fill in at or below a schema. */
function hasDefaults(schema: Schema, seen: Set<Schema>): boolean {
  const known = withDefaults.get(schema);
  if (known !== undefined) return known;
  if (seen.has(schema)) return false;
  const isOutermost = seen.size === 0;
  seen.add(schema);
  const has = (inner: Schema) => inner.default !== undefined || hasDefaults(inner, seen);
  const found =
    schema.type === 'object'
      ? [...schema.properties.values()].some((property) => has(property.schema))
      : schema.type === 'map'
        ? has(schema.values)
        : schema.type === 'list' && has(schema.items);
  // A no below an open circle is not final; one for the outermost is one for all that was seen.
  if (found) withDefaults.set(schema, true);
  else if (isOutermost) for (const each of seen) withDefaults.set(each, false);
  return found;
}
