import type { Checked } from '../checker/checked.js';
import type { Environment } from '../environment.js';
import type { Ast } from '../syntax/ast.js';
import { EvaluationError } from '../values/value.js';
import { BudgetExceeded, beginWork, endWork, withinWork } from '../values/work.js';
import { Compiler } from './compiler.js';
import { type Bindings, type Budget, type Evaluation, type Frame, isOver, type Program } from './program.js';
import { storeInSlot } from './slots.js';
import type { Variable } from './variables.js';

/** The options of {@link compile}. */
export interface CompileOptions {
  /** Whether subexpressions without variables are evaluated at compile time. The option changes neither values nor costs. Default: true. */
  readonly fold?: boolean;
}

/**
 * Compiles an expression to closures. The counted cost equals that of upstream only if the expression has been checked. A checked
 * expression also runs faster, because the checker has selected the overloads. In an expression that was only parsed, overloads are
 * selected at run time by the types of the values.
 */
export function compile(environment: Environment, expression: Checked | Ast, options: CompileOptions = {}): Program {
  const checked = 'ast' in expression ? expression : undefined;
  const ast = 'ast' in expression ? expression.ast : expression;
  const compiler = new Compiler(environment, checked, options.fold ?? true);
  const { run } = withinWork({}, () => compiler.compile(ast.root));
  const { alwaysFails, size, bound } = compiler;
  const blank: readonly undefined[] = new Array(size).fill(undefined);

  function evaluate(bindings: Bindings, budget?: Budget, limit?: number): Evaluation {
    const remaining = budget?.remaining;
    const most = limit === undefined || remaining === undefined ? (limit ?? remaining) : Math.min(limit, remaining);
    const frame: Frame = { slots: size > FEW_SLOTS ? blank.slice() : emptySlots(), bindings, cost: 0, limit: most };
    for (let i = 0; i < bound.length; i++) bind(frame, bound[i] as Variable);
    beginWork();
    try {
      const outcome = run(frame);
      if (isOver(frame)) throw new BudgetExceeded();
      return { outcome, cost: frame.cost };
    } catch (error) {
      return { outcome: toEvaluationError(error, remaining !== undefined && frame.cost > remaining), cost: frame.cost };
    } finally {
      endWork();
      if (budget !== undefined && remaining !== undefined) budget.remaining = Math.max(0, remaining - frame.cost);
    }
  }
  return { evaluate, alwaysFails };
}

/** Stores the value of a variable in its slot. A value that is a function is skipped here and called when an expression first needs it. */
function bind(frame: Frame, variable: Variable): void {
  const value = frame.bindings[variable.name];
  if (typeof value !== 'function' && value !== undefined) storeInSlot(frame, variable.slot, value);
}

/**
 * An evaluation that needs at most this many slots gets an array literal of undefined values. Creating a literal is faster than copying an
 * array, and most expressions have few variables.
 */
const FEW_SLOTS = 6;
const emptySlots = (): Frame['slots'] => [undefined, undefined, undefined, undefined, undefined, undefined];

/**
 * Converts an exception of a closure to an evaluation error. A RangeError means that a deeply nested value has exceeded the call stack,
 * because the parser limits the nesting of the expression itself. Any other exception is thrown again.
 */
function toEvaluationError(error: unknown, shared: boolean): EvaluationError {
  if (error instanceof BudgetExceeded) throw new BudgetExceeded(shared);
  if (error instanceof RangeError) return new EvaluationError('value nested too deeply');
  throw error;
}
