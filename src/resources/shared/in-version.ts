import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition, StorageForm } from '../../registry/resource-definition.js';
import { LazyProperties } from '../../schema/properties.js';
import type { ObjectSchema, Property, Schema } from '../../schema/schema.js';

/** The properties that may differ in another version of a kind. */
type VersionFacts = Pick<ResourceDefinition, 'version' | 'deprecation' | 'featureGate' | 'servedByDefault'>;

/**
 * Defines a built-in kind in another version of its group with the same fields. `hub` is the kind in its stored version. Both versions
 * share the rules and the stored objects. Only the names of their structs differ.
 */
/* @__NO_SIDE_EFFECTS__ */
export function inVersion<T extends ApiObject>(hub: ResourceDefinition<T>, facts: VersionFacts): ResourceDefinition<T> {
  const { groupStem = '', version: stored } = hub;
  // The conversion does not depend on the type of the objects, so the cast is safe.
  const definition = hub as unknown as ResourceDefinition;
  return Object.freeze({
    ...hub,
    ...facts,
    schema: schemaInVersion(hub.schema, `io.k8s.api.${groupStem.split('.')[0]}.`, stored, facts.version),
    ...(hub.virtual ? {} : { storedAs: { definition, ...sameFields(definition, facts.version) } }),
  });
}

/** Returns the conversion between two versions that differ only in their apiVersion. */
function sameFields({ groupStem = '', version: stored }: ResourceDefinition, version: string): StorageForm {
  return {
    toStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, groupStem)}/${stored}` }),
    fromStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, groupStem)}/${version}` }),
  };
}

/**
 * Returns a schema in which the structs and types of one version of a group are renamed to another version. Nested schemas are created on
 * first use.
 */
function schemaInVersion(whole: ObjectSchema, group: string, from: string, to: string): ObjectSchema {
  const renamedSchemas = new Map<Schema, Schema>();
  const renameSchema = (schema: Schema): Schema => {
    let other = renamedSchemas.get(schema);
    if (!other) renamedSchemas.set(schema, (other = Object.freeze(rename(schema))));
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
        return { ...named, items: renameSchema(named.items) };
      case 'map':
        return { ...named, values: renameSchema(named.values) };
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
            Object.freeze({ ...property, schema: renameSchema(property.schema) }),
          ]),
        ),
    );
  return renameSchema(whole) as ObjectSchema; // Renaming keeps the type of a schema, so the cast is safe.
}
