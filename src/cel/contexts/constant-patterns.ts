import type { Checked } from '../checker/checked.js';
import { patternProblem } from '../libraries/pattern.js';
import { children, type Expr } from '../syntax/ast.js';

/** Overloads with a pattern as their last string argument. */
const PATTERNS: ReadonlySet<string> = new Set([
  'matches_string',
  'string_find_string',
  'string_find_all_string',
  'string_find_all_string_int',
]);

/** Returns the error of a literal pattern; undefined when all are valid. */
export function wrongPattern({ ast, references }: Checked): string | undefined {
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
