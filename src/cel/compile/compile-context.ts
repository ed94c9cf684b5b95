import type { Reference } from '../checker/checked.js';
import type { CostTable } from '../cost/cost.js';
import type { Environment } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import type { Type } from '../typing/type.js';
import type { Plan } from './plan.js';
import type { Evaluate } from './program.js';
import type { Slot } from './slots.js';

/** What compiles the kinds of nodes needs of the compiler. */
export interface CompileContext {
  readonly environment: Environment;
  readonly costs: CostTable;
  /** Why the whole expression can only fail; undefined while nothing says so. */
  alwaysFails: string | undefined;
  compile(node: Expr): Plan;
  reference(node: Expr): Reference | undefined;
  qualified(node: Expr): string | undefined;
  /** A constant where constants are folded, or where folding costs nothing. */
  fold(run: Evaluate, free: boolean): Plan;
  /** What the checker found; undefined for what was only parsed. */
  type(node: Expr): Type | undefined;
  /** Runs with a name bound to a new slot. */
  within<T>(name: string, type: Type | undefined, body: (slot: Slot) => T): T;
}
