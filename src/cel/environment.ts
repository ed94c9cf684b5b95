import { type CostTable, type Estimate, type OverloadCost, STANDARD_COSTS } from './cost/cost.js';
import type { FunctionDeclaration, Overload, VariableDeclaration } from './declarations.js';
import type { CallCheck, Implementation, Library } from './libraries/library.js';
import type { Ast, Constant } from './syntax/ast.js';
import { type Macro, STANDARD_MACROS } from './syntax/macros.js';
import { type ParseOptions, parse } from './syntax/parser.js';
import { identifierOf, type Type, type TypeProvider } from './typing/type.js';
import type { Message } from './values/messages.js';

/** The options of `createEnvironment`. */
export interface EnvironmentOptions {
  /** The libraries, such as `standard`. Default: none. */
  readonly libraries?: readonly Library[];
  /** The variables that expressions may use. Default: none. */
  readonly variables?: readonly VariableDeclaration[];
  /** Types in addition to those of the libraries. Default: none. */
  readonly types?: TypeProvider;
  /** The costs of the kinds of syntax-tree nodes. Default: `STANDARD_COSTS`. */
  readonly costs?: CostTable;
  /** The limits of the parser. Default: those of {@link ParseOptions}. */
  readonly limits?: Pick<ParseOptions, 'maxSize' | 'maxDepth'>;
  /** The package in which names are resolved (`a.b`), followed by its enclosing packages (`a`). Default: none. */
  readonly container?: string;
  /**
   * Whether the elements of a list or map literal must all have the same type. Default: false; mixed literals then have the element type
   * dyn.
   */
  readonly homogeneousLiterals?: boolean;
  /**
   * Whether a repeated key in a map literal keeps the later value, and keys may have any type except bytes, as in the API server. Default:
   * false; a repeated key, or a key that is not a bool, int, uint or string, is then an error.
   */
  readonly repeatedKeys?: boolean;
}

/**
 * The variables, functions, types and costs that the parser, the checker and the compiler use. An environment is immutable, and one
 * environment serves many expressions.
 */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>;
  /** Overloads of all libraries by function name, in the order of the libraries. */
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly implementations: ReadonlyMap<string, Implementation>;
  readonly overloadCosts: ReadonlyMap<string, OverloadCost>;
  /** Cost estimates by overload id. */
  readonly estimates: ReadonlyMap<string, Estimate>;
  readonly costs: CostTable;
  readonly types: TypeProvider;
  /** The objects that expressions can construct, by the name of their type. */
  readonly messages: ReadonlyMap<string, Message>;
  readonly container: string;
  readonly homogeneousLiterals: boolean;
  readonly repeatedKeys: boolean;
  /** Functions that check a literal argument of a call, by the name of the called function. A result of false is a checking error. */
  readonly literals: ReadonlyMap<string, (literal: Constant) => boolean>;
  /** Functions that check a call beyond the types of its arguments, by the name of the called function. */
  readonly checks: ReadonlyMap<string, CallCheck>;
  /** Functions whose literal arguments may always mix types. */
  readonly mixedLiterals: ReadonlySet<string>;
  parse(source: string): Ast;
}

/**
 * Makes an environment.
 * @throws TypeError when two libraries declare one overload id, or an implementation has no declaration.
 */
export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  const libraries = options.libraries ?? [];
  const macros: readonly Macro[] = [...STANDARD_MACROS, ...libraries.flatMap((library) => library.macros ?? [])];
  const functions = mergeFunctions(libraries);
  const known = new Set([...functions.values()].flatMap((one) => one.overloads.map((overload) => overload.id)));
  const own = new Map(libraries.flatMap((library) => library.types ?? []).map((type) => [identifierOf(type), type]));
  const optionalSyntax = libraries.some((library) => library.optionalSyntax === true);
  const variables = [...libraries.flatMap((library) => library.variables ?? []), ...(options.variables ?? [])];
  return Object.freeze({
    variables: new Map(variables.map(({ name, type }) => [name, type])),
    functions,
    implementations: merge(libraries, 'implementations', known) as ReadonlyMap<string, Implementation>,
    overloadCosts: merge(libraries, 'costs', known) as ReadonlyMap<string, OverloadCost>,
    estimates: new Map(libraries.flatMap(estimatesOf)),
    costs: options.costs ?? STANDARD_COSTS,
    types: {
      find: (name: string) => own.get(name) ?? options.types?.find(name),
      constant: (name: string) => options.types?.constant?.(name),
    },
    messages: new Map(libraries.flatMap((library) => Object.entries(library.messages?.() ?? {}))),
    container: options.container ?? '',
    homogeneousLiterals: options.homogeneousLiterals ?? false,
    repeatedKeys: options.repeatedKeys ?? false,
    mixedLiterals: new Set(libraries.flatMap((library) => library.mixedLiterals ?? [])),
    checks: new Map(libraries.flatMap((library) => Object.entries(library.checks ?? {}))),
    literals: new Map(libraries.flatMap((library) => Object.entries(library.literals ?? {}))),
    parse: (source: string) => parse(source, { ...options.limits, macros, optionalSyntax }),
  });
}

/** Returns an environment with additional variables. */
export function withVariables(environment: Environment, variables: readonly VariableDeclaration[]): Environment {
  const known = new Map(environment.variables);
  for (const { name, type } of variables) known.set(name, type);
  return Object.freeze({ ...environment, variables: known });
}

function mergeFunctions(libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const merged = new Map<string, Overload[]>();
  const ids = new Set<string>();
  for (const { name, overloads } of libraries.flatMap((library) => library.functions ?? [])) {
    for (const { id } of overloads) {
      if (ids.has(id)) throw new TypeError(`overload ${id} is declared twice`);
      ids.add(id);
    }
    merged.set(name, [...(merged.get(name) ?? []), ...overloads]);
  }
  return new Map([...merged].map(([name, overloads]) => [name, { name, overloads }]));
}

/**
 * Returns the estimates of a library by overload. A library declares them by function, because the overloads of a function cost the same.
 */
function estimatesOf(library: Library): readonly (readonly [string, Estimate])[] {
  return Object.entries(library.estimates ?? {}).flatMap(([name, own]) => {
    const declared = (library.functions ?? []).filter((one) => one.name === name);
    if (declared.length === 0) throw new TypeError(`library ${library.name}: no function ${name} is declared`);
    return declared.flatMap(({ overloads }) => overloads.map(({ id }) => [id, own] as const));
  });
}

/** Merges the tables of libraries by overload id. Unknown ids are errors, because a misspelled one would never apply. */
function merge(
  libraries: readonly Library[],
  member: 'implementations' | 'costs',
  known: ReadonlySet<string>,
): ReadonlyMap<string, Implementation | OverloadCost> {
  const merged = new Map<string, Implementation | OverloadCost>();
  for (const library of libraries) {
    for (const [id, value] of Object.entries<Implementation | OverloadCost>(library[member] ?? {})) {
      if (!known.has(id)) throw new TypeError(`library ${library.name}: no overload ${id} is declared`);
      merged.set(id, value);
    }
  }
  return merged;
}
