import type { Type } from './typing/type.js';

/** A variable of an environment. Its name may contain dots (`authorizer.requestResource`); the longest known name wins. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: Type;
}

/** One signature of a function. For a receiver call the target is the first parameter. */
export interface Overload {
  /** The unique name of the signature (`string_contains_string`), by which implementations and costs are found. */
  readonly id: string;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Whether the function is called as `a.f(b)`. Default: false. */
  readonly receiver?: boolean;
  /** Whether the function is also called when an argument is an error. Default: false; the error is then the result. */
  readonly nonStrict?: boolean;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}
