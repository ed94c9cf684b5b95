import type { Plain, Type } from '../typing/type.js';
import type { Double, Uint } from './numbers.js';

/**
 * The values of expressions. bool, int, string and null are JavaScript's own (for ints see `values/numbers.ts`), so that members of API
 * objects need no conversion. All other values are instances of classes.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | Double | Uint | ObjectValue;

/**
 * Returns whether a member of an API object has the type `plain` and can be used as a CEL value without conversion. Objects cannot, because
 * expressions read them through views (`ObjectView`).
 */
export function isPlain(member: unknown, plain: Plain | undefined): member is string | number | boolean {
  switch (typeof member) {
    case 'string':
      return plain === 'string';
    case 'boolean':
      return plain === 'boolean';
    case 'number':
      return plain === 'number' && Number.isSafeInteger(member);
    default:
      return false;
  }
}

/** Values that know their type: lists, maps, objects, timestamps, durations, optionals, types, and those that libraries add. */
export abstract class ObjectValue {
  /** The type at run time: lists are list(dyn), maps map(dyn, dyn). */
  abstract readonly type: Type;
  /** Returns undefined if the values cannot be compared, because upstream compares values of this type only with each other. */
  abstract equals(other: Value): boolean | undefined;
  /**
   * A text that equal values have in common if they are the same key of a map. Default: undefined, because upstream compares most values by
   * their address when they are keys.
   */
  get mapKey(): string | undefined {
    return undefined;
  }
  /**
   * The value as a member of an API object, or a symbol with the name that upstream gives its type. Default: undefined, because only few
   * types have such a form.
   */
  get memberForm(): unknown {
    return undefined;
  }
  /** The size from which costs are computed; 1 for a value without a size. */
  get costSize(): number {
    return 1;
  }
}

/**
 * A list, which is either a view of a frozen array or a computed value. It is immutable, except that a fold may change its own accumulator.
 */
export abstract class ListValue extends ObjectValue {
  abstract readonly size: number;
  /**
   * Returns the element at an index from 0 to size - 1. The result is an error for an element of an API object that violates its schema.
   */
  abstract at(index: number): Outcome;
  /** Reads a member as an item of the schema that declares the list; undefined for a list without a schema. */
  readonly items?: ((member: unknown) => Outcome | undefined) | undefined;
  /** Returns `this + other`, for lists with rules of their own (sets and keyed lists of API objects). */
  plus?(other: ListValue): Outcome;
}

/** A map or an object with fields, which is either a view of an API object or a computed value. Keys are bool, int, uint or string. */
export abstract class MapValue extends ObjectValue {
  abstract readonly size: number;
  abstract get(key: Value): Outcome | undefined;
  abstract keys(): Iterable<Value>;
}

/** An error inside an evaluation. It is a value, so that `&&`, `||` and macros can absorb it; strict functions pass it on. */
export class EvaluationError {
  readonly message: string;
  /** The node of the error, set where the failed function was called. */
  readonly node: number;
  constructor(message: string, node = 0) {
    this.message = message;
    this.node = node;
  }
}

/** The result of evaluating one node. */
export type Outcome = Value | EvaluationError;
