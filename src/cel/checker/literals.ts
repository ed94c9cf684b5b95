import type { Environment } from '../environment.js';
import { type Ast, children, type Expr } from '../syntax/ast.js';
import type { SourceError } from '../syntax/source-error.js';

/** Literal arguments that can only fail: `duration('x')`. */
export function literalErrors({ literals }: Environment, ast: Ast): readonly SourceError[] {
  if (literals.size === 0) return [];
  const errors: SourceError[] = [];
  const seen = new Set<number>();
  const visit = (node: Expr): void => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    if (node.kind === 'call') {
      const [argument] = node.args;
      const sensible = literals.get(node.function);
      if (sensible !== undefined && argument?.kind === 'const' && !sensible(argument.value)) {
        errors.push({ offset: argument.offset, message: `invalid ${node.function} argument` });
      }
    }
    children(node).forEach(visit);
  };
  visit(ast.root);
  return errors;
}
