import type { Type } from '../typing/type.js';
import type { Outcome, Value } from '../values/value.js';

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
  /** After a run: exact cost of the call. The target is the first argument. */
  actual?(args: readonly Value[], result: Outcome): number;
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
