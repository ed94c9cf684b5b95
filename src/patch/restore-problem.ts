import { jsonTypeName } from '../json/number-text.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import { badBase64 } from '../schema/decoding.js';
import { typeNameOf } from '../schema/go-type-name.js';
import type { Schema, StringSchema } from '../schema/schema.js';
import { canonicalBase64 } from '../values/base64.js';
import { WRONG_FORMAT } from '../values/quantity.js';
import { kindOf } from './patch-schema.js';
import { typeText } from './plain-text.js';

/**
 * Returns why a strategically merged document is not an object of its kind. Upstream converts such a document without serializing it, so
 * these failures have messages of their own (spec 5.4). Returns undefined if the document is valid, or if its failure has the message of
 * ordinary decoding.
 */
export function restoreProblem(schema: Schema, value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (schema.type) {
    case 'object':
      if (!isJsonObject(value)) return `cannot restore struct from: ${containerText(value)}`;
      for (const [name, property] of schema.properties) {
        const problem = Object.hasOwn(value, name) ? restoreProblem(property.schema, value[name]) : undefined;
        if (problem !== undefined) return problem;
      }
      return undefined;
    case 'map':
      if (!isJsonObject(value)) return `cannot restore map from ${containerText(value)}`;
      return firstProblem(schema.values, Object.values(value));
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${containerText(value)}`;
      return firstProblem(schema.items, value);
    case 'string':
      return stringProblem(schema, value);
    case 'integer':
      if (typeof value !== 'number') return unrecognizedType(schema);
      return Number.isInteger(value) ? undefined : inconvertible(value, schema);
    case 'number':
      return typeof value === 'number' ? undefined : unrecognizedType(schema);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : unrecognizedType(schema);
    case 'intOrString':
      return typeof value === 'string' || typeof value === 'number' ? undefined : wrongTypeProblem(value, 'int32');
    default:
      return undefined;
  }
}

function firstProblem(schema: Schema, values: readonly (JsonValue | undefined)[]): string | undefined {
  for (const value of values) {
    const problem = restoreProblem(schema, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// The types of these formats have their own `UnmarshalJSON`, so their failures have the message of ordinary decoding, but without a path.
const READ_ALONE: readonly (string | undefined)[] = ['date-time', 'micro-time', 'quantity'];

function stringProblem(schema: StringSchema, value: JsonValue): string | undefined {
  if (READ_ALONE.includes(schema.format)) {
    if (isText(value, schema)) return undefined;
    return schema.format === 'quantity' ? WRONG_FORMAT : wrongTypeProblem(value, 'string');
  }
  if (schema.format !== 'byte') {
    if (typeof value === 'string') return undefined;
    return typeof value === 'number' && Number.isInteger(value)
      ? inconvertible(value, schema)
      : unrecognizedType(schema);
  }
  if (Array.isArray(value)) return undefined;
  if (typeof value !== 'string') return `cannot restore slice from ${containerText(value)}`;
  const at = canonicalBase64(value);
  return typeof at === 'number' ? `error decoding from json: ${badBase64(at)}` : undefined;
}

const isText = (value: JsonValue, { format }: StringSchema) =>
  typeof value === 'string' || (typeof value === 'number' && format === 'quantity');
const wrongTypeProblem = (value: JsonValue, type: string) =>
  `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${type}`;
const unrecognizedType = (schema: Schema) => `unrecognized type: ${kindOf(schema)}`;
const inconvertible = (value: JsonValue, schema: Schema) =>
  `cannot convert ${typeText(value)} to ${typeNameOf(schema)}`;

/** Returns the Go kind of a list or object, or the Go type of any other value. */
function containerText(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return typeText(value);
  return Array.isArray(value) ? 'slice' : 'map';
}
