import { check } from '../checker/check.js';
import type { Checked } from '../checker/checked.js';
import { compile } from '../compile/compile.js';
import type { Program } from '../compile/program.js';
import type { Environment } from '../environment.js';
import { ExpressionError } from '../syntax/source-error.js';
import type { Type } from '../typing/type.js';
import { BudgetExceeded } from '../values/work.js';

/** An expression that is ready to run, with the checker's results. */
export interface Compiled {
  readonly checked: Checked;
  readonly program: Program;
  readonly type: Type;
}

/** The error of a refused expression, with upstream's message. */
export class CompilationFailed extends Error {
  override readonly name = 'CompilationFailed';
}

/**
 * Compiles an expression that must have a certain type. An expression whose type is known only at run time (`dyn`) is refused like any
 * other type.
 * @param expectedKinds types that the result may have. Default: any.
 * @param otherwise the error message for another type, or a function that returns it. Default: `must evaluate to ` and the expected types.
 * @throws CompilationFailed
 */
export function compileTyped(
  environment: Environment,
  source: string,
  expectedKinds: readonly Type['kind'][] = [],
  otherwise: string | ((type: Type) => string) = mustBe(expectedKinds),
): Compiled {
  const { checked, type } = checkTyped(environment, source);
  if (expectedKinds.length > 0 && !expectedKinds.includes(type.kind)) {
    throw new CompilationFailed(typeof otherwise === 'string' ? otherwise : otherwise(type));
  }
  const program = compile(environment, checked);
  if (program.alwaysFails !== undefined)
    throw new CompilationFailed(`program instantiation failed: ${program.alwaysFails}`);
  return { checked, program, type };
}

/** Checks an expression without making a program of it. @throws CompilationFailed */
export function checkTyped(environment: Environment, source: string): Omit<Compiled, 'program'> {
  const checked = attempt(() => check(environment, environment.parse(source)));
  const type = checked.types[checked.ast.root.id];
  if (type === undefined) throw new TypeError('the checker returned no type for the root expression');
  return { checked, type };
}

function mustBe(expectedKinds: readonly Type['kind'][]): string {
  const names = expectedKinds.map((kind) => (kind === 'null' ? 'null_type' : kind));
  return `must evaluate to ${names.length === 1 ? names[0] : `one of [${names.join(' ')}]`}`;
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof BudgetExceeded)
      throw new CompilationFailed(`compilation failed: ${error.message}`);
    throw error;
  }
}
