import { globalRegistry } from 'zod/mini';
import { isJsonObject, type JsonValue } from '../json/value.js';
import { copyPattern, trustPattern } from './constraints/patterns.js';
import { extensionsOf } from './extensions.js';
import type { Constraint, ObjectSchema, Property, Schema, StringSchema } from './schema.js';
import { defOf, type ZodCheckDef, type ZodDef, type ZodLike } from './zod/def.js';

export type { ZodLike } from './zod/def.js';

const compiled = new WeakMap<object, Schema>();
const EVERYTHING: Schema = Object.freeze({ type: 'any' });

/**
 * Converts a zod schema to a `Schema`, once per zod schema. The function reads zod's definition structurally, so schemas of an embedder's
 * own copy of zod 4 (classic or mini) work. Parts that a Schema cannot express (transforms, refinements) are left out: see `hasRemainder`.
 * @throws TypeError for something that is not a zod 4 schema, or that contains itself without an object in between.
 */
export function schemaOf(zod: ZodLike): Schema {
  const known = compiled.get(zod);
  if (known !== undefined) return known;
  const def = defOf(zod);
  if (def.type === 'object') return objectSchema(zod, def);
  const schema = finish(zod, convert(zod, def));
  compiled.set(zod, schema);
  return schema;
}

// Adds the description and the extensions of zod's metadata to the schema.
function finish<S extends Schema>(zod: ZodLike, schema: S): S {
  const meta: Record<string, unknown> = { ...globalRegistry.get(zod as Parameters<typeof globalRegistry.get>[0]) };
  const own = 'description' in zod ? zod.description : undefined;
  const description = typeof own === 'string' ? own : meta['description'];
  const over = {
    ...(typeof description === 'string' ? { description } : {}),
    ...extensionsOf(schema.type, meta),
  };
  if (Object.keys(over).length === 0) {
    Object.freeze(schema);
    return schema;
  }
  return derive(schema, over);
}

function objectSchema(zod: ZodLike, def: ZodDef): ObjectSchema {
  const open = isOpen(def.catchall);
  const properties = new Map<string, Property>();
  const schema = finish<ObjectSchema>(zod, { type: 'object', properties, ...(open ? { preserveUnknown: true } : {}) });
  // The schema is registered before its properties are read, because they may refer to it.
  compiled.set(zod, schema);
  for (const [name, field] of Object.entries(def.shape ?? {})) properties.set(name, propertyOf(field));
  return schema;
}
function isOpen(catchall: ZodLike | undefined): boolean {
  return catchall !== undefined && defOf(catchall).type !== 'never';
}

function propertyOf(field: ZodLike): Property {
  return Object.freeze({ schema: schemaOf(field), ...(isOptional(field) ? {} : { required: true }) });
}
function withDefault(schema: Schema, value: JsonValue): Schema {
  return derive(schema, { default: value });
}
// Returns a copy of the schema in which the members of `over` are added or replaced. The copy uses the same compiled pattern.
function derive<S extends Schema>(schema: S, over: object): S {
  const copy = { ...schema, ...over };
  Object.freeze(copy);
  copyPattern(schema, copy);
  return copy;
}

const TRANSPARENT = ['nullable', 'readonly', 'catch', 'nonoptional', 'pipe'];
function isOptional(zod: ZodLike): boolean {
  const def = defOf(zod);
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') return true;
  const inner = def.innerType ?? def.in;
  return inner !== undefined && def.type !== 'nonoptional' && TRANSPARENT.includes(def.type) && isOptional(inner);
}

const pending = new Set<ZodLike>();
function lazily(zod: ZodLike, def: ZodDef): Schema {
  if (pending.has(zod)) throw new TypeError('a schema contains itself without an object between');
  pending.add(zod);
  try {
    return schemaOf(def.getter?.() ?? zod);
  } finally {
    pending.delete(zod);
  }
}

function convert(zod: ZodLike, def: ZodDef): Schema {
  const inner = def.innerType ?? def.in;
  switch (def.type) {
    case 'string':
      return readString(def);
    case 'number':
      return readNumber(def);
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return enumOf(Object.values(def.entries ?? {}));
    case 'literal':
      return enumOf(def.values ?? []);
    case 'array':
      return { type: 'list', items: schemaOf(def.element ?? zod), ...sizes(def, 'minItems', 'maxItems') };
    case 'record':
      return { type: 'map', values: schemaOf(def.valueType ?? zod), ...sizes(def, 'minProperties', 'maxProperties') };
    case 'union':
      return unionOf(def.options ?? []);
    case 'lazy':
      return lazily(zod, def);
    case 'nullable':
      return inner === undefined ? EVERYTHING : derive(schemaOf(inner), { nullable: true });
    case 'default':
    case 'prefault':
      return inner === undefined ? EVERYTHING : withDefault(schemaOf(inner), plainJson(def.defaultValue));
    default:
      // A wrapper is converted like its inner type. Types without an inner type (dates, tuples, custom checks) accept any value.
      return inner === undefined ? EVERYTHING : schemaOf(inner);
  }
}

function sizes(def: ZodDef, least: string, most: string): Record<string, number> {
  const out: Record<string, number> = {};
  for (const { _zod } of def.checks ?? []) {
    const { check, minimum, maximum, length } = _zod.def;
    if ((check === 'min_length' || check === 'min_size') && minimum !== undefined) out[least] = minimum;
    else if ((check === 'max_length' || check === 'max_size') && maximum !== undefined) out[most] = maximum;
    else if (check === 'length_equals' && length !== undefined) out[least] = out[most] = length;
  }
  return out;
}

function enumOf(values: readonly unknown[]): Schema {
  if (values.length > 0 && values.every((v) => typeof v === 'string')) return { type: 'string', enum: values };
  if (values.length > 0 && values.every((v) => Number.isSafeInteger(v)))
    // The condition has checked that all values are integers, so the cast is safe.
    return { type: 'integer', format: 'int64', plain: true, enum: values as number[] };
  if (values.length > 0 && values.every((v) => typeof v === 'boolean')) return { type: 'boolean' };
  return EVERYTHING;
}

const SCALARS = ['string', 'number', 'enum', 'literal'];

function unionOf(options: readonly ZodLike[]): Schema {
  const real = options.filter((option) => defOf(option).type !== 'null');
  const nullable = real.length < options.length ? { nullable: true } : {};
  // A union that contains anything but scalars accepts any value, because its options differ in type and may contain the union itself.
  if (real.length > 1 && !real.every((option) => SCALARS.includes(defOf(option).type)))
    return { ...EVERYTHING, ...nullable };
  const schemas = real.map(schemaOf);
  const [first] = schemas;
  if (first !== undefined && schemas.length === 1) return derive(first, nullable);
  const texts = schemas.flatMap((s) => (s.type === 'string' && s.enum !== undefined ? s.enum : []));
  if (schemas.every((s) => s.type === 'string' && s.enum !== undefined))
    return { type: 'string', enum: texts, ...nullable };
  const types = new Set(schemas.map((s) => s.type));
  if (types.size === 2 && types.has('integer') && types.has('string')) return { type: 'intOrString', ...nullable };
  return { ...EVERYTHING, ...nullable };
}

/** Returns a copy of a value as JSON; values that JSON cannot represent become null. */
function plainJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return Object.freeze(value.map(plainJson));
  if (isJsonObject(value))
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainJson(member)])));
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? (value as string | number | boolean) : null;
}

/** The OpenAPI names of zod's formats. Other formats of zod are converted to patterns. */
const FORMATS: Readonly<Record<string, string>> = { datetime: 'date-time', date: 'date', uri: 'uri', url: 'uri' };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns the schema of a zod string with its format and checks. */
function readString(def: ZodDef): StringSchema {
  const out: Writable<StringSchema> = { type: 'string' };
  const patterns: RegExp[] = [];
  // The definition of a zod format has the members of a check, so it is read as one.
  const all: readonly ZodCheckDef[] = [{ ...def, check: def.check ?? '' } as ZodCheckDef, ...checksOf(def)];
  for (const check of all) {
    if (check.check === 'min_length' && check.minimum !== undefined) out.minLength = check.minimum;
    else if (check.check === 'max_length' && check.maximum !== undefined) out.maxLength = check.maximum;
    else if (check.check === 'length_equals' && check.length !== undefined)
      out.minLength = out.maxLength = check.length;
    else if (check.check === 'string_format') {
      const format = FORMATS[check.format ?? ''];
      if (format !== undefined) out.format = format;
      else if (check.pattern instanceof RegExp) patterns.push(check.pattern);
    }
  }
  const [first, ...more] = patterns;
  if (first !== undefined) out.pattern = first.source;
  if (more.length > 0) out.allOf = Object.freeze(more.map(constraintOf));
  if (first !== undefined) trustPattern(out, first);
  return Object.freeze(out);
}
function constraintOf(expression: RegExp): Constraint {
  const constraint = Object.freeze({ pattern: expression.source });
  trustPattern(constraint, expression);
  return constraint;
}
const checksOf = (def: ZodDef) => (def.checks ?? []).map((check) => check._zod.def);

/** Returns the schema of a zod number. It is an integer if the format or a check requires one. */
function readNumber(def: ZodDef): Schema {
  const checks = checksOf(def);
  const format = [def.format, ...checks.map((c) => (c.check === 'number_format' ? c.format : undefined))].find(Boolean);
  const bounds: Record<string, number | boolean> = {};
  for (const { check, value, inclusive } of checks) {
    if (typeof value !== 'number') continue;
    if (check === 'multiple_of') bounds['multipleOf'] = value;
    else if (check === 'greater_than' || check === 'less_than') {
      const side = check === 'greater_than' ? 'inimum' : 'aximum';
      bounds[`m${side}`] = value;
      if (inclusive === false) bounds[`exclusiveM${side}`] = true;
    }
  }
  if (format === 'int32') return { type: 'integer', format: 'int32', ...bounds };
  if (format === 'uint32') return { type: 'integer', format: 'int64', minimum: 0, maximum: 0xffffffff, ...bounds };
  if (format === 'safeint') return { type: 'integer', format: 'int64', plain: true, ...bounds };
  return { type: 'number', ...(format === 'float32' ? { format: 'float' as const } : {}), ...bounds };
}
