import type { Checked } from '../checker/checked.js';
import type { Environment } from '../environment.js';
import type { Ast } from '../syntax/ast.js';
import { EvaluationError } from '../values/value.js';
import { BudgetExceeded, beginWork, endWork } from '../values/work.js';
import { Compiler } from './compiler.js';
import { type Bindings, type Budget, type Evaluation, type Frame, isOver, type Program } from './program.js';
import { keep } from './slots.js';
import type { Variable } from './variables.js';

export interface CompileOptions {
  /** Evaluates what does not depend on variables while compiling. Values and costs are the same without. Default: true. */
  readonly fold?: boolean;
}

/**
 * Compiles an expression to closures. What the checker found makes it faster and its exact costs those of a checked expression; an expression
 * that was only parsed finds its overloads by the types of values.
 */
export function compile(environment: Environment, expression: Checked | Ast, options: CompileOptions = {}): Program {
  const checked = 'ast' in expression ? expression : undefined;
  const ast = 'ast' in expression ? expression.ast : expression;
  const compiler = new Compiler(environment, checked, options.fold ?? true);
  const { run } = compiler.compile(ast.root);
  const { alwaysFails, size, bound } = compiler;
  const blank: readonly undefined[] = new Array(size).fill(undefined);

  function evaluate(bindings: Bindings, budget?: Budget, limit?: number): Evaluation {
    const remaining = budget?.remaining;
    const most = limit === undefined || remaining === undefined ? (limit ?? remaining) : Math.min(limit, remaining);
    const frame: Frame = { slots: size > FEW ? blank.slice() : fewSlots(), bindings, cost: 0, limit: most };
    for (let i = 0; i < bound.length; i++) bind(frame, bound[i] as Variable);
    beginWork();
    try {
      const outcome = run(frame);
      if (isOver(frame)) throw new BudgetExceeded();
      return { outcome, cost: frame.cost };
    } catch (error) {
      return { outcome: failed(error, remaining !== undefined && frame.cost > remaining), cost: frame.cost };
    } finally {
      endWork();
      if (budget !== undefined && remaining !== undefined) budget.remaining = Math.max(0, remaining - frame.cost);
    }
  }
  return { evaluate, alwaysFails };
}

/** Values that are there are put in place at once; the others when they are needed. */
function bind(frame: Frame, variable: Variable): void {
  const value = frame.bindings[variable.name];
  if (typeof value !== 'function' && value !== undefined) keep(frame, variable.slot, value);
}

/** Most expressions have few variables: a literal is made faster than a copy. */
const FEW = 6;
const fewSlots = (): Frame['slots'] => [undefined, undefined, undefined, undefined, undefined, undefined];

/** Nesting of values (not of expressions, which the parser limits) may exceed the stack. */
function failed(error: unknown, shared: boolean): EvaluationError {
  if (error instanceof BudgetExceeded) throw new BudgetExceeded(shared);
  if (error instanceof RangeError) return new EvaluationError('value nested too deeply');
  throw error;
}
