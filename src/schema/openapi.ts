import type { JsonObject, JsonValue } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { GroupVersionKind } from '../meta/group-version.js';
import { propertiesOf } from './object-meta-schema.js';
import { byName, type Combined, inOrder, junctors, keywords } from './openapi-keywords.js';
import { requiredNames } from './properties.js';
import type { Constraint, IntegerSchema, ObjectSchema, Property, Schema, Union } from './schema.js';

/** A kind, or a struct without a kind, that a document describes. */
export interface OpenApiRoot {
  /** The definition name. Default: the definition name of the schema. */
  readonly name?: string;
  readonly schema: ObjectSchema;
  /** The kinds that the document lists for the schema (`x-kubernetes-group-version-kind`). */
  readonly groupVersionKinds?: readonly GroupVersionKind[];
  /** The fields that field selectors may name (`spec.color`). Default: none are published. */
  readonly selectableFields?: readonly string[];
  /** Whether the document lists the zero values of always serialized fields as defaults. Default: true; custom resources pass false. */
  readonly impliedDefaults?: boolean;
}
export interface OpenApiOptions {
  readonly dialect: Dialect;
  /**
   * The version of OpenAPI. 3 yields components of a document; 2 yields definitions, without the defaults of built-in kinds and without
   * combined schemas (`anyOf`, …). Default: 3.
   */
  readonly version?: 2 | 3;
  /** Whether the allowed values of enumerated fields of built-in kinds are listed. Default: true. */
  readonly enums?: boolean;
}

/** The definitions of types that are not structs. */
const LEAVES: Readonly<Record<string, { readonly v2: JsonObject; readonly v3: JsonObject }>> = {
  Quantity: { v2: { type: 'string' }, v3: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
  IntOrString: {
    v2: { type: 'string', format: 'int-or-string' },
    v3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  Time: { v2: { type: 'string', format: 'date-time' }, v3: { type: 'string', format: 'date-time' } },
  MicroTime: { v2: { type: 'string', format: 'date-time' }, v3: { type: 'string', format: 'date-time' } },
  RawExtension: { v2: { type: 'object' }, v3: { type: 'object' } },
  FieldsV1: { v2: { type: 'object' }, v3: { type: 'object' } },
};

/**
 * Returns the name of a definition as the documents of an API dialect print it: `io.orch.api.core.v1.Secret` in the dialect `orch` (spec
 * 19.23).
 */
export function dialectDefinition(definition: string, { groupSuffix }: Dialect): string {
  const own = 'io.k8s.';
  return definition.startsWith(own)
    ? `${groupSuffix.split('.').reverse().join('.')}.${definition.slice(own.length)}`
    : definition;
}

/** A named schema to which another schema refers. */
export interface SchemaReference {
  /** The name of the schema in OpenAPI documents. */
  readonly name: string;
  readonly schema: Schema;
  /** The `impliedDefaults` of the {@link OpenApiRoot} whose schema refers to this schema, directly or indirectly. */
  readonly impliedDefaults: boolean;
}

/** A named schema of OpenAPI. */
export interface NamedSchema {
  readonly name: string;
  readonly value: JsonObject;
  /** The schemas to which `value` refers, each name once, in the order of the first reference. */
  readonly references: readonly SchemaReference[];
}

/**
 * Returns the OpenAPI schema that describes a kind or struct.
 * @throws TypeError when neither the root nor its schema has a name.
 */
export function describeRoot(root: OpenApiRoot, options: OpenApiOptions): NamedSchema {
  const definition = root.name ?? root.schema.definition;
  if (definition === undefined) throw new TypeError('a schema without a definition name needs a name');
  const writer = new Writer(options);
  const value = writer.root(root);
  return { name: dialectDefinition(definition, options.dialect), value, references: writer.references() };
}

/** Returns the schema to which a reference points. */
export function describeReference(reference: SchemaReference, options: OpenApiOptions): NamedSchema {
  const writer = new Writer(options);
  const value = writer.definition(reference.schema, reference.impliedDefaults);
  return { name: reference.name, value, references: writer.references() };
}

/** Writes one named schema. */
class Writer {
  readonly #references = new Map<string, SchemaReference>();
  readonly #dialect: Dialect;
  readonly #version: 2 | 3;
  readonly #enums: boolean;
  readonly #prefix: string;
  readonly #refPrefix: string;
  /** The unnamed structs that are being written. If such a struct contains itself, the inner occurrence is described as a plain object. */
  readonly #open = new Set<ObjectSchema>();

  constructor({ dialect, version = 3, enums = true }: OpenApiOptions) {
    this.#enums = enums;
    this.#dialect = dialect;
    this.#version = version;
    this.#prefix = dialect.schemaExtensionPrefix;
    this.#refPrefix = version === 3 ? '#/components/schemas/' : '#/definitions/';
  }

  root({ schema, groupVersionKinds, selectableFields = [], impliedDefaults = true }: OpenApiRoot): JsonObject {
    return inOrder({
      // Clients of OpenAPI 2.0 assume that the listed properties are the only ones, so a schema that keeps unknown fields lists none.
      ...(this.#isForgotten(schema, impliedDefaults) ? { type: 'object' } : this.#body(schema, impliedDefaults)),
      ...(groupVersionKinds === undefined
        ? {}
        : {
            [`${this.#prefix}group-version-kind`]: groupVersionKinds.map(({ group, version, kind }) => ({
              group,
              kind,
              version,
            })),
          }),
      ...(selectableFields.length === 0
        ? {}
        : { [`${this.#prefix}selectable-fields`]: selectableFields.map((fieldPath) => ({ fieldPath })) }),
    });
  }

  definition(schema: Schema, implied: boolean): JsonObject {
    const leaf = schema.type === 'object' ? undefined : LEAVES[schema.definition?.split('.').at(-1) ?? ''];
    if (leaf !== undefined) return this.#version === 3 ? leaf.v3 : leaf.v2;
    return this.#body(schema, implied);
  }

  references(): readonly SchemaReference[] {
    return [...this.#references.values()];
  }

  #ref(schema: Schema, own: string, implied: boolean): JsonObject {
    const name = dialectDefinition(own, this.#dialect);
    if (!this.#references.has(name)) this.#references.set(name, { name, schema, impliedDefaults: implied });
    return { $ref: this.#refPrefix + name };
  }

  /**
   * Describes a schema inside another one, either by a reference or in full. `zero` is the zero value that becomes the default if the
   * document implies defaults.
   */
  #inner(schema: Schema, implied: boolean, zero: JsonValue | undefined, isProperty: boolean): JsonObject {
    const value = this.#version === 2 ? undefined : (schema.default ?? (implied ? zero : undefined));
    const shown = value === undefined ? {} : { default: value };
    if (schema.definition === undefined) return inOrder({ ...this.#body(schema, implied), ...shown });
    const ref = this.#ref(schema, schema.definition, implied);
    if (this.#version === 2) return ref;
    // A `$ref` must be the only member of its object. A property has a description and other schemas may have a default, so they need
    // `allOf`.
    return isProperty || value !== undefined ? { ...shown, allOf: [ref] } : ref;
  }

  #property(property: Property, implied: boolean): JsonObject {
    const { schema, description, presence, patchStrategy, patchMergeKey, listType } = property;
    const byValue = presence === 'always' || (presence === 'omitEmpty' && schema.type === 'object');
    return inOrder({
      ...this.#inner(schema, implied, byValue ? impliedDefault(schema) : undefined, true),
      ...(description === undefined ? {} : { description }),
      ...(listType === undefined ? {} : { [`${this.#prefix}list-type`]: listType }),
      // A property may declare a named struct granular although the struct is atomic elsewhere. The document then has `granular` at the
      // property and `atomic` in the struct's definition.
      ...(isGranular(schema) ? { [`${this.#prefix}map-type`]: 'granular' } : {}),
      ...(patchMergeKey === undefined ? {} : { [`${this.#prefix}patch-merge-key`]: patchMergeKey }),
      ...(patchStrategy === undefined ? {} : { [`${this.#prefix}patch-strategy`]: patchStrategy.join(',') }),
    });
  }

  /** Returns whether the schema's type is left out. OpenAPI 2.0 documents publish no type for a nullable part of a custom resource. */
  #isUntyped(schema: Schema, implied: boolean): boolean {
    return this.#version === 2 && !implied && schema.nullable === true;
  }

  /**
   * Returns whether both the fields and the type of a schema are left out. OpenAPI 2.0 documents publish neither for a part of a custom
   * resource that keeps unknown fields.
   */
  #isForgotten(schema: Schema, implied: boolean): boolean {
    return this.#version === 2 && !implied && keepsUnknown(schema);
  }

  #body(schema: Schema, implied: boolean): JsonObject {
    const x = this.#prefix;
    const { description, title, rules } = schema;
    const nullable = schema.nullable === true && this.#version === 3;
    const required = this.#requiredNames(schema, implied);
    return inOrder({
      ...(description === undefined ? {} : { description }),
      ...(title === undefined ? {} : { title }),
      ...(this.#isUntyped(schema, implied) || this.#isForgotten(schema, implied)
        ? withoutType(this.#shape(schema, implied))
        : this.#shape(schema, implied)),
      ...(schema.format === undefined || schema.type === 'integer' ? {} : { format: schema.format }),
      ...(required.length === 0 ? {} : { required }),
      // The type `Schema` has the same names for these keywords as OpenAPI, so the cast is safe.
      ...keywords(schema as Constraint, implied && !this.#enums ? 'enum' : undefined),
      ...(this.#version === 3 ? junctors(isIntOrString(schema) ? withIntOrString(schema) : schema) : {}),
      ...(nullable ? { nullable: true } : {}),
      ...(rules === undefined ? {} : { [`${x}validations`]: rules }),
    });
  }

  /** Returns the names of the required members of an object, in the order in which the definition lists them. */
  #requiredNames(schema: Schema, implied: boolean): readonly string[] {
    if (schema.type === 'object' && this.#open.has(schema)) return [];
    const names = requiredNames(schema);
    const isOpen = this.#isForgotten(schema, implied);
    // In OpenAPI 2.0 a member that may be null has no type, and is not required.
    const typed =
      isOpen || this.#isUntyped(schema, implied)
        ? names
        : names.filter((name) => {
            const member = schema.type === 'map' ? schema.values : memberSchema(schema, name);
            return member === undefined || !this.#isUntyped(member, implied);
          });
    if (schema.type !== 'object' || schema.embeddedResource !== true || isOpen) return typed;
    return [...typed, ...['kind', 'apiVersion'].filter((name) => !typed.includes(name))];
  }

  /** Returns the published properties. A schema without a type publishes only those that every embedded object has. */
  #shownProperties(schema: ObjectSchema, implied: boolean): Iterable<readonly [string, Property]> {
    if (this.#isForgotten(schema, implied)) return [];
    return propertiesOf(this.#isUntyped(schema, implied) ? { ...schema, properties: new Map() } : schema);
  }

  #unknownFields(schema: Schema): JsonObject {
    return keepsUnknown(schema) ? { [`${this.#prefix}preserve-unknown-fields`]: true } : {};
  }

  #shape(schema: Schema, implied: boolean): JsonObject {
    const x = this.#prefix;
    switch (schema.type) {
      case 'object': {
        if (this.#open.has(schema)) return { type: 'object', [`${x}preserve-unknown-fields`]: true };
        this.#open.add(schema);
        const properties: Record<string, JsonObject> = {};
        for (const [name, property] of [...this.#shownProperties(schema, implied)].sort(byName)) {
          if (property.aliasOf !== undefined) continue;
          Object.defineProperty(properties, name, {
            value: this.#property(property, implied),
            enumerable: true,
            configurable: true,
            writable: true,
          });
        }
        this.#open.delete(schema);
        return {
          ...(schema.declaredType === undefined ? { type: 'object' } : {}),
          ...(Object.keys(properties).length === 0 ? {} : { properties }),
          ...(schema.mapType === undefined
            ? {}
            : { [`${x}map-type`]: implied && isGranular(schema) ? 'atomic' : schema.mapType }),
          ...(schema.declaredType === 'intOrString' ? { [`${x}int-or-string`]: true } : {}),
          ...(schema.additional === undefined ? {} : { additionalProperties: schema.additional }),
          ...this.#unknownFields(schema),
          ...(schema.union === undefined ? {} : { [`${x}unions`]: [unionOf(schema.union)] }),
          ...(schema.embeddedResource === true ? { [`${x}embedded-resource`]: true } : {}),
        };
      }
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#inner(schema.values, implied, impliedDefault(schema.values), false),
          ...(schema.mapType === undefined ? {} : { [`${x}map-type`]: schema.mapType }),
          ...this.#unknownFields(schema),
        };
      case 'list':
        return {
          type: 'array',
          items: this.#inner(schema.items, implied, impliedDefault(schema.items), false),
          ...(schema.mapKeys === undefined ? {} : { [`${x}list-map-keys`]: schema.mapKeys }),
          ...(schema.listType === undefined ? {} : { [`${x}list-type`]: schema.listType }),
          ...this.#unknownFields(schema),
        };
      case 'string':
        return {
          type: 'string',
          ...(schema.listType === undefined ? {} : { [`${x}list-type`]: schema.listType }),
        };
      case 'integer':
        return { type: 'integer', ...published(schema) };
      case 'number':
        return { type: 'number' };
      case 'boolean':
        return { type: 'boolean' };
      case 'intOrString':
        return {
          ...(schema.declaredType === undefined ? {} : { type: schema.declaredType }),
          [`${x}int-or-string`]: true,
        };
      default:
        return schema.definition === undefined ? { [`${x}preserve-unknown-fields`]: true } : {};
    }
  }
}

function published({ format, plain, otherFormat }: IntegerSchema): JsonObject {
  if (plain !== true) return { format };
  return otherFormat === undefined ? {} : { format: otherFormat };
}

const memberSchema = (schema: Schema, name: string): Schema | undefined =>
  schema.type === 'object' ? schema.properties.get(name)?.schema : undefined;

/** Returns whether a schema is declared to keep unknown fields with everything in them. */
const keepsUnknown = (schema: Schema): boolean =>
  (schema.type === 'object' || schema.type === 'map' || schema.type === 'list') &&
  schema.preserveUnknown === true &&
  !(schema.type === 'object' && schema.additional !== undefined && schema.declaresUnknown !== true);

const INT_OR_STRING: Combined = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
const namesBoth = ([first, second, ...others]: readonly Constraint[] = []): boolean =>
  first?.type === 'integer' && second?.type === 'string' && others.length === 0;

/** Returns whether a schema, or the declared schema of a kind, is that of an integer or a string. */
const isIntOrString = (schema: Schema): boolean =>
  schema.type === 'intOrString' || (schema.type === 'object' && schema.declaredType === 'intOrString');

/** Returns the combined schemas of a value that is an integer or a string. They name both types once, unless the definition does. */
function withIntOrString({ anyOf, allOf = [], ...others }: Combined): Combined {
  if (namesBoth(anyOf) || namesBoth(allOf[0]?.anyOf))
    return { ...others, ...(anyOf && { anyOf }), ...(allOf.length > 0 && { allOf }) };
  if (anyOf !== undefined) return { ...others, anyOf, allOf: [INT_OR_STRING, ...allOf] };
  return { ...others, ...INT_OR_STRING, ...(allOf.length > 0 && { allOf }) };
}

/** Drops the type, and the items, which are meaningless without a type. */
const withoutType = ({ type: _type, items: _items, ...rest }: JsonObject): JsonObject => rest;

/** Returns a union as OpenAPI declares it. The discriminator value of a field is the field's name with a capital letter. */
function unionOf({ discriminator, fields }: Union): JsonObject {
  const named = fields.map((field) => [field, `${field.charAt(0).toUpperCase()}${field.slice(1)}`]);
  return { discriminator, 'fields-to-discriminateBy': Object.fromEntries(named) };
}

/** Returns the default that upstream publishes for a field that is always serialized. */
function impliedDefault(schema: Schema): JsonValue | undefined {
  switch (schema.type) {
    case 'object':
      return {};
    case 'string':
      return schema.definition === undefined && schema.format !== 'byte' ? '' : undefined;
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return undefined;
  }
}

/** Returns whether a property's schema is a named struct that the property declares granular, whatever the struct itself declares. */
const isGranular = (schema: Schema): boolean =>
  schema.type === 'object' && schema.definition !== undefined && schema.mapType === 'granular';
