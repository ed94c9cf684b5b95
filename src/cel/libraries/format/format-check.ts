import type { Expr } from '../../syntax/ast.js';
import { identifierOf, type Type } from '../../typing/type.js';
import type { CallCheck } from '../library.js';
import { CLAUSE, FormatError, formatterOf, ONLY, unfit } from './format-text.js';

type Verb = keyof typeof ONLY;

/** The types that each clause of `format` accepts. `%f` and `%e` also accept strings, because infinities and NaN are passed as strings. */
const TAKEN: Readonly<Record<Verb, string>> = {
  s: 'list map int uint double bool string timestamp bytes duration type null',
  d: 'int uint',
  f: 'double string',
  e: 'double string',
  b: 'int uint bool',
  o: 'int uint',
  x: 'int uint string bytes',
  X: 'int uint string bytes',
};

/** Checks a literal format with a literal list of arguments. Returns the first error that every evaluation of the call would have. */
export const checkFormat: CallCheck = (call, typeOf) => {
  const [list] = call.args;
  const format = call.target?.kind === 'const' ? call.target.value : undefined;
  if (typeof format !== 'string' || list?.kind !== 'list' || call.args.length !== 1) return undefined;
  const args = list.elements;
  const { offset } = call;
  let at = 0;
  for (const [clause, precision, verb] of format.matchAll(CLAUSE)) {
    if (clause === '%%') continue;
    if (at >= args.length && clause !== '%') return { offset, message: `index ${at} out of range` };
    const problem = problemOf(precision, verb);
    if (problem !== undefined) return { offset, message: problem };
    const wrong = misfit(args[at++] as Expr, verb as Verb, typeOf);
    if (wrong === undefined) continue;
    return { offset: wrong.offset, message: unfit(ONLY[verb as Verb], identifierOf(typeOf(wrong))) };
  }
  if (at === args.length) return undefined;
  return { offset, message: `too many arguments supplied to string.format (expected ${at}, got ${args.length})` };
};

function problemOf(precision: string | undefined, verb: string | undefined): string | undefined {
  try {
    formatterOf(precision, verb);
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

/** Returns the node whose type the clause does not accept: the argument or, for `%s`, a node inside its list or map literal. */
function misfit(arg: Expr, verb: Verb, typeOf: (node: Expr) => Type): Expr | undefined {
  const type = typeOf(arg);
  const { kind } = type.kind === 'wrapper' ? type.of : type;
  if (kind !== 'dyn' && !TAKEN[verb].split(' ').includes(kind)) return arg;
  if (verb !== 's') return undefined;
  const parts =
    arg.kind === 'list'
      ? arg.elements
      : arg.kind === 'map'
        ? arg.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = misfit(part, verb, typeOf);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
