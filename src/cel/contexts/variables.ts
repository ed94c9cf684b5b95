import { type Bindings, BudgetExceeded } from '../compile/program.js';
import { type Field, type ObjectType, objectType, type Type } from '../typing/type.js';
import { EvaluationError, MapValue, type Outcome, type Value } from '../values/value.js';
import type { Compiled } from './compile-typed.js';

/** Expressions by name that later ones may use, as `variables.name`. */
export class Composition {
  /** The type of `variables`: a field for each expression declared so far. */
  readonly type: ObjectType;
  private readonly compiled = new Map<string, Compiled>();

  constructor(name = 'kubernetes.variables') {
    this.type = objectType(name, { get: (field) => this.field(field), names: () => this.compiled.keys() });
  }

  /** Declares one. What is compiled from now on may use it. */
  declare(name: string, compiled: Compiled): void {
    this.compiled.set(name, compiled);
  }

  /** The values for one request: each is evaluated when it is first needed, at most once, and `spent` counts what that cost. */
  values(bindings: Bindings, limit: number): LazyValues {
    return new LazyValues(this.type, this.compiled, bindings, limit);
  }

  private field(name: string): Field | undefined {
    const type = this.compiled.get(name)?.type;
    return type && { type, property: name };
  }
}

/** `variables` of one request. */
export class LazyValues extends MapValue {
  /** Cost of all that has been evaluated so far. */
  spent = 0;
  readonly type: Type;
  private readonly compiled: ReadonlyMap<string, Compiled>;
  private readonly bindings: Bindings;
  private readonly limit: number;
  private readonly known = new Map<string, Outcome>();

  constructor(type: Type, compiled: ReadonlyMap<string, Compiled>, bindings: Bindings, limit: number) {
    super();
    this.type = type;
    this.compiled = compiled;
    this.bindings = { ...bindings, variables: this };
    this.limit = limit;
  }
  get size(): number {
    return this.compiled.size;
  }
  keys(): Iterable<string> {
    return this.compiled.keys();
  }
  equals(other: Value): boolean {
    return other === this;
  }

  /** @throws {BudgetExceeded} where all variables together cost more than the limit. */
  get(key: Value): Outcome | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const compiled = this.compiled.get(key);
    if (compiled === undefined) return undefined;
    // One that asks for itself would never end: the checker lets none through, as a variable is declared after it is compiled.
    this.known.set(key, new EvaluationError(`variable ${key} depends on itself`));
    const budget = { remaining: this.limit - this.spent };
    const before = budget.remaining;
    try {
      const { outcome } = compiled.program.evaluate(this.bindings, budget);
      this.known.set(key, outcome);
    } catch (error) {
      this.known.delete(key);
      throw error instanceof BudgetExceeded ? new BudgetExceeded(true) : error;
    } finally {
      this.spent += before - budget.remaining;
    }
    // Those that it asked for have counted for themselves.
    if (this.spent > this.limit) throw new BudgetExceeded(true);
    return this.known.get(key);
  }
}
