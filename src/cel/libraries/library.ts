import type { Estimates, OverloadCost } from '../cost/cost.js';
import type { FunctionDeclaration, VariableDeclaration } from '../declarations.js';
import type { CallExpr, Constant, Expr } from '../syntax/ast.js';
import type { Macro } from '../syntax/macros.js';
import type { SourceError } from '../syntax/source-error.js';
import type { Type } from '../typing/type.js';
import type { Message } from '../values/messages.js';
import type { Outcome, Value } from '../values/value.js';

/** A function over values; the target of a receiver call is the first. Strict ones never see an error. */
export type Implementation = (...args: Value[]) => Outcome;

/** Looks at a call whose types fit; what it finds is an error of checking. */
export type CallCheck = (call: CallExpr, typeOf: (node: Expr) => Type) => SourceError | undefined;

const universal = new WeakSet<Implementation>();

/**
 * Says of an implementation that it looks at the types of its arguments itself, and answers `no such overload` where they do not fit: calls of
 * functions all of whose overloads share it go straight to it. All others see values of the types of their parameters only.
 */
export function forAllTypes<T extends Implementation>(implementation: T): T {
  universal.add(implementation);
  return implementation;
}
export const isForAllTypes = (implementation: Implementation): boolean => universal.has(implementation);

/** A set of functions as a value: an environment is made of libraries. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly variables?: readonly VariableDeclaration[];
  /** Types that expressions may name. */
  readonly types?: readonly Type[];
  /** What expressions may build (`T{field: value}`), by the name of its type. */
  messages?(): Readonly<Record<string, Message>>;
  readonly macros?: readonly Macro[];
  /** By overload id. */
  readonly implementations?: Readonly<Record<string, Implementation>>;
  /** By overload id. */
  readonly costs?: Readonly<Record<string, OverloadCost>>;
  /** What calls cost, before any run; by function name. Functions that are absent cost 1. */
  readonly estimates?: Estimates;
  /** By function name: whether a literal first argument is sensible. One that is not is an error of checking, `invalid duration argument`. */
  readonly literals?: Readonly<Record<string, (literal: Constant) => boolean>>;
  /** By function name. */
  readonly checks?: Readonly<Record<string, CallCheck>>;
  /** Functions that take literals of several types in one list: `'%d %s'.format([1, 'a'])`. */
  readonly mixedLiterals?: readonly string[];
  /** Allows `?.`, `[?]` and optional elements. */
  readonly optionalSyntax?: boolean;
}
