import { once } from '../../values/memoize.js';
import type { Estimates, OverloadCost } from '../cost/cost.js';
import type { FunctionDeclaration, Overload } from '../declarations.js';
import type { Type } from '../typing/type.js';
import type { Implementation, Library } from './library.js';

/** One overload with its function's name, implementation and cost. */
export interface Definition extends Overload {
  readonly name: string;
  /** The implementation, which is only called with values of its parameters' types. */
  readonly implementation: Implementation;
  readonly cost?: OverloadCost;
}

/** An implementation as the libraries write it, with specific parameter types. */
// biome-ignore lint/suspicious/noExplicitAny: the overload in the same definition declares the parameter types.
type Written = (...args: any[]) => ReturnType<Implementation>;

const definition =
  (receiver: boolean) =>
  (
    name: string,
    id: string,
    parameters: readonly Type[],
    result: Type,
    implementation: Written,
    cost?: OverloadCost,
  ): Definition => ({
    name,
    id,
    parameters,
    result,
    receiver,
    implementation,
    ...(cost === undefined ? {} : { cost }),
  });

/** Declares a function that is called as `name(a, b)`. */
export const global = definition(false);
/** Declares a function that is called as `a.name(b)`. */
export const member = definition(true);

type Tables = Required<Pick<Library, 'functions' | 'implementations' | 'costs'>>;
interface Parts extends Omit<Library, keyof Tables | 'estimates'> {
  readonly estimates?: () => Estimates;
}

/**
 * Makes a library whose tables are created when an environment first uses them. Creating the tables of all libraries while their modules
 * are loaded would double the time that loading takes.
 */
export function withTables(make: () => Tables, { estimates, ...parts }: Parts): Library {
  const tables = once(make);
  const estimated = once(() => estimates?.() ?? {});
  return Object.freeze({
    ...parts,
    get functions() {
      return tables().functions;
    },
    get implementations() {
      return tables().implementations;
    },
    get costs() {
      return tables().costs;
    },
    get estimates() {
      return estimated();
    },
  });
}

/** Makes a library from definitions. `definitions` is called when an environment first uses the library. */
export function libraryOf(definitions: () => readonly Definition[], parts: Parts): Library {
  return withTables(() => tablesOf(definitions()), parts);
}

function tablesOf(definitions: readonly Definition[]): Tables {
  const functions = new Map<string, Overload[]>();
  for (const { name, id, parameters, result, receiver = false } of definitions) {
    const own = functions.get(name) ?? [];
    functions.set(name, own);
    own.push({ id, parameters, result, receiver });
  }
  const costs = definitions.flatMap(({ id, cost }) => (cost === undefined ? [] : [[id, cost] as const]));
  return {
    functions: [...functions].map(([name, overloads]): FunctionDeclaration => ({ name, overloads })),
    implementations: Object.fromEntries(definitions.map(({ id, implementation }) => [id, implementation])),
    costs: Object.fromEntries(costs),
  };
}
