import type { Type } from './typing/type.js';

/** A variable of an environment. Dots are part of a name (`authorizer.requestResource`): the longest known name wins. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: Type;
}

/** One signature of a function. For a receiver call the target is the first parameter. */
export interface Overload {
  /** Names the signature everywhere: implementations and costs are found by it (`string_contains_string`). */
  readonly id: string;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Called as `a.f(b)`. Default: false. */
  readonly receiver?: boolean;
  /** Also called with errors as arguments. Default: false, errors are handed on. */
  readonly nonStrict?: boolean;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}
