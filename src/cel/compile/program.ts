import type { Outcome, Value } from '../values/value.js';

export { BudgetExceeded } from '../values/work.js';

/** An object of the API, as it came. */
export type Members = Readonly<Record<string, unknown>>;

/** State of one evaluation. Closures get it; variables and accumulators have slots that the compiler gave them. */
export interface Frame {
  /** A variable that has not been needed yet is undefined. See `Slot`. */
  readonly slots: (Outcome | Members | undefined)[];
  readonly bindings: Bindings;
  /** Exact cost so far. */
  cost: number;
  /** Highest cost allowed; undefined: any (Infinity would be a number that every frame allocates). */
  readonly limit: number | undefined;
}

export const isOver = ({ cost, limit }: Frame): boolean => limit !== undefined && cost > limit;

/** A compiled node. An error is an outcome; going past the budget throws `BudgetExceeded`, which nothing absorbs. */
export type Evaluate = (frame: Frame) => Outcome;

/** Values of variables by name; a function is called when first needed, at most once in an evaluation. */
export type Bindings = Readonly<Record<string, Value | (() => Outcome)>>;

/** A budget that several evaluations use up together. */
export interface Budget {
  remaining: number;
}

export interface Evaluation {
  readonly outcome: Outcome;
  /** Exact cost, errors and short circuits counted as they happened. */
  readonly cost: number;
}

export interface Program {
  /**
   * @param budget Reduced by what the evaluation cost, to 0 where it did not suffice. Default: none.
   * @param limit Highest cost of this evaluation alone. Default: none.
   * @throws {BudgetExceeded}
   */
  evaluate(bindings: Bindings, budget?: Budget, limit?: number): Evaluation;
  /** What is wrong with a constant that is converted or used as a pattern (`int('x')`): upstream does not accept such an expression. */
  readonly alwaysFails: string | undefined;
}
