import type { Constant } from '../syntax/ast.js';
import type { Type } from '../typing/type.js';
import type { Outcome } from '../values/value.js';

/** Bounds of a cost or of a size; 2 ** 64 where there is no bound. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** An argument as the static estimate sees it. */
export interface EstimateNode {
  readonly type: Type;
  /** Characters, bytes or elements, where known. */
  readonly size: Bounds | undefined;
  /** What it is, where it is a literal. */
  readonly literal?: Constant;
  /** The size of its elements, where it is a list and that is known. */
  readonly elementSize?: Bounds;
  /** How it is reached from a variable (`['self', 'names', '@items']`), where it is. */
  readonly path: readonly string[] | undefined;
}

/** The cost of a call without its arguments, and the size of its result where it is known. */
export interface CallEstimate {
  readonly cost: Bounds;
  readonly size?: Bounds;
}
/** Says before any run what a call costs; undefined for that of any call (1). */
export type Estimate = (target: EstimateNode | undefined, args: readonly EstimateNode[]) => CallEstimate | undefined;

/** Estimates of a library, by the name of the function. */
export type Estimates = Readonly<Record<string, Estimate>>;

/** Costs of one overload. A hook that is absent leaves the cost of a call (1). */
export interface OverloadCost {
  /**
   * Exact cost of a call, charged before it runs. The target is the first argument; an argument that failed is an error.
   */
  actual?(args: readonly Outcome[]): number;
  /** In place of `actual`, where only the result shows the cost. */
  actualOfResult?(result: Outcome): number;
  /** `actual` counts only where the checker found this overload to be the one; a call that is decided while running costs as any. */
  readonly certainOnly?: boolean;
}

/** What nodes cost: data of a dialect. */
export interface CostTable {
  readonly constant: number;
  readonly select: number;
  /** Of `has()`. */
  readonly presence: number;
  readonly call: number;
  readonly list: number;
  readonly map: number;
  readonly struct: number;
  /**
   * Lists and maps of constants and conversions of constants are made once and cost nothing, nor does `in` over such a list. Default: false.
   * Counts for exact costs only.
   */
  readonly constantsAreFree?: boolean;
}

export const STANDARD_COSTS: CostTable = Object.freeze({
  constant: 0,
  select: 1,
  presence: 0,
  call: 1,
  list: 10,
  map: 30,
  struct: 40,
});
