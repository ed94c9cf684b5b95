import { ACCUMULATOR, type Expr, OPERATORS } from './ast.js';
import type { NodeBuilder } from './builder.js';

/** The tools that a macro may use. All nodes that `build` creates for a macro have the position of the macro's call (`offset`). */
export interface MacroContext {
  readonly offset: number;
  readonly build: NodeBuilder;
  /** Reports an error and ends the expansion. */
  fail(at: Expr, message: string): never;
}

/** A form of call that is rewritten while parsing. Libraries provide macros. */
export interface Macro {
  readonly name: string;
  readonly receiver: boolean;
  readonly arguments: number;
  /** Returns the expansion, or undefined if the call is not a use of the macro and must stay as it is. Receiver macros get a `target`. */
  expand(context: MacroContext, target: Expr | undefined, args: readonly Expr[]): Expr | undefined;
}

/** Returns the key under which a parser finds a macro. */
export const macroKey = (name: string, receiver: boolean, count: number): string => `${name}:${count}:${receiver}`;

/** Returns the name of an iteration variable; fails for a node that is not a simple name. */
export function variableName(context: MacroContext, node: Expr, message = 'argument must be a simple name'): string {
  if (node.kind !== 'ident' || node.name.startsWith('.')) return context.fail(node, message);
  if (node.name === '__result__' || node.name === ACCUMULATOR) {
    return context.fail(node, 'iteration variable overwrites accumulator variable');
  }
  return node.name;
}

/** The members in which the folds of the macros differ. All of these folds have an accumulator of the same name. */
export interface FoldParts {
  readonly initial: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result?: Expr;
}

type Variables = { readonly variable: string; readonly variable2?: string };

export function fold(context: MacroContext, range: Expr, variables: Variables, parts: FoldParts): Expr {
  const result = parts.result ?? accumulator(context);
  return context.build.comprehension(context.offset, {
    range,
    ...variables,
    accumulator: ACCUMULATOR,
    ...parts,
    result,
  });
}

export const accumulator = ({ build, offset }: MacroContext): Expr => build.ident(offset, ACCUMULATOR);

/**
 * Returns the fold of `all`. The first false ends the loop, and makes the result false even if the predicate failed for earlier elements.
 */
export function allParts(context: MacroContext, predicate: Expr): FoldParts {
  const { build, offset } = context;
  return {
    initial: build.constant(offset, true),
    condition: build.call(offset, OPERATORS.notStrictlyFalse, [accumulator(context)]),
    step: build.call(offset, OPERATORS.and, [accumulator(context), predicate]),
  };
}

/**
 * Returns the fold of `exists`. The first true ends the loop, and makes the result true even if the predicate failed for earlier elements.
 */
export function existsParts(context: MacroContext, predicate: Expr): FoldParts {
  const { build, offset } = context;
  return {
    initial: build.constant(offset, false),
    condition: build.call(offset, OPERATORS.notStrictlyFalse, [build.not(offset, accumulator(context))]),
    step: build.call(offset, OPERATORS.or, [accumulator(context), predicate]),
  };
}

/** Makes the fold of `exists_one`, which visits every element and counts the matches. */
export function existsOneParts(context: MacroContext, predicate: Expr): FoldParts {
  const { build, offset } = context;
  const one = (): Expr => build.constant(offset, 1);
  return {
    initial: build.constant(offset, 0),
    condition: build.constant(offset, true),
    step: when(context, predicate, build.call(offset, OPERATORS.add, [accumulator(context), one()])),
    result: build.call(offset, OPERATORS.equals, [accumulator(context), one()]),
  };
}

/** Makes the fold of `map` and `filter`. It appends `element` for each item that passes the filter. */
export function appendParts(context: MacroContext, element: Expr, filter?: Expr): FoldParts {
  const { build, offset } = context;
  const appended = build.call(offset, OPERATORS.add, [accumulator(context), build.list(offset, [element])]);
  return {
    initial: build.list(offset, []),
    condition: build.constant(offset, true),
    step: filter === undefined ? appended : when(context, filter, appended),
  };
}

/** Makes `predicate ? step : accumulator`. */
export function when(context: MacroContext, predicate: Expr, step: Expr): Expr {
  return context.build.call(context.offset, OPERATORS.conditional, [predicate, step, accumulator(context)]);
}

const ranged = (
  name: string,
  parts: (context: MacroContext, predicate: Expr) => FoldParts,
  message?: string,
): Macro => ({
  name,
  receiver: true,
  arguments: 2,
  expand(context, target, [variable, predicate]) {
    if (target === undefined || variable === undefined || predicate === undefined) return undefined;
    const name = variableName(context, variable, message);
    return fold(context, target, { variable: name }, parts(context, predicate));
  },
});

const NOT_IDENTIFIER = 'argument is not an identifier';

const has: Macro = {
  name: 'has',
  receiver: false,
  arguments: 1,
  expand(context, _target, [argument]) {
    if (argument === undefined) return undefined;
    if (argument.kind !== 'select' || argument.testOnly)
      return context.fail(argument, 'invalid argument to has() macro');
    return context.build.select(context.offset, argument.operand, argument.field, true);
  },
};

const mapFiltered: Macro = {
  name: 'map',
  receiver: true,
  arguments: 3,
  expand(context, target, [variable, filter, element]) {
    if (target === undefined || variable === undefined || element === undefined || filter === undefined)
      return undefined;
    const name = variableName(context, variable, NOT_IDENTIFIER);
    return fold(context, target, { variable: name }, appendParts(context, element, filter));
  },
};

const filter: Macro = {
  name: 'filter',
  receiver: true,
  arguments: 2,
  expand(context, target, [variable, predicate]) {
    if (target === undefined || variable === undefined || predicate === undefined) return undefined;
    const name = variableName(context, variable, NOT_IDENTIFIER);
    return fold(context, target, { variable: name }, appendParts(context, variable, predicate));
  },
};

/** The macros of the language itself. */
export const STANDARD_MACROS: readonly Macro[] = [
  has,
  ranged('all', allParts),
  ranged('exists', existsParts),
  ranged('exists_one', existsOneParts),
  ranged('map', appendParts, NOT_IDENTIFIER),
  mapFiltered,
  filter,
];
