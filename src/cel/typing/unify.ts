import { DYN, nameOf, parametersOf, sameType, type Type, withParameters } from './type.js';

/** What type parameters stand for. Immutable: a failed attempt leaves nothing behind. */
export type Substitution = ReadonlyMap<string, Type>;
export const NO_SUBSTITUTION: Substitution = new Map();

/** The substitution under which every `from` may be used where its `to` is wanted, or undefined. */
export function assignable(known: Substitution, to: readonly Type[], from: readonly Type[]): Substitution | undefined {
  if (to.length !== from.length) return undefined;
  const attempt = new Map(known);
  return allAssign(attempt, to, from) ? attempt : undefined;
}

/** Puts in what is known of the parameters in a type; with `toDyn` unknown ones become dyn. */
export function substitute(known: Substitution, type: Type, toDyn = false): Type {
  if (type.kind === 'param') {
    const found = known.get(type.name);
    if (found !== undefined) return substitute(known, found, toDyn);
    return toDyn ? DYN : type;
  }
  const parameters = parametersOf(type);
  return parameters.length === 0
    ? type
    : withParameters(
        type,
        parameters.map((one) => substitute(known, one, toDyn)),
      );
}

/** The one of two compatible types that says less. */
export function moreGeneral(a: Type, b: Type): Type {
  return lessOrEquallySpecific(a, b) ? a : b;
}

type Attempt = Map<string, Type>;
const wild = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'error';

function allAssign(known: Attempt, to: readonly Type[], from: readonly Type[]): boolean {
  return to.length === from.length && to.every((type, i) => assigns(known, type, from[i] ?? DYN));
}

function assigns(known: Attempt, to: Type, from: Type): boolean {
  if (from.kind === 'param') {
    const decided = bind(known, to, from);
    if (decided !== undefined) return decided;
  }
  if (to.kind === 'param') {
    const decided = bind(known, from, to);
    if (decided !== undefined) return decided;
  }
  if (wild(to) || wild(from)) return true;
  if (to.kind === 'null') return nullable(from);
  if (from.kind === 'null') return nullable(to);
  switch (to.kind) {
    case 'wrapper':
      return sameType(to, from) || sameType(to.of, from);
    case 'type':
      return from.kind === 'type';
    case 'list':
    case 'map':
    case 'opaque':
      return (
        to.kind === from.kind && nameOf(to) === nameOf(from) && allAssign(known, parametersOf(to), parametersOf(from))
      );
    case 'any':
      return true;
    default:
      return from.kind === 'wrapper' ? sameType(to, from.of) : sameType(to, from);
  }
}

/** Decides `type` against a parameter; undefined where the parameter can say nothing (it would contain itself). */
function bind(known: Attempt, type: Type, parameter: Type & { kind: 'param' }): boolean | undefined {
  if (sameType(type, parameter)) return true;
  const bound = known.get(parameter.name);
  if (bound !== undefined) {
    if (!assigns(known, type, bound)) return false;
    const general = moreGeneral(type, bound);
    if (absent(known, parameter, general)) known.set(parameter.name, general);
    return true;
  }
  if (!absent(known, parameter, type)) return undefined;
  known.set(parameter.name, type);
  return true;
}

/** Whether a parameter does not occur in a type. */
function absent(known: Attempt, parameter: Type & { kind: 'param' }, within: Type): boolean {
  if (within.kind === 'param') {
    if (within.name === parameter.name) return false;
    const bound = known.get(within.name);
    return bound === undefined || absent(known, parameter, bound);
  }
  return parametersOf(within).every((type) => absent(known, parameter, type));
}

function lessOrEquallySpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind === 'type') return b.kind === 'type';
  if (a.kind !== b.kind || nameOf(a) !== nameOf(b)) return false;
  const left = parametersOf(a);
  const right = parametersOf(b);
  return left.length === right.length && left.every((type, i) => lessOrEquallySpecific(type, right[i] ?? DYN));
}

const NULLABLE: ReadonlySet<Type['kind']> = new Set([
  'null',
  'wrapper',
  'object',
  'opaque',
  'timestamp',
  'duration',
  'any',
]);
const nullable = (type: Type): boolean => NULLABLE.has(type.kind);
