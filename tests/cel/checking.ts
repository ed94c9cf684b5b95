import { type Field, type FieldSource, type ObjectType, objectType, type Type } from 'orch-apiserver/cel';

/** Returns an object type with the given fields. */
export function testObject(name: string, types: () => Readonly<Record<string, Type>>): ObjectType {
  const fields: FieldSource = {
    get(field): Field | undefined {
      const type = types()[field];
      return type === undefined ? undefined : { type, property: field };
    },
    names: () => Object.keys(types()),
  };
  return objectType(name, fields);
}
