import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { propertiesOf } from '../../schema/object-meta-schema.js';
import type { AnySchema, ListSchema, MapSchema, ObjectSchema, Schema } from '../../schema/schema.js';
import { zeroValue } from '../../schema/zero-value.js';
import type { PathElement } from '../paths/path-element.js';

// For ownership a value is one of three things:
//
//   fields   a granular struct or map: every member is owned and merged by itself
//   items    a set or map list: every item is owned and merged by itself
//   a leaf   everything else: owned and replaced as a whole (scalars; atomic structs, maps and lists)

/** A granular struct or map. */
export type FieldsSchema = ObjectSchema | MapSchema | AnySchema;

const GRANULAR: AnySchema = Object.freeze({ type: 'any', granular: true });
/** The schema of members that are not declared: they are leaves. */
export const UNDECLARED: AnySchema = Object.freeze({ type: 'any' });

/**
 * Returns the schema if it makes this value a granular struct or map (`fields`), else undefined. Null or a value of a wrong type counts as
 * an object without members.
 */
export function asFields(schema: Schema, value: JsonValue): FieldsSchema | undefined {
  switch (schema.type) {
    case 'object':
      // A schema may declare properties, but no type. A value that is not an object is a leaf then.
      if (schema.declaredType !== undefined && value !== null && !isJsonObject(value)) return undefined;
      return schema.mapType === 'atomic' ? undefined : schema;
    case 'map':
      return schema.mapType === 'atomic' ? undefined : schema;
    case 'any':
      // Without a schema the type of the value decides. Null counts as an object, because it may mean an absent object.
      return schema.granular && (value === null || isJsonObject(value)) ? schema : undefined;
    default:
      return undefined;
  }
}

/** Returns the schema if its values are sets or map lists (`items`), else undefined. */
export function asItems(schema: Schema): ListSchema | undefined {
  return schema.type === 'list' && (schema.listType === 'set' || schema.listType === 'map') ? schema : undefined;
}

/** Returns the schema of a member; undefined when it is not declared. */
export function declaredMember(schema: FieldsSchema, name: string): Schema | undefined {
  if (schema.type === 'map') return schema.values;
  if (schema.type === 'any') return GRANULAR;
  return propertiesOf(schema).get(name)?.schema ?? (schema.preserveUnknown ? GRANULAR : undefined);
}

/**
 * Returns the schema by which a member is merged and owned; {@link UNDECLARED} when an apply with the member is refused. As in upstream, a
 * struct without declared properties, and every struct inside a schema that preserves unknown fields, accepts members that pruning removes
 * later.
 */
export function memberSchema(schema: FieldsSchema, name: string): Schema {
  return declaredMember(schema, name) ?? (schema.type === 'object' && acceptsUnknown(schema) ? GRANULAR : UNDECLARED);
}
const acceptsUnknown = (schema: ObjectSchema) => schema.insidePreserved === true || propertiesOf(schema).size === 0;

/** Returns the schema one element down a path; undefined when the path does not fit the schema. */
export function schemaAt(schema: Schema, element: PathElement): Schema | undefined {
  if (element[0] === 'f') {
    const fields = asFields(schema, null);
    const member = fields && memberSchema(fields, element.slice(2));
    return member === UNDECLARED ? undefined : member;
  }
  return asItems(schema)?.items;
}

/** Returns whether a member is a property of a struct rather than an entry of a map. */
export function isNamed(schema: FieldsSchema, name: string): boolean {
  return schema.type === 'object' && propertiesOf(schema).has(name);
}

const NO_MEMBERS: JsonObject = Object.freeze({});
const NO_ITEMS: readonly JsonValue[] = Object.freeze([]);

/** Returns the members of a granular struct or map; none if the value is null or has a wrong type. */
export function membersIn(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : NO_MEMBERS;
}
/** Returns the items of a set or map list; none if the value is null or has a wrong type. */
export function itemsIn(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}

/** Returns the default of a map list's key: the default in its schema, or the zero value if the key is always serialized. */
export function keyDefault(schema: ListSchema, key: string): JsonValue | undefined {
  const property = schema.items.type === 'object' ? schema.items.properties.get(key) : undefined;
  if (property === undefined) return undefined;
  return property.schema.default ?? (property.presence === 'always' ? zeroValue(property.schema) : undefined);
}

/** Returns whether all members of a value are leaves, so that the field set below the value is just a list of the members. */
export function hasOnlyLeaves(schema: Schema): boolean {
  return schema.type === 'map' && asFields(schema.values, null) === undefined && asItems(schema.values) === undefined;
}
