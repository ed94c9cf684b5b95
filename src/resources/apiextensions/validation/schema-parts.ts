import type { StoredExpressions } from '../../../cel/rules.js';
import { isJsonObject } from '../../../json/value.js';
import { extension } from '../../../schema/extensions.js';
import type { SchemaBelow } from '../../../schema/field-path.js';
import type { CustomResourceDefinitionVersion as CrdVersion } from '../apiextensions-v1.types.js';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.js';

type Members = Readonly<Record<string, unknown>>;

/** The members of a schema that the validation reads often. Schema extensions are read whichever of the accepted prefixes they have. */
export interface SchemaParts {
  /** The type; '' if there is none. */
  readonly type: string;
  /** The properties as pairs of name and schema, in order. */
  readonly properties: readonly (readonly [string, JSONSchemaProps])[];
  /** The schema of the items, if it is a single schema. */
  readonly items: JSONSchemaProps | undefined;
  /** The schema of a map's values, if there is one. */
  readonly values: JSONSchemaProps | undefined;
  readonly isEmbedded: boolean;
  readonly isIntOrString: boolean;
  readonly preserves: boolean | undefined;
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly mapKeys: readonly string[];
  readonly rules: readonly ValidationRule[];
}

/** Returns the {@link SchemaParts} of a schema. */
export function partsOf(schema: JSONSchemaProps): SchemaParts {
  const { type = '', properties = {}, items, additionalProperties } = schema;
  const members = schema as unknown as Members;
  // Decoding has checked the types of the extensions, so the casts are safe.
  return {
    type,
    properties: Object.entries(properties),
    items: isSchema(items) ? items : undefined,
    values: isSchema(additionalProperties) ? additionalProperties : undefined,
    isEmbedded: extension(members, 'embedded-resource') === true,
    isIntOrString: extension(members, 'int-or-string') === true,
    preserves: extension(members, 'preserve-unknown-fields') as boolean | undefined,
    listType: extension(members, 'list-type') as string | undefined,
    mapType: extension(members, 'map-type') as string | undefined,
    mapKeys: (extension(members, 'list-map-keys') as readonly string[] | undefined) ?? [],
    rules: rulesOf(schema),
  };
}

/** Returns the rules of a schema. */
export function rulesOf(schema: JSONSchemaProps): readonly ValidationRule[] {
  return (extension(schema as unknown as Members, 'validations') as readonly ValidationRule[] | undefined) ?? [];
}

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

export const isSchema = isJsonObject as (value: unknown) => value is JSONSchemaProps;

/** Returns the schemas of the members of an object or map, for resolving field paths. */
export const belowProps: SchemaBelow<JSONSchemaProps> = (schema) => {
  const { properties = {} } = schema;
  if (Object.keys(properties).length > 0)
    return { property: (name) => (Object.hasOwn(properties, name) ? properties[name] : undefined) };
  // A map whose values have no schema has keys, but nothing below them.
  const { additionalProperties: values } = schema;
  return values === undefined ? undefined : { values: isSchema(values) ? values : {} };
};

/** Iterates over a schema and all schemas in it, starting with itself. */
export function* schemasIn(schema: JSONSchemaProps): Iterable<JSONSchemaProps> {
  const waiting: JSONSchemaProps[] = [schema];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    yield at;
    for (const name of Object.keys(at)) {
      const member = (at as unknown as Members)[name];
      if (typeof member !== 'object' || member === null) continue;
      const isMap = MAPS.has(name);
      if (!isMap && !PARTS.has(name)) continue;
      if (!isMap && !Array.isArray(member)) waiting.push(member as JSONSchemaProps);
      else for (const each of Object.values(member)) if (isSchema(each)) waiting.push(each);
    }
  }
}
/** Keywords whose values are schemas or lists of schemas. */
const PARTS = new Set(['not', 'additionalItems', 'additionalProperties', 'items', 'allOf', 'anyOf', 'oneOf']);
const MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

/** What the schemas in a schema contain, as a whole. */
export interface SchemaOverview {
  /** The first keyword that structural schemas do not support. The other members are incomplete if there is one. */
  readonly unsupported?: string;
  readonly hasPatterns: boolean;
  readonly hasRules: boolean;
  readonly hasDefaults: boolean;
}

/** Returns the {@link SchemaOverview} of a schema. A schema with an unsupported keyword is refused without further checks (spec 21.2). */
export function overviewOf(schema: JSONSchemaProps): SchemaOverview {
  let hasPatterns = false;
  let hasRules = false;
  let hasDefaults = false;
  for (const at of schemasIn(schema)) {
    hasPatterns ||= (at.pattern ?? '') !== '';
    hasRules ||= rulesOf(at).length > 0;
    hasDefaults ||= at.default !== undefined;
    const unsupported = unsupportedIn(at);
    if (unsupported !== undefined) return { unsupported, hasPatterns, hasRules, hasDefaults };
  }
  return { hasPatterns, hasRules, hasDefaults };
}

function unsupportedIn(schema: JSONSchemaProps): string | undefined {
  const { id = '', $schema = '', $ref = '', additionalItems, items } = schema;
  if (id !== '') return 'id';
  if ($schema !== '') return 'schema';
  if ($ref !== '') return '$ref';
  if (additionalItems !== undefined) return 'additionalItems';
  if (Array.isArray(items) && items.length > 0) return 'items';
  for (const name of ['patternProperties', 'definitions', 'dependencies'] as const)
    if (Object.keys(schema[name] ?? {}).length > 0) return name;
  return extension(schema as unknown as Members, 'preserve-unknown-fields') === false
    ? 'preserve-unknown-fields'
    : undefined;
}
