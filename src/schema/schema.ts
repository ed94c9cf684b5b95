import type { JsonValue } from '../json/value.js';

/**
 * The structural description of a kind, also called the IR. Decoding, unknown-field detection, pruning, defaulting, validation, field
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
  /** Name in OpenAPI, e.g. `io.k8s.api.core.v1.ObjectReference`. Decoding errors show the last two parts of a struct's name. */
  readonly definition?: string;
  /** The value that is filled in when the field is absent. */
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  /** Type name in decoding errors, if it is not the plain Go type, e.g. `v1.SecretType`. */
  readonly typeName?: string;
  /** Rules in the expression language, as given (`x-...-validations`). */
  readonly rules?: readonly JsonValue[];
}

/** Combined value validations: they restrict values but do not define structure (spec 21.2). */
interface Junctors {
  readonly allOf?: readonly Constraint[];
  readonly anyOf?: readonly Constraint[];
  readonly oneOf?: readonly Constraint[];
  readonly not?: Constraint;
}

/** The validations of a value, whatever its declared type. */
export interface Constraint extends Junctors {
  /** Present only in the `anyOf` pair that definitions of int-or-string repeat. */
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
  /** The constraint of properties that are not named in `properties`. */
  readonly values?: Constraint;
}

/** A union: the value of the discriminator field names the one of the other fields that is set. */
export interface Union {
  readonly discriminator: string;
  readonly fields: readonly string[];
}

/** A struct: known properties, in wire order. */
export interface ObjectSchema extends Common {
  readonly type: 'object';
  readonly properties: ReadonlyMap<string, Property>;
  /** Whether unknown properties are kept and not reported. */
  readonly preserveUnknown?: boolean;
  /** `atomic`: owned and merged as a whole. Default granular. */
  readonly mapType?: 'granular' | 'atomic';
  /** The union that the fields form; for OpenAPI only. */
  readonly union?: Union;
  /** Whether this is a whole object of some kind: `apiVersion`, `kind` and `metadata` are known without being declared. */
  readonly embeddedResource?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface Property {
  readonly schema: Schema;
  /** The purpose of the property; the schema's own description explains the type. */
  readonly description?: string;
  readonly required?: boolean;
  /**
   * How the wire shows an empty value:
   * - `omitEmpty`: null, "", 0, false, {} and [] disappear;
   * - `omitNull`: only null disappears (a pointer upstream);
   * - `orNull`: an absent value shows as null (a pointer without `omitempty`);
   * - `always`: an absent value shows as its zero value ("", 0, false, null for lists, maps and times, the zero struct);
   * - `asGiven` (default): the value stays as the client sent it.
   */
  readonly presence?: 'omitEmpty' | 'omitNull' | 'orNull' | 'always' | 'asGiven';
  /** Strategic merge: lists merge by `patchMergeKey` (objects) or by value; maps with `retainKeys`. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** A list type that OpenAPI shows although the property is not a list. */
  readonly listType?: 'atomic';
  /** The field number of the property in protobuf; absent when it has none. */
  readonly number?: ProtobufNumber;
  /** Given for another spelling of a property that decoding accepts. OpenAPI shows only the spelling that the server writes. */
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
  /** Whether the list is a message of its own in protobuf, so that an empty list differs from an absent one. */
  readonly ownMessage?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/**
 * A string. Formats that affect decoding: `date-time` (whole seconds on output), `micro-time` (six digits), `byte` (base64), `quantity`.
 * Others are shown in OpenAPI only.
 */
export interface StringSchema extends Common {
  readonly type: 'string';
  readonly format?: string;
  readonly enum?: readonly string[];
  /** A pattern a user may have written; matched in linear time. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Given for bytes that upstream declares as an atomic list; shown in OpenAPI only. */
  readonly listType?: 'atomic';
}

export interface IntegerSchema extends Common {
  readonly type: 'integer';
  readonly format: 'int32' | 'int64';
  /** Whether it is declared without a format, which means int64. */
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
  /** Whether ownership treats objects as granular maps and lists as atomic (spec 6.13). */
  readonly granular?: boolean;
  /** The allowed types of the value. Default: anything. */
  readonly variants?: Variants;
}

/** The types a value may have, each with its field in the protobuf message that represents it. */
export interface Variants {
  readonly object?: Variant;
  /** The items of a value that is a list. */
  readonly list?: Variant;
  /** The protobuf field of a boolean value, which is true as well for an object. */
  readonly boolean?: number;
  /** The error for a value of another type. Default: such a value counts as absent. */
  readonly otherwise?: string;
}
export interface Variant {
  readonly number: number;
  /** The schema of the value, as a function so that a struct may contain itself in this way. */
  readonly schema: () => Schema;
}
