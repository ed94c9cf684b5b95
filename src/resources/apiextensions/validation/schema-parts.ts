import type { StoredExpressions } from '../../../cel/rules.js';
import { extension } from '../../../schema/extensions.js';
import type { SchemaBelow } from '../../../schema/field-path.js';
import { isRecord } from '../../../schema/json-objects.js';
import type { CustomResourceDefinitionVersion as CrdVersion } from '../apiextensions-v1.types.js';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.js';

type Members = Readonly<Record<string, unknown>>;

/** Returns the value of a schema extension, whichever of the accepted prefixes it has. */
const read = (schema: JSONSchemaProps, name: string): unknown => extension(schema as unknown as Members, name);

// Decoding has checked the types of the members that the following functions read, so their casts are safe.
export const isEmbedded = (schema: JSONSchemaProps): boolean => read(schema, 'embedded-resource') === true;
export const isIntOrString = (schema: JSONSchemaProps): boolean => read(schema, 'int-or-string') === true;
export const preserves = (schema: JSONSchemaProps): boolean | undefined =>
  read(schema, 'preserve-unknown-fields') as boolean | undefined;
export const listTypeOf = (schema: JSONSchemaProps): string | undefined =>
  read(schema, 'list-type') as string | undefined;
export const mapTypeOf = (schema: JSONSchemaProps): string | undefined =>
  read(schema, 'map-type') as string | undefined;
export const mapKeysOf = (schema: JSONSchemaProps): readonly string[] =>
  (read(schema, 'list-map-keys') as readonly string[] | undefined) ?? [];
export const rulesOf = (schema: JSONSchemaProps): readonly ValidationRule[] =>
  (read(schema, 'validations') as readonly ValidationRule[] | undefined) ?? [];

/** Returns the rules and the message expressions in the schemas of all versions of a definition. */
export function expressionsIn(versions: readonly CrdVersion[]): StoredExpressions {
  const [rules, messageExpressions] = [new Set<string>(), new Set<string>()];
  for (const { schema } of versions)
    for (const each of schemasIn(schema?.openAPIV3Schema ?? {}))
      for (const { rule, messageExpression } of rulesOf(each)) {
        rules.add(rule);
        if (messageExpression !== undefined) messageExpressions.add(messageExpression);
      }
  return { rules, messageExpressions };
}

/** Returns the schema of the items, if it is a single schema. */
export function itemsOf({ items }: JSONSchemaProps): JSONSchemaProps | undefined {
  return isSchema(items) ? items : undefined;
}
/** Returns the schema of a map's values, if there is one. */
export function valuesOf({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined {
  return isSchema(additionalProperties) ? additionalProperties : undefined;
}
export const isSchema = (value: unknown): value is JSONSchemaProps => isRecord(value);

/** Returns the properties of a schema as pairs of name and schema, in order. */
export const propertiesOf = ({ properties = {} }: JSONSchemaProps): readonly (readonly [string, JSONSchemaProps])[] =>
  Object.entries(properties);

/** Returns the schemas of the members of an object or map, for resolving field paths. */
export const belowProps: SchemaBelow<JSONSchemaProps> = (schema) => {
  const { properties = {} } = schema;
  if (Object.keys(properties).length > 0)
    return { property: (name) => (Object.hasOwn(properties, name) ? properties[name] : undefined) };
  // A map whose values have no schema has keys, but nothing below them.
  return schema.additionalProperties === undefined ? undefined : { values: valuesOf(schema) ?? {} };
};

/** Iterates over a schema and all schemas in it, starting with itself. */
export function* schemasIn(schema: JSONSchemaProps): Iterable<JSONSchemaProps> {
  const waiting: JSONSchemaProps[] = [schema];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    yield at;
    addInner(at, waiting);
  }
}

function addInner(schema: JSONSchemaProps, into: JSONSchemaProps[]): void {
  for (const name of Object.keys(schema)) {
    const member = (schema as unknown as Members)[name];
    if (typeof member !== 'object' || member === null) continue;
    const isMap = MAPS.has(name);
    if (!isMap && !PARTS.has(name)) continue;
    if (!isMap && !Array.isArray(member)) into.push(member as JSONSchemaProps);
    else for (const each of Object.values(member)) if (isSchema(each)) into.push(each);
  }
}
/** Keywords whose values are schemas or lists of schemas. */
const PARTS = new Set(['not', 'additionalItems', 'additionalProperties', 'items', 'allOf', 'anyOf', 'oneOf']);
const MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);
