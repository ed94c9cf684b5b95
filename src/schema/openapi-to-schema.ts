import { isJsonObject, type JsonValue } from '../json/value.js';
import { extension, extensionsOf } from './extensions.js';
import { copyJson } from './json-objects.js';
import type { Constraint, IntegerSchema, Property, Schema } from './schema.js';

type Json = Readonly<Record<string, unknown>>;

/** The keywords that constrain a value itself, not its parts, each with the type of the keyword's argument. */
const KEYWORDS: Readonly<Record<string, 'number' | 'string' | 'boolean'>> = {
  format: 'string',
  pattern: 'string',
  minLength: 'number',
  maxLength: 'number',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'boolean',
  exclusiveMaximum: 'boolean',
  multipleOf: 'number',
  minItems: 'number',
  maxItems: 'number',
  uniqueItems: 'boolean',
  minProperties: 'number',
  maxProperties: 'number',
};
const MAX_DEPTH = 500;

/**
 * Converts a structural OpenAPI v3 schema of a CustomResourceDefinition to a {@link Schema}. Parts that are not structural are left out,
 * because definitions have been validated before (spec 21.2). Patterns need {@link prepareSchema}.
 * @throws TypeError for a schema that is not an object, or is nested too deep.
 */
export function openApiToSchema(json: unknown): Schema {
  if (!isJsonObject(json)) throw new TypeError('a schema must be an object');
  if (!Object.isFrozen(json)) return readSchema(json, WHOLE);
  // A definition is converted twice, for validation and for serving, so the result is cached.
  let schema = read.get(json)?.deref();
  if (!schema) read.set(json, new WeakRef((schema = readSchema(json, WHOLE))));
  return schema;
}

/**
 * The converted schemas, by their frozen JSON. They are referenced weakly: the watch history keeps deleted definitions for minutes, but the
 * compiled patterns of their schemas must be freed earlier.
 */
const read = new WeakMap<Json, WeakRef<Schema>>();

/** The position of a schema in the whole schema. */
interface Place {
  readonly depth: number;
  /** Whether a schema around this one preserves unknown fields. */
  readonly preserved: boolean;
}
const WHOLE: Place = { depth: 0, preserved: false };

function readSchema(json: unknown, { depth, preserved }: Place): Schema {
  if (!isJsonObject(json)) throw new TypeError('a schema must be an object');
  if (depth > MAX_DEPTH) throw new TypeError('the schema is nested too deep');
  const keepsAll = extension(json, 'preserve-unknown-fields') === true;
  const schema = shape(json, { depth: depth + 1, preserved: preserved || keepsAll });
  return Object.freeze({
    ...schema,
    ...(schema.type === 'object' && preserved ? { insidePreserved: true } : {}),
    ...annotationsOf(json),
    ...extensionsOf(schema.type, json),
    ...junctors(json, depth),
  });
}

/**
 * Returns a schema of the type that the JSON declares. The types of the keywords are checked only at run time, so each result is cast.
 * @param inner the position of the schemas in it
 */
function shape(json: Json, inner: Place): Schema {
  const values = keywords(json);
  if (extension(json, 'int-or-string') === true) {
    if ('properties' in json) return { ...objectShape(json, values, inner), declaredType: 'intOrString' } as Schema;
    const declared = json['type'];
    return {
      type: 'intOrString',
      ...values,
      ...(typeof declared === 'string' && { declaredType: declared }),
    } as Schema;
  }
  switch (json['type']) {
    case 'object':
      return objectShape(json, values, inner);
    case 'array':
      return { type: 'list', items: readSchema(json['items'] ?? {}, inner), ...values } as Schema;
    case 'string':
      return { type: 'string', ...values } as Schema;
    case 'integer':
      return { type: 'integer', ...values, ...integerFormat(json['format']) } as Schema;
    case 'number':
      return { type: 'number', ...values } as Schema;
    case 'boolean':
      return { type: 'boolean', ...values } as Schema;
    default:
      return 'properties' in json || typeof json['additionalProperties'] === 'boolean'
        ? ({ ...objectShape(json, values, inner), declaredType: 'any' } as Schema)
        : ({ type: 'any', ...values, granular: true } as Schema);
  }
}

function integerFormat(format: unknown): Pick<IntegerSchema, 'format' | 'plain' | 'otherFormat'> {
  if (format === 'int32' || format === 'int64') return { format };
  return { format: 'int64', plain: true, ...(typeof format === 'string' ? { otherFormat: format } : {}) };
}

function objectShape(json: Json, values: Partial<Constraint>, inner: Place): Schema {
  const additional = json['additionalProperties'];
  const named = isJsonObject(json['properties']) ? json['properties'] : {};
  if (Object.keys(named).length === 0 && isJsonObject(additional))
    return { type: 'map', values: readSchema(additional, inner), ...values } as Schema;
  const required = new Set(values.required);
  const properties = new Map<string, Property>();
  for (const name of Object.keys(named)) {
    const schema = readSchema(named[name], inner);
    properties.set(name, Object.freeze({ schema, ...(required.has(name) ? { required: true } : {}) }));
  }
  const declaresUnknown = typeof additional === 'boolean' && extension(json, 'preserve-unknown-fields') === true;
  return {
    type: 'object',
    properties,
    ...values,
    ...(typeof additional === 'boolean' ? { preserveUnknown: true, additional } : {}),
    ...(declaresUnknown ? { declaresUnknown } : {}),
  } as Schema;
}

function annotationsOf(json: Json): object {
  return {
    ...(typeof json['description'] === 'string' ? { description: json['description'] } : {}),
    ...(typeof json['title'] === 'string' && json['title'] !== '' ? { title: json['title'] } : {}),
    ...(json['default'] === undefined || json['default'] === null
      ? {}
      : { default: freeze(copyJson(json['default']) ?? null) }),
    ...(json['nullable'] === true ? { nullable: true } : {}),
  };
}
function freeze(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member ?? null);
  return Object.freeze(value);
}

function keywords(json: Json): Partial<Constraint> {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(json)) {
    const type = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
    if (type !== undefined && typeof json[name] === type) out[name] = json[name];
  }
  if (Array.isArray(json['enum'])) out['enum'] = Object.freeze([...json['enum']]);
  if (Array.isArray(json['required']))
    out['required'] = Object.freeze(json['required'].filter((name) => typeof name === 'string'));
  return out;
}

function junctors(json: Json, depth: number): object {
  const out: Record<string, unknown> = {};
  for (const name of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(json[name])) out[name] = Object.freeze(json[name].map((one) => constraint(one, depth + 1)));
  if (isJsonObject(json['not'])) out['not'] = constraint(json['not'], depth + 1);
  return out;
}

function constraint(json: unknown, depth: number): Constraint {
  if (depth > MAX_DEPTH) throw new TypeError('the schema is nested too deep');
  if (!isJsonObject(json)) return Object.freeze({});
  const named = isJsonObject(json['properties']) ? json['properties'] : undefined;
  const { type } = json;
  return Object.freeze({
    ...(type === 'integer' || type === 'string' ? { type } : {}),
    ...keywords(json),
    ...(named === undefined
      ? {}
      : { properties: new Map(Object.keys(named).map((name) => [name, constraint(named[name], depth + 1)])) }),
    ...(isJsonObject(json['items']) ? { items: constraint(json['items'], depth + 1) } : {}),
    ...(isJsonObject(json['additionalProperties'])
      ? { values: constraint(json['additionalProperties'], depth + 1) }
      : {}),
    ...(json['additionalProperties'] === false ? { additional: false } : {}),
    ...junctors(json, depth),
  });
}
