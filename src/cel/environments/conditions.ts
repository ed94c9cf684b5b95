import { type Bindings, BudgetExceeded } from '../compile/program.js';
import { CompilationFailed, type Compiled, compileTyped } from '../contexts/compile-typed.js';
import { CALL_LIMIT } from '../contexts/limits.js';
import type { LazyValues } from '../contexts/variables.js';
import type { Environment } from '../environment.js';
import type { Type } from '../typing/type.js';
import { EvaluationError, type Value } from '../values/value.js';

/** An expression of a policy or of a list of match conditions: compiled, or with the compilation error. */
export interface Condition {
  readonly expression: string;
  readonly compiled: Compiled | undefined;
  readonly error: string | undefined;
}

/** Compiles an expression. A compilation error is kept, because it counts only when the expression is evaluated. */
export function compileCondition(
  environment: Environment,
  expression: string,
  expectedKinds: readonly Type['kind'][],
): Condition {
  try {
    return { expression, compiled: compileTyped(environment, expression, expectedKinds), error: undefined };
  } catch (error) {
    if (!(error instanceof CompilationFailed)) throw error;
    return { expression, compiled: undefined, error: error.message };
  }
}

/** The result of one expression. */
export type ConditionResult = { readonly value: Value } | { readonly error: string };

/** Thrown when the expressions together exceed their shared cost budget. The results of all of them must then be discarded. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** The cost budget of {@link evaluateConditions}. */
export interface Spending {
  /** The remaining cost of all expressions together, reduced by each evaluation. */
  remaining: number;
  /** The maximum cost of a single expression. Default: `CALL_LIMIT`. */
  readonly callLimit?: number;
  /** Variables that the expressions share; the cost of evaluating them counts as well. */
  readonly variables?: LazyValues | undefined;
}

/**
 * Evaluates conditions one after the other.
 * @throws OutOfBudget
 */
export function evaluateConditions(
  conditions: readonly Condition[],
  bindings: Bindings,
  spending: Spending,
): readonly ConditionResult[] {
  return conditions.map((condition) => evaluateCondition(condition, bindings, spending));
}

function evaluateCondition(
  { expression, compiled, error }: Condition,
  bindings: Bindings,
  spending: Spending,
): ConditionResult {
  if (compiled === undefined) return { error: `compilation error: ${error}` };
  const { variables, callLimit = CALL_LIMIT } = spending;
  const before = variables?.spent ?? 0;
  // An expression may cost up to `callLimit` even if less than that remains of the shared budget. The shared budget is reduced after the
  // evaluation, and `OutOfBudget` is thrown if it was not sufficient.
  const own = { remaining: Number.MAX_SAFE_INTEGER };
  const outcome = evaluateProgram(compiled, bindings, own, callLimit);
  spending.remaining -= Number.MAX_SAFE_INTEGER - own.remaining + ((variables?.spent ?? 0) - before);
  if (spending.remaining < 0) throw new OutOfBudget();
  return outcome instanceof EvaluationError
    ? { error: `expression '${expression}' resulted in error: ${outcome.message}` }
    : { value: outcome };
}

function evaluateProgram({ program }: Compiled, bindings: Bindings, own: { remaining: number }, limit: number) {
  try {
    return program.evaluate(bindings, own, limit).outcome;
  } catch (error) {
    if (error instanceof BudgetExceeded) return new EvaluationError(error.message);
    throw error;
  }
}
