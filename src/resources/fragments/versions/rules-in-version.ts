import { groupOf } from '../../../meta/dialect.js';
import type { ApiObject } from '../../../meta/object-meta.js';
import type { KindRules } from '../../../registry/built-in-kind.js';
import type { ResourceDefinition, StorageForm } from '../../../registry/resource-definition.js';
import { LazyProperties } from '../../../schema/properties.js';
import type { ObjectSchema, Property, Schema } from '../../../schema/schema.js';

/** Returns the rules of a kind with its structs renamed to another version of its group. */
export function rulesInVersion<T extends ApiObject>(
  rules: KindRules<T>,
  hub: ResourceDefinition,
  version: string,
): KindRules<T> {
  const { groupStem = '' } = hub;
  const whole = rules.schema as unknown as ObjectSchema; // the schema of a kind is an object schema
  const schema = schemaInVersion(whole, `io.k8s.api.${groupStem.split('.')[0]}.`, hub.version, version);
  return {
    ...rules,
    schema: schema as unknown as KindRules<T>['schema'], // renaming keeps the type
    ...(rules.virtual ? {} : { storedAs: sameFields(hub, version) }),
  };
}

/** Returns the conversion between two versions that differ only in their apiVersion. */
function sameFields({ groupStem = '', version: stored }: ResourceDefinition, version: string): StorageForm {
  return {
    toStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, groupStem)}/${stored}` }),
    fromStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, groupStem)}/${version}` }),
  };
}

/** Returns a schema with the structs and types of one version of a group renamed to another. Its parts are made on first use. */
function schemaInVersion(whole: ObjectSchema, group: string, from: string, to: string): ObjectSchema {
  const made = new Map<Schema, Schema>();
  const renamed = (schema: Schema): Schema => {
    let other = made.get(schema);
    if (!other) made.set(schema, (other = Object.freeze(rename(schema))));
    return other;
  };
  const rename = (schema: Schema): Schema => {
    const { definition, typeName } = schema;
    // Structs of other groups have the same names in all versions.
    if (definition !== undefined && !definition.startsWith(`${group}${from}.`)) return schema;
    const named = {
      ...schema,
      ...(definition === undefined
        ? {}
        : { definition: `${group}${to}${definition.slice(group.length + from.length)}` }),
      ...(typeName?.startsWith(`${from}.`) ? { typeName: `${to}${typeName.slice(from.length)}` } : {}),
    };
    switch (named.type) {
      case 'list':
        return { ...named, items: renamed(named.items) };
      case 'map':
        return { ...named, values: renamed(named.values) };
      case 'object':
        return { ...named, properties: renamedProperties(named.properties) };
      default:
        return named;
    }
  };
  const renamedProperties = (properties: ReadonlyMap<string, Property>) =>
    new LazyProperties(
      () =>
        new Map(
          [...properties].map(([name, property]) => [
            name,
            Object.freeze({ ...property, schema: renamed(property.schema) }),
          ]),
        ),
    );
  return renamed(whole) as ObjectSchema; // renaming keeps the type
}
