import type { Outcome, Value } from '../values/value.js';

export { BudgetExceeded } from '../values/work.js';

/** The members of an API object as they are stored, without conversion to values. */
export type Members = Readonly<Record<string, unknown>>;

/** The state of one evaluation, which is passed to the closures. The compiler assigns slots to variables and accumulators. */
export interface Frame {
  /** Values by slot; undefined for a variable that has not been needed yet. See `Slot`. */
  readonly slots: (Outcome | Members | undefined)[];
  readonly bindings: Bindings;
  /** The actual cost of the evaluation so far. */
  cost: number;
  /** The maximum cost; undefined for no limit. (Infinity would be a boxed number, allocated for every frame.) */
  readonly limit: number | undefined;
}

export const isOver = ({ cost, limit }: Frame): boolean => limit !== undefined && cost > limit;

/**
 * Evaluates a compiled node. An error is returned as an outcome. Exceeding the budget throws `BudgetExceeded` instead, so that operators
 * such as `||` cannot absorb it.
 */
export type Evaluate = (frame: Frame) => Outcome;

/** The values of the CEL variables by name. A function is called when the value is first needed, at most once in an evaluation. */
export type Bindings = Readonly<Record<string, Value | (() => Outcome)>>;

/** The cost budget that several evaluations share. */
export interface Budget {
  remaining: number;
}

/** The result of an evaluation. */
export interface Evaluation {
  readonly outcome: Outcome;
  /** The actual cost of the evaluation. Parts that were skipped because of a short circuit or an error are not counted. */
  readonly cost: number;
}

/** A compiled expression. */
export interface Program {
  /**
   * Evaluates the expression.
   * @param budget the remaining cost, which is reduced by the cost of the evaluation, but not below 0. Default: no budget.
   * @param limit the maximum cost of this evaluation alone. Default: no limit.
   * @throws BudgetExceeded if the evaluation costs more than `budget` or `limit`.
   */
  evaluate(bindings: Bindings, budget?: Budget, limit?: number): Evaluation;
  /**
   * The error of a conversion or pattern whose constant argument always fails (`int('x')`), or undefined. Callers refuse such an
   * expression, as upstream does.
   */
  readonly alwaysFails: string | undefined;
}
