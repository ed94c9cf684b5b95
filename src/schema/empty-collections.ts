import { equalJson } from '../json/equal.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import type { Typed } from './authoring.js';
import type { Property, Schema } from './schema.js';

/** The results of {@link isConcerned}, by schema. */
const concerned = new WeakMap<Schema, boolean>();

/**
 * Returns the stored form of a value, which does not distinguish an empty list or map from an absent one (spec 9.9). If the field is always
 * serialized, an empty list or map becomes null. Otherwise it is removed; decoding has kept it only for validation. Parts without empty
 * collections are shared.
 */
export function withoutEmptyCollections<T>(schema: Schema, value: T): T;
export function withoutEmptyCollections(schema: Schema, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || !isConcerned(schema)) return value;
  if (schema.type === 'list') return eachItem(schema.items, value);
  if (!isJsonObject(value)) return value;
  let copy: Record<string, JsonValue> | undefined;
  for (const name in value) {
    const member = value[name] as JsonValue; // Members of a JSON object are JSON, so the cast is safe.
    const property = schema.type === 'object' ? schema.properties.get(name) : undefined;
    const inner = schema.type === 'map' ? schema.values : property?.schema;
    if (inner === undefined) continue;
    const goes = property !== undefined && emptyDiffersFromAbsent(property) && isEmpty(member);
    const after = goes ? null : withoutEmptyCollections(inner, member);
    if (after === member) continue;
    copy ??= { ...(value as Record<string, JsonValue>) };
    if (goes && property.presence === 'omitNull') delete copy[name];
    else copy[name] = after;
  }
  return copy ?? value;
}

/** Returns whether two values have the same stored form. In that form an empty list equals an absent one. */
export function equalAsStored(schema: Typed<unknown>, left: unknown, right: unknown): boolean {
  // Kinds declare their schemas as Typed, but at run time a Typed is a Schema, so the cast is safe.
  const written = schema as unknown as Schema;
  return equalJson(withoutEmptyCollections(written, left), withoutEmptyCollections(written, right));
}

function eachItem(items: Schema, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  let copy: JsonValue[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const after = withoutEmptyCollections(items, value[i] as JsonValue);
    if (after !== value[i]) (copy ??= [...value])[i] = after;
  }
  return copy ?? value;
}

/** Returns whether decoding distinguishes an empty collection of the property from an absent one. */
const emptyDiffersFromAbsent = ({ presence, schema }: Property): boolean =>
  (presence === 'always' || presence === 'omitNull') &&
  (schema.type === 'map' || (schema.type === 'list' && !schema.ownMessage));

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const _ in value) return false;
  return true;
}

/**
 * Returns whether values of the schema may contain an empty list or map that {@link withoutEmptyCollections} removes. Values of all other
 * schemas are not walked. A schema that contains itself is visited once.
 */
function isConcerned(schema: Schema): boolean {
  const known = concerned.get(schema);
  if (known !== undefined) return known;
  concerned.set(schema, false);
  const is =
    schema.type === 'list'
      ? isConcerned(schema.items)
      : schema.type === 'map'
        ? isConcerned(schema.values)
        : schema.type === 'object' &&
          [...schema.properties.values()].some(
            (property) => emptyDiffersFromAbsent(property) || isConcerned(property.schema),
          );
  concerned.set(schema, is);
  return is;
}
