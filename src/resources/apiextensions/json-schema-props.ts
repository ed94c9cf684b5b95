import type { JsonValue } from '../../json/value.js';
import {
  any,
  boolean,
  double,
  type Fields,
  int64,
  listAtomic,
  listMap,
  map,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  structSchema,
  type Typed,
} from '../../schema/authoring.js';
import type { Variant } from '../../schema/schema.js';

const text = string();
const flag = boolean();
const long = int64();

const NAMES = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const extensionsName = (name: string): string => `${NAMES}.${name}`;

/** A CEL rule that the value of a schema must satisfy. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Extensions to JSON Schema. In a schema, each name has the prefix of the API dialect: `x-kubernetes-list-type`. */
interface SchemaExtensions {
  readonly 'preserve-unknown-fields'?: boolean;
  readonly 'embedded-resource'?: boolean;
  readonly 'int-or-string'?: boolean;
  readonly 'list-map-keys'?: readonly string[];
  readonly 'list-type'?: string;
  readonly 'map-type'?: string;
  readonly validations?: readonly ValidationRule[];
}
type Prefixed<P extends string> = { readonly [K in keyof SchemaExtensions as `${P}${K}`]: SchemaExtensions[K] };
type Schemas = { readonly [name: string]: JSONSchemaProps };

/** A schema in a custom resource definition: JSON Schema, draft 4, without the keywords that the API refuses. */
export interface JSONSchemaProps extends Prefixed<'x-kubernetes-'>, Prefixed<'x-orch-'> {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: JsonValue;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly JsonValue[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: JSONSchemaProps | readonly JSONSchemaProps[];
  readonly allOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly properties?: Schemas;
  readonly additionalProperties?: JSONSchemaProps | boolean;
  readonly patternProperties?: Schemas;
  readonly dependencies?: { readonly [name: string]: JSONSchemaProps | readonly string[] };
  readonly additionalItems?: JSONSchemaProps | boolean;
  readonly definitions?: Schemas;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly example?: JsonValue;
  readonly nullable?: boolean;
}

const json = any({ definition: extensionsName('JSON') });

const externalDocumentation = struct(extensionsName('ExternalDocumentation'), 'An external document.', () => ({
  description: omitEmpty(text, 1, 'The description of the document.'),
  url: omitEmpty(text, 2, 'The URL of the document.'),
}));

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const validationRule = struct(extensionsName('ValidationRule'), 'A validation rule in CEL.', () => ({
  rule: required(
    text,
    1,
    'The expression, with the variables self and, in updates, oldSelf; true if the value is valid.',
  ),
  message: omitEmpty(text, 2, 'The message if the value is invalid.'),
  messageExpression: omitEmpty(text, 3, 'An expression for the message; takes precedence over message.'),
  reason: omitNull(
    string({ typeName: 'v1.FieldValueErrorReason', enum: REASONS }),
    4,
    `The reason of the refusal: one of ${REASONS.join(', ')}. Default FieldValueInvalid.`,
  ),
  fieldPath: omitEmpty(text, 5, 'The path of the invalid field, relative to the rule.'),
  optionalOldSelf: omitNull(flag, 6, 'Whether oldSelf is an optional, so that the rule also applies to new values.'),
}));

/**
 * Returns the schema of JSONSchemaProps, the type of the schemas in custom resource definitions.
 * @param prefix the prefix of extensions. Extensions with a prefix in `accepted` are read as well, and get this prefix.
 */
export function jsonSchemaProps(prefix: string, accepted: readonly string[] = []): Typed<JSONSchemaProps> {
  const own: Variant = { number: 1, schema: () => structSchema(schema) };
  const orBool = any({
    definition: extensionsName('JSONSchemaPropsOrBool'),
    variants: { object: { ...own, number: 2 }, boolean: 1, otherwise: 'boolean or JSON schema expected' },
  });
  const orArray = any({
    definition: extensionsName('JSONSchemaPropsOrArray'),
    variants: { object: own, list: { ...own, number: 2 } },
  });
  const orStrings = any({
    definition: extensionsName('JSONSchemaPropsOrStringArray'),
    variants: { object: own, list: { number: 2, schema: () => ({ type: 'string' }) } },
  });
  const schema: Typed<JSONSchemaProps> = struct(
    extensionsName('JSONSchemaProps'),
    'A schema: JSON Schema, draft 4, and extensions.',
    (): Fields => ({
      id: omitEmpty(text, 1, 'Not supported.'),
      $schema: omitEmpty(string({ typeName: 'v1.JSONSchemaURL' }), 2, 'The language of the schema.'),
      $ref: omitNull(text, 3, 'Not supported.'),
      description: omitEmpty(text, 4, 'The purpose of the value.'),
      type: omitEmpty(text, 5, 'The JSON type.'),
      format: omitEmpty(text, 6, 'The format of a string or number.'),
      title: omitEmpty(text, 7, 'The title of the schema.'),
      default: omitNull(json, 8, 'The value of an absent field.'),
      maximum: omitNull(double(), 9, 'The maximum of a number.'),
      exclusiveMaximum: omitEmpty(flag, 10, 'Whether the number must be less than the maximum.'),
      minimum: omitNull(double(), 11, 'The minimum of a number.'),
      exclusiveMinimum: omitEmpty(flag, 12, 'Whether the number must be greater than the minimum.'),
      maxLength: omitNull(long, 13, 'The maximum number of characters.'),
      minLength: omitNull(long, 14, 'The minimum number of characters.'),
      pattern: omitEmpty(text, 15, 'A regular expression that must match a part of the string.'),
      maxItems: omitNull(long, 16, 'The maximum number of items.'),
      minItems: omitNull(long, 17, 'The minimum number of items.'),
      uniqueItems: omitEmpty(flag, 18, 'Not supported.'),
      multipleOf: omitNull(double(), 19, 'A number of which the value must be a multiple.'),
      enum: omitEmpty(listAtomic(json), 20, 'The allowed values.'),
      maxProperties: omitNull(long, 21, 'The maximum number of properties.'),
      minProperties: omitNull(long, 22, 'The minimum number of properties.'),
      required: omitEmpty(listAtomic(text), 23, 'The required properties.'),
      items: omitNull(orArray, 24, 'The schema of the items.'),
      allOf: omitEmpty(listAtomic(schema), 25, 'Schemas, all of which must match.'),
      oneOf: omitEmpty(listAtomic(schema), 26, 'Schemas, exactly one of which must match.'),
      anyOf: omitEmpty(listAtomic(schema), 27, 'Schemas, at least one of which must match.'),
      not: omitNull(schema, 28, 'A schema that must not match.'),
      properties: omitEmpty(map(schema), 29, 'The properties of an object.'),
      additionalProperties: omitNull(orBool, 30, 'The schema of the values of a map.'),
      patternProperties: omitEmpty(map(schema), 31, 'Not supported.'),
      dependencies: omitEmpty(map(orStrings, { typeName: 'v1.JSONSchemaDependencies' }), 32, 'Not supported.'),
      additionalItems: omitNull(orBool, 33, 'Not supported.'),
      definitions: omitEmpty(map(schema, { typeName: 'v1.JSONSchemaDefinitions' }), 34, 'Not supported.'),
      externalDocs: omitNull(externalDocumentation, 35, 'An external document.'),
      example: omitNull(json, 36, 'An example of a value.'),
      nullable: omitEmpty(flag, 37, 'Whether null is allowed.'),
      ...extensionFields(prefix),
      ...Object.assign({}, ...accepted.filter((other) => other !== prefix).map((other) => aliases(other, prefix))),
    }),
  ) as Typed<JSONSchemaProps>; // `JSONSchemaProps` declares the same fields, so the cast is safe.
  return schema;
}

function extensionFields(prefix: string): Fields {
  const rules = listMap(validationRule, ['rule'], { typeName: 'v1.ValidationRules' });
  return {
    [`${prefix}preserve-unknown-fields`]: omitNull(flag, 38, 'Whether unknown fields are kept.'),
    [`${prefix}embedded-resource`]: omitEmpty(
      flag,
      39,
      'Whether the value is an object with apiVersion, kind and metadata.',
    ),
    [`${prefix}int-or-string`]: omitEmpty(flag, 40, 'Whether the value is an integer or a string.'),
    [`${prefix}list-map-keys`]: omitEmpty(
      listAtomic(text),
      41,
      'The fields that identify the items of a list of type map.',
    ),
    [`${prefix}list-type`]: omitNull(text, 42, 'The merge strategy of a list: atomic, set or map.'),
    [`${prefix}map-type`]: omitNull(text, 43, 'The merge strategy of an object: atomic or granular.'),
    [`${prefix}validations`]: omitEmpty(rules, 44, 'Validation rules in CEL.', {
      patchStrategy: ['merge'],
      patchMergeKey: 'rule',
    }),
  };
}

/** Returns the fields for the schema extensions with another accepted prefix, as aliases of those with `prefix`. */
function aliases(accepted: string, prefix: string): Fields {
  const fields = Object.entries(extensionFields(accepted)).map(
    ([name, { number: _none, ...field }]: [string, object & { number?: unknown }]) => [
      name,
      Object.freeze({ ...field, aliasOf: prefix + name.slice(accepted.length) }),
    ],
  );
  return Object.fromEntries(fields) as Fields; // An alias lacks only the field number, so the cast is safe.
}
