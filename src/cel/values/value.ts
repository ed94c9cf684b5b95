import type { Plain, Type } from '../typing/type.js';
import type { Double, Uint } from './numbers.js';

/**
 * What an expression computes with. bool, int, string and null are JavaScript's own (ints as `values/numbers.ts` says), so that members of API
 * objects need no conversion; all else is an object of a class, told apart by `instanceof`.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | Double | Uint | ObjectValue;

/** Whether a member of an API object is a value as it is. Objects never are: they are viewed. */
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

/** Values that know their type: lists, maps, objects, timestamps, durations, optionals, types, and what libraries add. */
export abstract class ObjectValue {
  /** The type at run time: lists are list(dyn), maps map(dyn, dyn). */
  abstract readonly type: Type;
  abstract equals(other: Value): boolean;
  /** Size as costs see it, where the value has one. */
  get costSize(): number {
    return 1;
  }
}

/** A list: a view over a frozen array, or computed. Never changed, but by a fold over its own accumulator. */
export abstract class ListValue extends ObjectValue {
  abstract readonly size: number;
  /** The element at an index from 0 to size - 1. An API object may hold what its schema does not allow: that element is an error. */
  abstract at(index: number): Outcome;
  /** `this + other`, where the list has rules of its own (sets and keyed lists of API objects). */
  plus?(other: ListValue): Outcome;
}

/** A map or an object with fields: a view, or computed. Keys are bool, int, uint or string. */
export abstract class MapValue extends ObjectValue {
  abstract readonly size: number;
  abstract get(key: Value): Outcome | undefined;
  abstract keys(): Iterable<Value>;
}

/** An error inside an evaluation: a value, so that `&&`, `||` and macros can absorb it. Strict functions hand it on. */
export class EvaluationError {
  readonly message: string;
  /** The node it came from; set where the function that failed was called. */
  readonly node: number;
  constructor(message: string, node = 0) {
    this.message = message;
    this.node = node;
  }
}

/** What evaluating one node gives. */
export type Outcome = Value | EvaluationError;
