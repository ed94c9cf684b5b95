import type { JsonValue } from '../json/value.js';

/**
 * The one structural description of a kind. Decoding, unknown-field detection, pruning, defaulting, validation, field
 * ownership, strategic merge, OpenAPI and expression types all read this. It is plain, frozen data.
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
  /** Name in OpenAPI, e.g. `io.k8s.api.core.v1.ObjectReference`; a struct's end of it is its name in decoding errors. */
  readonly definition?: string;
  /** Filled in where the field is absent. */
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  /** Type name in decoding errors where it is not the plain one, e.g. `v1.SecretType`. */
  readonly typeName?: string;
  /** Rules in the expression language, as given (`x-...-validations`). */
  readonly rules?: readonly JsonValue[];
}

/** Combined value validations: they restrict, and say nothing about structure (spec 21.2). */
interface Junctors {
  readonly allOf?: readonly Constraint[];
  readonly anyOf?: readonly Constraint[];
  readonly oneOf?: readonly Constraint[];
  readonly not?: Constraint;
}

/** What a value has to satisfy, whatever its declared type. */
export interface Constraint extends Junctors {
  /** Only in the pair by which definitions say int-or-string again. */
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
  /** What the values of properties not named in `properties` have to satisfy. */
  readonly values?: Constraint;
}

/** Which field of a struct says which of some others is given. */
export interface Union {
  readonly discriminator: string;
  readonly fields: readonly string[];
}

/** A struct: known properties, in wire order. */
export interface ObjectSchema extends Common {
  readonly type: 'object';
  readonly properties: ReadonlyMap<string, Property>;
  /** Unknown properties are kept and not reported. */
  readonly preserveUnknown?: boolean;
  /** `atomic`: owned and merged as a whole. Default granular. */
  readonly mapType?: 'granular' | 'atomic';
  /** Fields of which the one that `discriminator` names is given; for OpenAPI only. */
  readonly union?: Union;
  /** A whole object of some kind: `apiVersion`, `kind` and `metadata` are known without being declared. */
  readonly embeddedResource?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface Property {
  readonly schema: Schema;
  /** What the property is for; the schema's own description says what the type is. */
  readonly description?: string;
  readonly required?: boolean;
  /**
   * What the wire shows of an empty value:
   * - `omitEmpty`: null, "", 0, false, {} and [] disappear;
   * - `omitNull`: only null disappears (what upstream holds as a pointer);
   * - `orNull`: an absent value shows as null (a pointer that is not left out);
   * - `always`: an absent value shows as its zero value ("", 0, false, null for lists, maps and times, the zero struct);
   * - `asGiven` (default): stays what the client sent.
   */
  readonly presence?: 'omitEmpty' | 'omitNull' | 'orNull' | 'always' | 'asGiven';
  /** Strategic merge: lists merge by `patchMergeKey` (objects) or by value; maps with `retainKeys`. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** Shown in OpenAPI of a property that is not a list, too. */
  readonly listType?: 'atomic';
  /** Its place in the protobuf message; absent where it has none. */
  readonly number?: ProtobufNumber;
  /** Another spelling of a property, in which it is read; documents show the one in which it is written. */
  readonly isAlias?: true;
}

/** One number; several for a field of a message that JSON shows as part of its parent: the numbers of the messages, then the field's own. */
export type ProtobufNumber = number | readonly [number, number, ...number[]];

/** String keys, values of one schema. */
export interface MapSchema extends Common {
  readonly type: 'map';
  readonly values: Schema;
  readonly mapType?: 'granular' | 'atomic';
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface ListSchema extends Common {
  readonly type: 'list';
  readonly items: Schema;
  /** Default atomic. `map` lists are keyed by `mapKeys`. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  /** In protobuf a message of its own, so that an empty list and none differ. */
  readonly ownMessage?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/**
 * Formats with a meaning here: `date-time` (whole seconds on output), `micro-time` (six digits), `byte` (base64),
 * `quantity`. Others only show in OpenAPI.
 */
export interface StringSchema extends Common {
  readonly type: 'string';
  readonly format?: string;
  readonly enum?: readonly string[];
  /** A pattern a user may have written; matched in linear time. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Bytes that upstream declares as an atomic list; only shows in OpenAPI. */
  readonly listType?: 'atomic';
}

export interface IntegerSchema extends Common {
  readonly type: 'integer';
  readonly format: 'int32' | 'int64';
  /** Declared without a format, which means int64. */
  readonly plain?: boolean;
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
  readonly pattern?: string;
  readonly enum?: readonly JsonValue[];
}

/** Anything at all, kept as it is: atomic for ownership unless `granular`. */
export interface AnySchema extends Common {
  readonly type: 'any';
  /** Schemaless objects: objects are granular maps, lists atomic (spec 6.13). */
  readonly granular?: boolean;
  /** What it is by the JSON type that it has. Default: anything. */
  readonly variants?: Variants;
}

/** The types a value may have, each with its field in the protobuf message that represents it. */
export interface Variants {
  readonly object?: Variant;
  /** A list of this. */
  readonly list?: Variant;
  /** True as well where it is an object. */
  readonly boolean?: number;
  /** The error for a value of another type. Default: such a value counts as absent. */
  readonly otherwise?: string;
}
export interface Variant {
  readonly number: number;
  /** A function, so that a struct may hold itself this way. Default: text. */
  readonly schema: () => Schema;
}
