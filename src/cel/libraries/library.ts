import type { Estimates, OverloadCost } from '../cost/cost.js';
import type { FunctionDeclaration, VariableDeclaration } from '../declarations.js';
import type { CallExpr, Constant, Expr } from '../syntax/ast.js';
import type { Macro } from '../syntax/macros.js';
import type { SourceError } from '../syntax/source-error.js';
import type { Type } from '../typing/type.js';
import type { Message } from '../values/messages.js';
import type { Outcome, Value } from '../values/value.js';

/** A function over values; the target of a receiver call is the first argument. Strict functions are not called with errors. */
export type Implementation = (...args: Value[]) => Outcome;

/**
 * Checks a call after the types of its arguments were found to match an overload. Returns the checking error, or undefined for a valid
 * call.
 */
export type CallCheck = (call: CallExpr, typeOf: (node: Expr) => Type) => SourceError | undefined;

const universal = new WeakSet<Implementation>();

/**
 * Marks an implementation that checks the types of its arguments itself and returns `no such overload` when they do not fit. When all
 * overloads of a function share such an implementation, calls go directly to it. All other implementations are only called with values of
 * their parameters' types.
 */
export function forAllTypes<T extends Implementation>(implementation: T): T {
  universal.add(implementation);
  return implementation;
}
export const isForAllTypes = (implementation: Implementation): boolean => universal.has(implementation);

/** A set of functions. An environment consists of libraries. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly variables?: readonly VariableDeclaration[];
  /** Types that expressions can refer to by name. */
  readonly types?: readonly Type[];
  /** Returns the types that expressions can construct (`T{field: value}`), by type name. */
  messages?(): Readonly<Record<string, Message>>;
  readonly macros?: readonly Macro[];
  /** Implementations by overload id. */
  readonly implementations?: Readonly<Record<string, Implementation>>;
  /** The actual costs of calls, by overload id. */
  readonly costs?: Readonly<Record<string, OverloadCost>>;
  /** Cost estimates of calls by function name. Functions without one cost 1. */
  readonly estimates?: Estimates;
  /**
   * Functions that check the first argument of a call when it is a literal, by the name of the called function. If one returns false, type
   * checking fails with an error such as `invalid duration argument`.
   */
  readonly literals?: Readonly<Record<string, (literal: Constant) => boolean>>;
  /** Functions that check a call beyond the types of its arguments, by the name of the called function. */
  readonly checks?: Readonly<Record<string, CallCheck>>;
  /** Functions whose arguments may be list literals with elements of several types: `'%d %s'.format([1, 'a'])`. */
  readonly mixedLiterals?: readonly string[];
  /** Whether `?.`, `[?]` and optional elements are allowed. Default: false. */
  readonly optionalSyntax?: boolean;
}
