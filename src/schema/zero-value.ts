import type { JsonValue } from '../json/value.js';
import type { Schema } from './schema.js';

const zeros = new WeakMap<Schema, JsonValue>();

/**
 * Returns the zero value of a schema as it is serialized: "", 0, false, the struct with the fields that are always serialized; null for
 * lists, maps, times, bytes and arbitrary JSON. The value is frozen and shared.
 */
export function zeroValue(schema: Schema): JsonValue {
  switch (schema.type) {
    case 'string':
      if (schema.format === 'date-time' || schema.format === 'micro-time' || schema.format === 'byte') return null;
      return isAmount(schema) ? '0' : '';
    case 'integer':
    case 'number':
    case 'intOrString':
      return 0;
    case 'boolean':
      return false;
    case 'object':
      break;
    default:
      return null;
  }
  const known = zeros.get(schema);
  if (known !== undefined) return known;
  const out: Record<string, JsonValue> = {};
  for (const [name, property] of schema.properties)
    if (property.presence === 'always') out[name] = zeroValue(property.schema);
    else if (property.presence === 'orNull') out[name] = null;
  zeros.set(schema, Object.freeze(out));
  return out;
}

/** Returns whether values of the schema are quantities. */
export const isAmount = (schema: Schema): boolean => schema.type === 'string' && schema.format === 'quantity';
