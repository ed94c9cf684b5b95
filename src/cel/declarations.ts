import type { Type } from './typing/type.js';

/** A variable of an environment. Its name may contain dots (`authorizer.requestResource`); the longest known name wins. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: Type;
}

/** One overload of a function. For a receiver call the target is the first parameter. */
export interface Overload {
  /** The unique id of the overload (`string_contains_string`). Implementations and costs are assigned to overloads by this id. */
  readonly id: string;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Whether the function is called as `a.f(b)`. Default: false. */
  readonly receiver?: boolean;
  /** Whether the function is also called when an argument is an error. Default: false; the error is then the result. */
  readonly nonStrict?: boolean;
}

/** A function of an environment, with its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}
