import { type Expr, OPERATORS } from './ast.js';
import {
  accumulator,
  allParts,
  appendParts,
  existsOneParts,
  existsParts,
  type FoldParts,
  fold,
  type Macro,
  type MacroContext,
  variableName,
  when,
} from './macros.js';

/** The function that adds one entry to the map of a comprehension, and fails for a key that is already present. A library declares it. */
export const MAP_INSERT = 'cel.@mapInsert';

function twoVariables(
  name: string,
  count: number,
  parts: (context: MacroContext, ...args: Expr[]) => FoldParts,
): Macro {
  return {
    name,
    receiver: true,
    arguments: count,
    expand(context, target, [first, second, ...rest]) {
      if (target === undefined || first === undefined || second === undefined) return undefined;
      const variable = variableName(context, first);
      const variable2 = variableName(context, second);
      if (variable === variable2) return context.fail(second, `duplicate variable name: ${variable}`);
      return fold(context, target, { variable, variable2 }, parts(context, ...rest));
    },
  };
}

/**
 * Returns a function that builds the fold of a macro that creates a map (`transformMap`). Each step of the fold inserts the entries that
 * `entry` returns. If the macro has a filter, the step inserts them only when the filter is true.
 */
function insertParts(entry: (context: MacroContext, value: Expr) => readonly Expr[]) {
  return (context: MacroContext, ...args: Expr[]): FoldParts => {
    const { build, offset } = context;
    const [value, predicate] = args.length === 2 ? [args[1], args[0]] : [args[0], undefined];
    if (value === undefined) throw new TypeError('the macro was expanded without its transformation argument');
    const inserted = build.call(offset, MAP_INSERT, [accumulator(context), ...entry(context, value)]);
    return {
      initial: build.map(offset, []),
      condition: build.constant(offset, true),
      step: predicate === undefined ? inserted : when(context, predicate, inserted),
    };
  };
}

function transformMap(count: number): Macro {
  return {
    name: 'transformMap',
    receiver: true,
    arguments: count,
    expand(context, target, args) {
      const [key] = args;
      if (key === undefined) return undefined;
      const parts = insertParts(({ build, offset }, value) => [build.ident(offset, variableName(context, key)), value]);
      return twoVariables('transformMap', count, parts).expand(context, target, args);
    },
  };
}

const listParts = (context: MacroContext, ...args: Expr[]): FoldParts => {
  const [filter, element] = args.length === 2 ? args : [undefined, args[0]];
  if (element === undefined) throw new TypeError('the macro was expanded without its transformation argument');
  return appendParts(context, element, filter);
};
const entryParts = insertParts((_context, value) => [value]);

/** The comprehensions with variables for both index and element (or key and value). */
export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  twoVariables('all', 3, allParts),
  twoVariables('exists', 3, existsParts),
  twoVariables('existsOne', 3, existsOneParts),
  twoVariables('exists_one', 3, existsOneParts),
  twoVariables('transformList', 3, listParts),
  twoVariables('transformList', 4, listParts),
  transformMap(3),
  transformMap(4),
  twoVariables('transformMapEntry', 3, entryParts),
  twoVariables('transformMapEntry', 4, entryParts),
];

/** The macro `cel.bind(name, value, expression)`: a fold over an empty list whose accumulator is the name. */
export const BIND_MACRO: Macro = {
  name: 'bind',
  receiver: true,
  arguments: 3,
  expand(context, target, [name, value, expression]) {
    if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
    if (name === undefined || value === undefined || expression === undefined) return undefined;
    return bind(
      context,
      variableName(context, name, 'cel.bind() variable names must be simple identifiers'),
      value,
      expression,
    );
  },
};

function bind(context: MacroContext, name: string, value: Expr, expression: Expr): Expr {
  const { build, offset } = context;
  return build.comprehension(offset, {
    range: build.list(offset, []),
    variable: '#unused',
    accumulator: name,
    initial: value,
    condition: build.constant(offset, false),
    step: build.ident(offset, name),
    result: expression,
  });
}

/** Makes the macro `o.optMap(v, e)` or `o.optFlatMap(v, e)`. */
function optionalMacro(name: string, wrap: (context: MacroContext, mapped: Expr) => Expr): Macro {
  return {
    name,
    receiver: true,
    arguments: 2,
    expand(context, target, [variable, expression]) {
      if (target === undefined || variable === undefined || expression === undefined) return undefined;
      const { build, offset } = context;
      const own = variableName(context, variable, `${name}() variable name must be a simple identifier`);
      // The target occurs twice, as in upstream, and costs count it twice.
      const value = build.call(offset, 'value', [], target);
      return build.call(offset, OPERATORS.conditional, [
        build.call(offset, 'hasValue', [], target),
        wrap(context, bind(context, own, value, expression)),
        build.call(offset, 'optional.none', []),
      ]);
    },
  };
}

/** The macros `optMap` and `optFlatMap` of optional values. */
export const OPTIONAL_MACROS: readonly Macro[] = [
  optionalMacro('optMap', ({ build, offset }, mapped) => build.call(offset, 'optional.of', [mapped])),
  optionalMacro('optFlatMap', (_context, mapped) => mapped),
];
