import type { JsonValue } from '../json/value.js';

/**
 * The structural description of a kind. Decoding, unknown-field detection, pruning, defaulting, validation, field ownership, strategic
 * merge, OpenAPI and CEL types are all derived from it. It is plain, frozen data.
 */
export type Schema =
  | ObjectSchema
  | MapSchema
  | ListSchema
  | StringSchema
  | IntegerSchema
  | NumberSchema
  | BooleanSchema
  | IntOrStringSchema
  | AnySchema;

interface Common extends Junctors {
  readonly description?: string;
  /** The title that a custom resource definition gives the value; published in OpenAPI only. */
  readonly title?: string;
  /** Name in OpenAPI, e.g. `io.k8s.api.core.v1.ObjectReference`. Decoding errors print the last two parts of a struct's name. */
  readonly definition?: string;
  /** The value that is filled in when the field is absent. */
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  /** The format. Formats of other types than numbers and strings are only published in OpenAPI. */
  readonly format?: string;
  /** Type name in decoding errors, if it is not the built-in Go type, e.g. `v1.SecretType`. */
  readonly typeName?: string;
  /** CEL validation rules (`x-...-validations`) as they were sent. */
  readonly rules?: readonly JsonValue[];
  /**
   * The members that a custom resource definition requires of an object, in its order. Some may not be among the properties. Schemas without
   * this list mark their required properties instead ({@link Property.required}).
   */
  readonly required?: readonly string[];
}

/** Combined validations (`allOf`, …). They restrict values but do not define structure (spec 21.2). */
interface Junctors {
  readonly allOf?: readonly Constraint[];
  readonly anyOf?: readonly Constraint[];
  readonly oneOf?: readonly Constraint[];
  readonly not?: Constraint;
}

/** The validations of a value that do not depend on its declared type. */
export interface Constraint extends Junctors {
  /** Present only in the two `anyOf` entries (`integer` and `string`) that a CustomResourceDefinition may have for an int-or-string. */
  readonly type?: 'integer' | 'string';
  readonly enum?: readonly JsonValue[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: ReadonlyMap<string, Constraint>;
  readonly items?: Constraint;
  /** The constraint of properties that are not in `properties`. */
  readonly values?: Constraint;
  /** False if properties that are not in `properties` are forbidden. */
  readonly additional?: boolean;
}

/** A union of fields. The value of the discriminator field names the field that is set. */
export interface Union {
  readonly discriminator: string;
  readonly fields: readonly string[];
}

/** A struct: known properties, in the order in which upstream serializes them. */
export interface ObjectSchema extends Common {
  readonly type: 'object';
  /** The fields, by name. */
  readonly properties: ReadonlyMap<string, Property>;
  /** Whether unknown properties are kept and not reported. */
  readonly preserveUnknown?: boolean;
  /** Present if a custom resource definition declares properties, but not the type object. `any`: it declares no type. */
  readonly declaredType?: 'any' | 'intOrString';
  /**
   * Whether a schema around this one preserves unknown fields. An apply may then contain unknown properties of this struct, too, although
   * pruning removes them.
   */
  readonly insidePreserved?: true;
  /**
   * The boolean `additionalProperties` of a custom resource definition. With either value, unknown properties are kept (`preserveUnknown`),
   * but the fields of objects in them are not. With false, validation then refuses the unknown properties.
   */
  readonly additional?: boolean;
  /** Present beside `additional` if the definition also has `x-kubernetes-preserve-unknown-fields`; published in OpenAPI only. */
  readonly declaresUnknown?: true;
  /** `atomic`: the struct is owned and merged as a whole. Default: granular. */
  readonly mapType?: 'granular' | 'atomic';
  /** The union that the fields form; published in OpenAPI only. */
  readonly union?: Union;
  /** Whether this is a whole embedded object: `apiVersion`, `kind` and `metadata` are known without being declared. */
  readonly embeddedResource?: boolean;
  /** The minimum number of members of a value. Default: no minimum. */
  readonly minProperties?: number;
  /** The maximum number of members of a value. Default: no maximum. */
  readonly maxProperties?: number;
}

export interface Property {
  readonly schema: Schema;
  /** The purpose of the property; the schema's own description explains the type. */
  readonly description?: string;
  readonly required?: boolean;
  /**
   * How an empty value is serialized:
   * - `omitEmpty`: null, "", 0, false, {} and [] are left out;
   * - `omitNull`: only null is left out (a pointer upstream);
   * - `orNull`: an absent value becomes null (a pointer without `omitempty`);
   * - `always`: an absent value becomes its zero value ("", 0, false, null for lists, maps and times, the zero struct);
   * - `asGiven` (default): the value stays as the client sent it.
   */
  readonly presence?: 'omitEmpty' | 'omitNull' | 'orNull' | 'always' | 'asGiven';
  /**
   * The strategy of strategic merge patches: `merge` merges lists by `patchMergeKey` (objects) or by value; `retainKeys` allows the
   * `$retainKeys` directive for objects.
   */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** A list type that OpenAPI publishes although the property is not a list. */
  readonly listType?: 'atomic';
  /** The field number of the property in protobuf; absent when it has none. */
  readonly number?: ProtobufNumber;
  /**
   * The name of another property of which this one is a second spelling (`x-kubernetes-…` beside `x-orch-…`). Decoding accepts both
   * spellings, and returns the value under the name of the other property. OpenAPI publishes only the other one.
   */
  readonly aliasOf?: string;
}

/**
 * The protobuf number of a field. If the field is in a nested message whose fields are members of the parent in JSON, the number is a list:
 * the numbers of the messages, then the number of the field.
 */
export type ProtobufNumber = number | readonly [number, number, ...number[]];

/** An object with arbitrary keys whose values all have the same schema. */
export interface MapSchema extends Common {
  readonly type: 'map';
  readonly values: Schema;
  /** Present if a definition has `x-kubernetes-preserve-unknown-fields` on the map. As in upstream, its values are still pruned. */
  readonly preserveUnknown?: true;
  readonly mapType?: 'granular' | 'atomic';
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface ListSchema extends Common {
  readonly type: 'list';
  readonly items: Schema;
  /** Present if a definition has `x-kubernetes-preserve-unknown-fields` on the list. As in upstream, its items are still pruned. */
  readonly preserveUnknown?: true;
  /** How the list is owned and merged. Default: atomic. The items of a `map` list are identified by `mapKeys`. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  /** Whether the list is a message of its own in protobuf, so that an empty list differs from an absent one. */
  readonly ownMessage?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/**
 * A string. Four formats affect decoding: `date-time` (whole seconds on output), `micro-time` (six digits), `byte` (base64) and `quantity`.
 * All other formats are only published in OpenAPI or checked in validation.
 */
export interface StringSchema extends Common {
  readonly type: 'string';
  readonly format?: string;
  readonly enum?: readonly string[];
  /** A pattern that may come from an API object, so it is matched in linear time. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Present for bytes that upstream declares as an atomic list; published in OpenAPI only. */
  readonly listType?: 'atomic';
}

export interface IntegerSchema extends Common {
  readonly type: 'integer';
  readonly format: 'int32' | 'int64';
  /** Whether the integer is declared without a format, or with another one than int32 and int64. It is then treated as int64. */
  readonly plain?: boolean;
  /** Another format that a custom resource definition declares; published in OpenAPI only. */
  readonly otherFormat?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly number[];
}

export interface NumberSchema extends Common {
  readonly type: 'number';
  readonly format?: 'float' | 'double';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly number[];
}

export interface BooleanSchema extends Common {
  readonly type: 'boolean';
}

export interface IntOrStringSchema extends Common {
  readonly type: 'intOrString';
  /** The type that a custom resource definition declares beside `x-kubernetes-int-or-string`; published in OpenAPI only. */
  readonly declaredType?: string;
  readonly pattern?: string;
  readonly enum?: readonly JsonValue[];
}

/** Any JSON value, which is kept as it is. Ownership treats it as atomic unless `granular` is true. */
export interface AnySchema extends Common {
  readonly type: 'any';
  /** Whether ownership treats objects as granular maps and lists as atomic (spec 6.13). */
  readonly granular?: boolean;
  /** The allowed types of the value. Default: anything. */
  readonly variants?: Variants;
}

/** The types that a value may have, each with its field in the protobuf message that represents the value. */
export interface Variants {
  readonly object?: Variant;
  /** The schema of the list's items, if the value is a list. */
  readonly list?: Variant;
  /** The protobuf field of a boolean value. For an object, this field is written, too, with the value true. */
  readonly boolean?: number;
  /** The error for a value of another type. Default: such a value counts as absent. */
  readonly otherwise?: string;
}
export interface Variant {
  readonly number: number;
  /** The schema of the value. It is a function, because a struct may contain itself through it. */
  readonly schema: () => Schema;
}
