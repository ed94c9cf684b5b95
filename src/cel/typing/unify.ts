import { DYN, nameOf, parametersOf, sameType, type Type, withParameters } from './type.js';

/** The error for types that take too much work to compare, because an expression can build a type that doubles in size with every use. */
export class TypeTooComplex extends Error {
  override readonly name = 'TypeTooComplex';
}

/** The maximum number of steps in one call of `assign` or `apply`. Each step visits a node of a type. */
const MAX_STEPS = 5000;

/**
 * The types that type parameters are bound to. A call of `assign` that fails changes nothing. Every method throws `TypeTooComplex` when it
 * exceeds a limit.
 */
export class Substitution {
  private readonly known = new Map<string, Type>();
  private readonly undo: [name: string, before: Type | undefined][] = [];
  private steps = 0;
  private remaining: number;

  /** @param work the maximum number of steps of all calls together. Default: only the steps of each call are limited. */
  constructor(work = Number.POSITIVE_INFINITY) {
    this.remaining = work;
  }

  /**
   * Binds parameters so that every `from` type can be used where its `to` type is required. Returns false, and changes nothing, when that
   * is impossible.
   */
  assign(to: readonly Type[], from: readonly Type[]): boolean {
    this.steps = 0;
    if (this.undo.length > 0) this.undo.length = 0;
    if (this.allAssign(to, from)) return true;
    for (const [name, before] of this.undo.reverse()) {
      if (before === undefined) this.known.delete(name);
      else this.known.set(name, before);
    }
    return false;
  }

  /** Replaces the bound parameters in a type; with `toDyn` the unbound ones become dyn. */
  apply(type: Type, toDyn = false): Type {
    this.steps = 0;
    return this.replace(type, toDyn);
  }

  private replace(type: Type, toDyn: boolean): Type {
    this.step();
    if (type.kind === 'param') {
      const bound = this.known.get(type.name);
      if (bound !== undefined) return this.replace(bound, toDyn);
      return toDyn ? DYN : type;
    }
    if (isPlainType(type)) return type;
    const parameters = parametersOf(type);
    if (parameters.length === 0) return type;
    const replaced = parameters.map((one) => this.replace(one, toDyn));
    return replaced.every((one, i) => one === parameters[i]) ? type : withParameters(type, replaced);
  }

  private allAssign(to: readonly Type[], from: readonly Type[]): boolean {
    if (to.length !== from.length) return false;
    for (let i = 0; i < to.length; i++) if (!this.assigns(to[i] ?? DYN, from[i] ?? DYN)) return false;
    return true;
  }

  private assigns(to: Type, from: Type): boolean {
    this.step();
    if (from.kind === 'param') {
      const decided = this.bind(to, from);
      if (decided !== undefined) return decided;
    }
    if (to.kind === 'param') return this.bind(from, to) ?? false;
    if (isDynamic(to) || isDynamic(from)) return true;
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
          to.kind === from.kind && nameOf(to) === nameOf(from) && this.allAssign(parametersOf(to), parametersOf(from))
        );
      case 'any':
        return true;
      default:
        return from.kind === 'wrapper' ? sameType(to, from.of) : sameType(to, from);
    }
  }

  /**
   * Matches a type with a parameter. Returns undefined when the parameter cannot be bound to the type, because the type contains the
   * parameter.
   */
  private bind(type: Type, parameter: Type & { kind: 'param' }): boolean | undefined {
    if (sameType(type, parameter)) return true;
    const bound = this.known.get(parameter.name);
    if (bound !== undefined) {
      if (type.kind === bound.kind && sameType(type, bound)) return true;
      if (!this.assigns(type, bound)) return false;
      this.bindParameter(parameter, moreGeneral(type, bound));
      return true;
    }
    return this.bindParameter(parameter, type) ? true : undefined;
  }

  private bindParameter(parameter: Type & { kind: 'param' }, type: Type): boolean {
    if (!this.absent(parameter, type)) return false;
    this.undo.push([parameter.name, this.known.get(parameter.name)]);
    this.known.set(parameter.name, type);
    return true;
  }

  /** Returns whether a parameter does not occur in a type. */
  private absent(parameter: Type & { kind: 'param' }, within: Type): boolean {
    this.step();
    if (within.kind === 'param') {
      if (within.name === parameter.name) return false;
      const bound = this.known.get(within.name);
      return bound === undefined || this.absent(parameter, bound);
    }
    return isPlainType(within) || parametersOf(within).every((type) => this.absent(parameter, type));
  }

  private step(): void {
    if (++this.steps > MAX_STEPS || --this.remaining < 0) throw new TypeTooComplex('type is too complex');
  }
}

/** Returns whether types of this kind never have parameters. */
const isPlainType = ({ kind }: Type): boolean =>
  kind !== 'list' && kind !== 'map' && kind !== 'opaque' && kind !== 'type';

/** Returns a type in which each type parameter in `names` is replaced by the type at the same index of `to`. */
export function renameParameters(type: Type, names: readonly string[], to: readonly Type[]): Type {
  if (type.kind === 'param') return to[names.indexOf(type.name)] ?? type;
  if (isPlainType(type)) return type;
  return withParameters(
    type,
    parametersOf(type).map((one) => renameParameters(one, names, to)),
  );
}

/** Returns the more general of two compatible types. */
export function moreGeneral(a: Type, b: Type): Type {
  return lessOrEquallySpecific(a, b) ? a : b;
}

const isDynamic = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'any' || type.kind === 'error';

const isWild = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'any' || kind === 'param';

function lessOrEquallySpecific(a: Type, b: Type): boolean {
  if (isWild(a)) return true;
  if (isWild(b)) return false;
  if (a.kind === 'type') return b.kind === 'type';
  if (a.kind === 'wrapper' && b.kind === a.of.kind) return true;
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
