import type { Constant } from '../syntax/ast.js';

/** Types of CEL, as plain frozen values. They must be compared with `sameType`, not by identity. */
export type Type =
  | SimpleType
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'type'; readonly of: Type | undefined }
  | { readonly kind: 'wrapper'; readonly of: SimpleType }
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly Type[] }
  | ObjectType
  | { readonly kind: 'param'; readonly name: string };

/** The kind of a type without parameters. */
export type SimpleKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'any';
/** A type without parameters. */
export interface SimpleType {
  readonly kind: SimpleKind;
}

/**
 * An object with known fields. Object types with the same name are the same type, so each object within a schema needs a name of its own.
 */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /** Fields by their (escaped) name in expressions. They are looked up on use, so that types may be recursive. */
  readonly fields: FieldSource;
}

/** A field of an object type. */
export interface Field {
  readonly type: Type;
  /** The name of the API object's member that contains the field's value, not escaped. */
  readonly property: string;
  /** Converts the member to a CEL value; absent when every member is a CEL value already (bool, int, string, null). */
  readonly adapt?: (member: unknown) => unknown;
  /** Members of this JavaScript type are CEL values already, so `adapt` is not called for them. */
  readonly plain?: Plain;
}

/**
 * The JavaScript type of those members of API objects that expressions read without converting them to CEL values. Numbers must be safe
 * integers. An `object`, whose CEL type has known fields, is only passed through on the way to its members.
 */
export type Plain = 'string' | 'boolean' | 'number' | 'object';

/** The fields of an object type, by name. */
export interface FieldSource {
  get(name: string): Field | undefined;
  names(): Iterable<string>;
}

/** Types by name: for type names in expressions and for construction (`T{f: v}`). */
export interface TypeProvider {
  find(name: string): Type | undefined;
  /** Returns a named constant (a value of an enum). */
  constant?(name: string): Constant | undefined;
}

const simple = (kind: SimpleKind): SimpleType => Object.freeze({ kind });
/** The type of values whose type is known only at run time. */
export const DYN = simple('dyn');
/** The type of an expression whose check has failed. */
export const ERROR = simple('error');
/** The type of null. */
export const NULL = simple('null');
/** The type of booleans. */
export const BOOL = simple('bool');
/** The type of signed 64-bit integers. */
export const INT = simple('int');
/** The type of unsigned 64-bit integers. */
export const UINT = simple('uint');
/** The type of floating-point numbers. */
export const DOUBLE = simple('double');
/** The type of strings. */
export const STRING = simple('string');
/** The type of byte sequences. */
export const BYTES = simple('bytes');
/** The type of points in time. */
export const TIMESTAMP = simple('timestamp');
/** The type of durations. */
export const DURATION = simple('duration');
/** The type `google.protobuf.Any`. */
export const ANY = simple('any');

/** Returns the type of lists with this type of elements. */
export const listOf = (element: Type): Type => Object.freeze({ kind: 'list', element });
/** Returns the type of maps with these types of keys and values. */
export const mapOf = (key: Type, value: Type): Type => Object.freeze({ kind: 'map', key, value });
/** Returns the type of a type as a value. */
export const typeOf = (of?: Type): Type => Object.freeze({ kind: 'type', of });
/** Returns the type of values of this type or null. */
export const wrapperOf = (of: SimpleType): Type => Object.freeze({ kind: 'wrapper', of });
/** Returns a type parameter. */
export const param = (name: string): Type => Object.freeze({ kind: 'param', name });
/** Returns an opaque type. Expressions cannot select members of its values, and only pass them to functions. */
export const opaque = (name: string, ...parameters: Type[]): Type =>
  Object.freeze({ kind: 'opaque', name, parameters: Object.freeze(parameters) });
/** Returns the type of optional values. */
export const optionalOf = (of: Type): Type => opaque('optional_type', of);
/** Returns the type of objects with these fields. */
export const objectType = (name: string, fields: FieldSource): ObjectType =>
  Object.freeze({ kind: 'object', name, fields });

/** Returns the parameters of a type, in order. */
export function parametersOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'type':
      return type.of === undefined ? [] : [type.of];
    case 'opaque':
      return type.parameters;
    default:
      return [];
  }
}

/** Returns the same type with other parameters. */
export function withParameters(type: Type, parameters: readonly Type[]): Type {
  const [first = DYN, second = DYN] = parameters;
  switch (type.kind) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    case 'type':
      return parameters.length === 0 ? type : typeOf(first);
    case 'opaque':
      return opaque(type.name, ...parameters);
    default:
      return type;
  }
}

/** Returns the name of a type without its parameters. Types of one kind, such as two opaque types, differ in it. */
export function nameOf(type: Type): string {
  switch (type.kind) {
    case 'opaque':
    case 'object':
    case 'param':
      return type.name;
    case 'wrapper':
      return `wrapper(${type.of.kind})`;
    case 'null':
    case 'error':
      return type.kind === 'null' ? 'null' : '!error!';
    default:
      return type.kind;
  }
}

/** Returns the name of a type in expressions: `null_type`, `google.protobuf.Duration`. */
export function identifierOf(type: Type): string {
  if (type.kind === 'null') return 'null_type';
  if (type.kind === 'any') return 'google.protobuf.Any';
  if (type.kind === 'timestamp') return 'google.protobuf.Timestamp';
  if (type.kind === 'duration') return 'google.protobuf.Duration';
  return nameOf(type);
}

/** Returns whether two types are the same. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || nameOf(a) !== nameOf(b)) return false;
  const left = parametersOf(a);
  const right = parametersOf(b);
  return left.length === right.length && left.every((type, i) => sameType(type, right[i] ?? DYN));
}

/** Formats a type as messages show it: `map(string, list(int))`. */
export function formatType(type: Type): string {
  const parameters = parametersOf(type);
  return parameters.length === 0 ? nameOf(type) : `${nameOf(type)}(${parameters.map(formatType).join(', ')})`;
}

/** Formats the types of a call as messages show them: `(int, string)`, `string.(int)` for a receiver call. */
export function formatCall(args: readonly Type[], receiver: boolean): string {
  const [target, ...rest] = args;
  if (!receiver || target === undefined) return `(${args.map(formatType).join(', ')})`;
  return `${formatType(target)}.(${rest.map(formatType).join(', ')})`;
}
