import type { FunctionDeclaration, Overload } from '../declarations.js';
import { DYN, parametersOf, sameType, type Type } from '../typing/type.js';
import { renameParameters, type Substitution } from '../typing/unify.js';

export interface Resolution {
  readonly type: Type;
  readonly overloads: readonly string[];
}

/** Returns a type parameter that does not occur anywhere else in the expression. */
export type FreshParameter = () => Type;

/**
 * Returns the overloads whose parameters may match arguments of these types. If the overloads have different result types, the result type
 * is dyn.
 */
export function resolveOverloads(
  declaration: FunctionDeclaration,
  args: readonly Type[],
  receiver: boolean,
  known: Substitution,
  fresh: FreshParameter,
): Resolution | undefined {
  const overloads: string[] = [];
  let type: Type | undefined;
  for (const overload of declaration.overloads) {
    if ((overload.receiver ?? false) !== receiver || overload.parameters.length !== args.length) continue;
    const { parameters, result } = instantiate(overload, fresh);
    if (!known.assign(args, parameters)) continue;
    overloads.push(overload.id);
    const own = known.apply(result);
    if (type === undefined) type = own;
    else if (type.kind !== 'dyn' && !sameType(own, type)) type = DYN;
  }
  return type === undefined ? undefined : { type, overloads };
}

const parametersUsed = new WeakMap<Overload, readonly string[]>();

function instantiate(overload: Overload, fresh: FreshParameter): Pick<Overload, 'parameters' | 'result'> {
  let names = parametersUsed.get(overload);
  if (names === undefined) {
    names = [...new Set([...overload.parameters, overload.result].flatMap(namesOf))];
    parametersUsed.set(overload, names);
  }
  if (names.length === 0) return overload;
  const own = names.map(fresh);
  return {
    parameters: overload.parameters.map((type) => renameParameters(type, names, own)),
    result: renameParameters(overload.result, names, own),
  };
}

const namesOf = (type: Type): readonly string[] =>
  type.kind === 'param' ? [type.name] : parametersOf(type).flatMap(namesOf);
