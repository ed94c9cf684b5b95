import type { JsonValue } from '../meta/json.js';
import type { ObjectSchema, Schema } from '../schema/schema.js';

const made = new WeakMap<ObjectSchema, JsonValue>();

/**
 * A kind's object before anything is said of it: the members that its wire form always shows, as they show when empty.
 * The owner of a new object owns what differs from this, so not, say, the `spec` that every object of the kind has.
 */
export function zeroObject(schema: ObjectSchema): JsonValue {
  let zero = made.get(schema);
  if (zero === undefined) {
    zero = makeZeroObject(schema);
    made.set(schema, zero);
  }
  return zero;
}

function makeZeroObject(schema: ObjectSchema): JsonValue {
  const zero: Record<string, JsonValue> = {};
  for (const [name, property] of schema.properties) {
    if (property.presence === 'always') zero[name] = zeroValue(property.schema);
  }
  return Object.freeze(zero);
}

function zeroValue(schema: Schema): JsonValue {
  switch (schema.type) {
    case 'object':
      return zeroObject(schema);
    case 'string':
      return schema.format === 'date-time' || schema.format === 'micro-time' ? null : '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}
