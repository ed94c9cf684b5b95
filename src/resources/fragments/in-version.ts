import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition, StoredAs } from '../../registry/resource-definition.js';
import { LazyProperties } from '../../schema/lazy-properties.js';
import type { ObjectSchema, Property, Schema } from '../../schema/schema.js';

/** What another version of a kind may say otherwise. */
type VersionFacts = Pick<ResourceDefinition, 'deprecation' | 'featureGate' | 'servedByDefault'>;

/**
 * A built-in kind in another version of its group that has the same fields: the same rules, the same stored objects, the names of its
 * structs those of the version.
 */
/* @__NO_SIDE_EFFECTS__ */
export function inVersion<T extends ApiObject>(
  hub: ResourceDefinition<T>,
  version: string,
  facts: VersionFacts,
): ResourceDefinition<T> {
  const { groupStem = '', schema, virtual } = hub;
  const definition: ResourceDefinition<T> = {
    ...hub,
    ...facts,
    version,
    schema: schemaInVersion(schema, `io.k8s.api.${groupStem.split('.')[0]}.`, hub.version, version),
    ...(virtual ? {} : { storedAs: sameFields(hub as unknown as ResourceDefinition, version) }), // of objects of its kind
  };
  return Object.freeze(definition);
}

/** Objects of two versions that differ in what they call themselves. */
function sameFields(hub: ResourceDefinition, version: string): StoredAs {
  const { groupStem = '' } = hub;
  return {
    definition: hub,
    toStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, groupStem)}/${hub.version}` }),
    fromStorage: (object, dialect) => ({ ...object, apiVersion: `${groupOf(dialect, groupStem)}/${version}` }),
  };
}

/** The schema with the structs and types of one version of a group named as those of another; made when it is asked for. */
function schemaInVersion(whole: ObjectSchema, group: string, from: string, to: string): ObjectSchema {
  const made = new Map<Schema, Schema>();
  const renamed = (schema: Schema): Schema => {
    let other = made.get(schema);
    if (!other) made.set(schema, (other = Object.freeze(rename(schema))));
    return other;
  };
  const rename = (schema: Schema): Schema => {
    const { definition, typeName } = schema;
    // Structs of other groups are the same in all versions.
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
