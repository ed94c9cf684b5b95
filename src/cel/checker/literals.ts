import type { Environment } from '../environment.js';
import { type Ast, children, type Expr, type ListExpr, type MapExpr } from '../syntax/ast.js';
import type { SourceError } from '../syntax/source-error.js';
import { DYN, formatType, sameType, type Type } from '../typing/type.js';

/** Returns whether literal arguments of a function are checked. */
export const hasCheckedLiterals = ({ literals, checks }: Environment, name: string): boolean =>
  literals.has(name) || checks.has(name);

/** Returns the errors in literals. The caller uses it only for an expression that has no type errors and has literals to check. */
export function literalErrors(
  environment: Environment,
  ast: Ast,
  types: readonly (Type | undefined)[],
): readonly SourceError[] {
  const { checks, homogeneousLiterals } = environment;
  const errors: SourceError[] = [];
  const seen = new Set<number>();
  /** @param mixed whether the node is within a call whose list and map literals may mix types (`Environment.mixedLiterals`). */
  const visit = (node: Expr, mixed: boolean): void => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    const aggregate = node.kind === 'list' || node.kind === 'map';
    if (node.kind === 'call') {
      findSenseless(environment, node.function, node.args[0], errors);
      const error = checks.get(node.function)?.(node, ({ id }) => types[id] ?? DYN);
      if (error !== undefined) errors.push(error);
    }
    if (aggregate && !mixed && homogeneousLiterals) findMixed(node, types, errors);
    const below = mixed || (node.kind === 'call' && environment.mixedLiterals.has(node.function));
    for (const child of children(node)) visit(child, below);
  };
  visit(ast.root, false);
  return errors;
}

/** Reports a literal argument with which the call always fails: `duration('x')`. */
function findSenseless(
  { literals }: Environment,
  name: string,
  argument: Expr | undefined,
  errors: SourceError[],
): void {
  const sensible = literals.get(name);
  if (sensible === undefined || argument?.kind !== 'const' || sensible(argument.value)) return;
  errors.push({ offset: argument.offset, message: `invalid ${name} argument` });
}

/**
 * Reports the mixed types of a list or map literal. In a list, only the first element that differs in type from the first element is
 * reported. In a map, every key and every value that differs in type from the first key or value is reported.
 */
function findMixed(node: ListExpr | MapExpr, types: readonly (Type | undefined)[], errors: SourceError[]): void {
  if (node.kind === 'list') {
    const optional = new Set(node.optional);
    errors.push(...others(node.elements.map((one, i) => [one, typeOf(one, types, optional.has(i))])).slice(0, 1));
    return;
  }
  errors.push(
    ...others(node.entries.map(({ key }) => [key, typeOf(key, types, false)])),
    ...others(node.entries.map(({ value, optional }) => [value, typeOf(value, types, optional)])),
  );
}

function others(elements: readonly (readonly [Expr, Type])[]): readonly SourceError[] {
  const [first] = elements;
  if (first === undefined) return [];
  const [, expectedType] = first;
  return elements
    .filter(([, type]) => !sameType(type, expectedType))
    .map(([{ offset }, type]) => ({
      offset,
      message: `expected type '${formatType(expectedType)}' but found '${formatType(type)}'`,
    }));
}

function typeOf(node: Expr, types: readonly (Type | undefined)[], optional: boolean): Type {
  const type = types[node.id] ?? DYN;
  return optional && type.kind === 'opaque' ? (type.parameters[0] ?? DYN) : type;
}
