import type { Reference } from '../checker/checked.js';
import type { CostTable } from '../cost/cost.js';
import type { Environment } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import type { Type } from '../typing/type.js';
import type { Plan } from './plan.js';
import type { Evaluate } from './program.js';
import type { Slot } from './slots.js';

/** The members of `Compiler` that the modules for calls, folds, literals and operators use. */
export interface CompileContext {
  readonly environment: Environment;
  readonly costs: CostTable;
  /** The reason why the whole expression always fails; undefined when none is known. */
  alwaysFails: string | undefined;
  compile(node: Expr): Plan;
  reference(node: Expr): Reference | undefined;
  qualified(node: Expr): string | undefined;
  /**
   * Evaluates a node without variables at compile time, if constant folding is on or `free` is true. `free` means that the node costs
   * nothing at run time.
   */
  fold(run: Evaluate, free: boolean): Plan;
  /** Returns the type that the checker found; undefined for an expression that was only parsed. */
  type(node: Expr): Type | undefined;
  /** Calls `body`, which compiles the scope of a variable, while the variable's name is bound to a slot of its own. */
  within<T>(name: string, type: Type | undefined, body: (slot: Slot) => T): T;
}
