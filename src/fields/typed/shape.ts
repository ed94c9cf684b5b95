import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { propertiesOf } from '../../schema/object-meta-schema.js';
import type { AnySchema, ListSchema, MapSchema, ObjectSchema, Schema } from '../../schema/schema.js';
import { zeroValue } from '../../schema/zero-value.js';

// For ownership a value is one of three things:
//
//   fields   a granular struct or map: every member is owned and merged by itself
//   items    a set or map list: every item is owned and merged by itself
//   a leaf   everything else: owned and replaced as a whole (scalars; atomic structs, maps and lists)

/** A granular struct or map. */
export type FieldsSchema = ObjectSchema | MapSchema | AnySchema;

const GRANULAR: AnySchema = Object.freeze({ type: 'any', granular: true });
const OPAQUE: AnySchema = Object.freeze({ type: 'any' });

/** The schema, where it makes this value `fields`. A null or ill-typed value counts as one without members. */
export function asFields(schema: Schema, value: JsonValue): FieldsSchema | undefined {
  switch (schema.type) {
    case 'object':
    case 'map':
      return schema.mapType === 'atomic' ? undefined : schema;
    case 'any':
      // Without a schema the value itself says what it is; null may be an absent object.
      return schema.granular && (value === null || isJsonObject(value)) ? schema : undefined;
    default:
      return undefined;
  }
}

/** The schema, where it makes its values `items`. */
export function asItems(schema: Schema): ListSchema | undefined {
  return schema.type === 'list' && (schema.listType === 'set' || schema.listType === 'map') ? schema : undefined;
}

/** The schema of a member; undefined when none is declared. */
export function declaredMember(schema: FieldsSchema, name: string): Schema | undefined {
  if (schema.type === 'map') return schema.values;
  if (schema.type === 'any') return GRANULAR;
  return propertiesOf(schema).get(name)?.schema ?? (schema.preserveUnknown ? GRANULAR : undefined);
}

/** The schema of a member; one that is not declared is a leaf. */
export function memberSchema(schema: FieldsSchema, name: string): Schema {
  return declaredMember(schema, name) ?? OPAQUE;
}

/** Whether a member is a property of a struct rather than an entry of a map. */
export function isNamed(schema: FieldsSchema, name: string): boolean {
  return schema.type === 'object' && propertiesOf(schema).has(name);
}

const NO_MEMBERS: JsonObject = Object.freeze({});
const NO_ITEMS: readonly JsonValue[] = Object.freeze([]);

/** The members of a value that is `fields`. */
export function membersIn(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : NO_MEMBERS;
}
/** The items of a value that is `items`. */
export function itemsIn(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}

/** The default of a map list's key: its schema's own, or the zero of a key that is always there. */
export function keyDefault(schema: ListSchema, key: string): JsonValue | undefined {
  const property = schema.items.type === 'object' ? schema.items.properties.get(key) : undefined;
  if (property === undefined) return undefined;
  return property.schema.default ?? (property.presence === 'always' ? zeroValue(property.schema) : undefined);
}

/** Whether every member is a leaf, so that a branch of a value has nothing to say but which members it has. */
export function hasOnlyLeaves(schema: Schema): boolean {
  return schema.type === 'map' && asFields(schema.values, null) === undefined && asItems(schema.values) === undefined;
}
