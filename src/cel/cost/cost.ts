import type { Constant } from '../syntax/ast.js';
import type { Type } from '../typing/type.js';
import type { Outcome } from '../values/value.js';

/** The minimum and maximum of a cost or of a size. A maximum of 2 ** 64 means that there is no limit. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** What the static cost estimate knows about an argument of a call. */
export interface EstimateNode {
  readonly type: Type;
  /** The number of characters, bytes or elements, if known. */
  readonly size: Bounds | undefined;
  /** The value, if the argument is a literal. */
  readonly literal?: Constant;
  /** The size of each element, if the argument is a list and the size is known. */
  readonly elementSize?: Bounds;
  /** The path from a variable to the argument (`['self', 'names', '@items']`), if there is one. */
  readonly path: readonly string[] | undefined;
}

/** The cost of a call without the cost of its arguments, and the size of its result if known. */
export interface CallEstimate {
  readonly cost: Bounds;
  readonly size?: Bounds;
}
/** Estimates the cost of a call before it runs; undefined for the usual cost of a call (1). */
export type Estimate = (target: EstimateNode | undefined, args: readonly EstimateNode[]) => CallEstimate | undefined;

/** Estimates of a library, by function name. */
export type Estimates = Readonly<Record<string, Estimate>>;

/** The costs of one overload. An overload without any of these functions costs as much as any call (1). */
export interface OverloadCost {
  /**
   * Returns the actual cost of a call, which is charged before the call runs. The target is the first argument. An argument whose
   * evaluation failed is passed as its error.
   */
  actual?(args: readonly Outcome[]): number;
  /** Replaces `actual` when only the result determines the cost. */
  actualOfResult?(result: Outcome): number;
  /** Whether `actual` is the cost only if the checker selected this overload. A call that is resolved at run time has the usual cost. */
  readonly certainOnly?: boolean;
  /** The costs of a call that is resolved at run time. Default: the same costs as if the checker selected this overload. */
  readonly uncertain?: OverloadCost;
}

/** The costs of the kinds of syntax-tree nodes. They can differ between API dialects. */
export interface CostTable {
  readonly constant: number;
  readonly select: number;
  /** The cost of `has()`. */
  readonly presence: number;
  readonly call: number;
  readonly list: number;
  readonly map: number;
  readonly struct: number;
  /**
   * Whether some constant expressions cost nothing, because they are evaluated only once: list and map literals whose elements are
   * constants, and conversions of a constant. The operator `in` with such a list then costs nothing, either. The option affects actual
   * costs only, not estimates. Default: false.
   */
  readonly constantsAreFree?: boolean;
}

/** The default costs of the kinds of syntax-tree nodes. */
export const STANDARD_COSTS: CostTable = Object.freeze({
  constant: 0,
  select: 1,
  presence: 0,
  call: 1,
  list: 10,
  map: 30,
  struct: 40,
});
