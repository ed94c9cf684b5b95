import type { Type } from '../typing/type.js';
import type { Outcome } from '../values/value.js';

/** Bounds of a cost or of a size; `Infinity` where there is no bound. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** An argument as the static estimate sees it. */
export interface EstimateNode {
  readonly type: Type;
  /** Characters, bytes or elements, where known. */
  readonly size: Bounds | undefined;
  /** How it is reached from a variable (`['self', 'names', '@items']`), where it is. */
  readonly path: readonly string[] | undefined;
}

/** Costs of one overload. A hook that is absent leaves the cost of a call (1). */
export interface OverloadCost {
  /** Before any run: cost of the call without its arguments, and the size of its result. */
  estimate?(target: EstimateNode | undefined, args: readonly EstimateNode[]): { cost: Bounds; size?: Bounds };
  /**
   * Exact cost of a call, charged before it runs. The target is the first argument; an argument that failed is an error.
   */
  actual?(args: readonly Outcome[]): number;
  /** In place of `actual`, where only the result tells the cost. */
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
