import { check } from '../checker/check.js';
import type { Checked } from '../checker/checked.js';
import { compile } from '../compile/compile.js';
import type { Program } from '../compile/program.js';
import type { Environment } from '../environment.js';
import { patternProblem } from '../libraries/pattern.js';
import { children, type Expr } from '../syntax/ast.js';
import { ExpressionError } from '../syntax/source-error.js';
import type { Type } from '../typing/type.js';

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
 * @param expectedKinds Types that the result may have. Default: any.
 * @param otherwise The error message for another type, or a function that returns it. Default: `must evaluate to ` and the expected types.
 * @throws {CompilationFailed}
 */
export function compileTyped(
  environment: Environment,
  source: string,
  expectedKinds: readonly Type['kind'][] = [],
  otherwise: string | ((type: Type) => string) = mustBe(expectedKinds),
): Compiled {
  const checked = attempt(() => check(environment, environment.parse(source)));
  const type = checked.types[checked.ast.root.id];
  if (type === undefined) throw new TypeError('the checker left out the root');
  if (expectedKinds.length > 0 && !expectedKinds.includes(type.kind)) {
    throw new CompilationFailed(typeof otherwise === 'string' ? otherwise : otherwise(type));
  }
  const program = compile(environment, checked);
  const failure = program.alwaysFails ?? wrongPattern(checked);
  if (failure !== undefined) throw new CompilationFailed(`program instantiation failed: ${failure}`);
  return { checked, program, type };
}

function mustBe(expectedKinds: readonly Type['kind'][]): string {
  const names = expectedKinds.map((kind) => (kind === 'null' ? 'null_type' : kind));
  return `must evaluate to ${names.length === 1 ? names[0] : `one of [${names.join(' ')}]`}`;
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError) throw new CompilationFailed(`compilation failed: ${error.message}`);
    throw error;
  }
}

/** Overloads of receiver calls whose first argument is a pattern: `text.matches(pattern)`. */
const PATTERNS: ReadonlySet<string> = new Set([
  'matches_string',
  'string_find_string',
  'string_find_all_string',
  'string_find_all_string_int',
]);

/** Returns the error of the first literal pattern that is not valid; undefined when all are valid. */
function wrongPattern({ ast, references }: Checked): string | undefined {
  const seen = new Set<number>();
  const visit = (node: Expr): string | undefined => {
    if (seen.has(node.id)) return undefined;
    seen.add(node.id);
    const reference = references[node.id];
    if (node.kind === 'call' && reference?.kind === 'call' && reference.overloads.some((id) => PATTERNS.has(id))) {
      const [pattern] = node.args;
      if (pattern?.kind === 'const' && typeof pattern.value === 'string') {
        const problem = patternProblem(pattern.value);
        if (problem !== undefined) return problem;
      }
    }
    for (const child of children(node)) {
      const found = visit(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return visit(ast.root);
}
