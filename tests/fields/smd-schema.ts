import { parse } from 'yaml';
import type { JsonValue } from '../../src/json/value.js';
import type { Property, Schema } from '../../src/schema/schema.js';

// The schema language of the data: named types, each a scalar, list, map or several of these at once.
interface TypeRef extends Atom {
  namedType?: string;
  elementRelationship?: string;
}
interface Atom {
  scalar?: string;
  list?: { elementType: TypeRef; elementRelationship?: string; keys?: string[] };
  map?: {
    fields?: { name: string; type: TypeRef; default?: JsonValue }[];
    elementType?: TypeRef;
    elementRelationship?: string;
  };
}

/** The schema of data without a schema. */
export const deduced: Schema = { type: 'any', granular: true };

/** Parses a schema of the data. Returns a function from the name of a type to its schema. */
export function readSmdSchema(yaml: string): (typeName: string) => Schema {
  const types = new Map<string, Atom>(parse(yaml).types.map((type: { name: string }) => [type.name, type]));
  const made = new Map<string, Schema>();

  const schemaOf = (ref: TypeRef): Schema => {
    if (ref.namedType === undefined) return atom(ref, ref.elementRelationship);
    if (ref.namedType === '__untyped_deduced_') return deduced;
    if (ref.namedType === '__untyped_atomic_') return { type: 'any' };
    const key = `${ref.namedType}/${ref.elementRelationship ?? ''}`;
    let schema = made.get(key);
    if (schema === undefined) {
      // Types may be recursive, so the object exists before its members are added.
      schema = {} as Schema;
      made.set(key, schema);
      Object.assign(schema, atom(types.get(ref.namedType) ?? {}, ref.elementRelationship));
    }
    return schema;
  };

  const atom = ({ scalar, list, map }: Atom, relationship?: string): Schema => {
    if (scalar === 'untyped' && (list || map)) {
      return map && (relationship ?? map.elementRelationship) !== 'atomic' ? deduced : { type: 'any' };
    }
    if (list) return listOf(list, relationship);
    if (map) return mapOf(map, relationship);
    if (scalar === 'string' || scalar === 'boolean') return { type: scalar };
    return scalar === 'numeric' ? { type: 'number' } : { type: 'intOrString' };
  };

  const listOf = (list: NonNullable<Atom['list']>, relationship = list.elementRelationship): Schema => ({
    type: 'list',
    items: schemaOf(list.elementType),
    listType: relationship === 'associative' ? (list.keys ? 'map' : 'set') : 'atomic',
    ...(list.keys ? { mapKeys: list.keys } : {}),
  });

  const mapOf = (map: NonNullable<Atom['map']>, relationship = map.elementRelationship): Schema => {
    const mapType = relationship === 'atomic' ? 'atomic' : 'granular';
    if (map.fields === undefined && map.elementType) return { type: 'map', values: schemaOf(map.elementType), mapType };
    const properties = new Map<string, Property>();
    for (const { name, type, default: fallback } of map.fields ?? []) {
      const schema = schemaOf(type);
      properties.set(name, { schema: fallback === undefined ? schema : { ...schema, default: fallback } });
    }
    return { type: 'object', properties, mapType, ...(map.elementType ? { preserveUnknown: true } : {}) };
  };

  return (typeName) => schemaOf({ namedType: typeName });
}
