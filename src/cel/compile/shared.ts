import { type CallExpr, type Expr, OPERATORS } from '../syntax/ast.js';

/**
 * Returns the target that `optMap` and `optFlatMap` wrote twice: `t.hasValue() ? ...t.value()... : optional.none()`. Evaluating it twice
 * would double the work with each level of nesting.
 */
export function sharedTarget(node: CallExpr): Expr | undefined {
  const [test, mapped] = node.args;
  if (node.function !== OPERATORS.conditional || test?.kind !== 'call' || test.function !== 'hasValue')
    return undefined;
  const wrapped = mapped?.kind === 'call' && mapped.function === 'optional.of' ? mapped.args[0] : mapped;
  if (wrapped?.kind !== 'comprehension' || wrapped.initial.kind !== 'call') return undefined;
  const { target } = wrapped.initial;
  return target !== undefined && target === test.target ? target : undefined;
}
