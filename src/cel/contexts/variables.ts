import { type Bindings, BudgetExceeded } from '../compile/program.js';
import { DYN, type Field, listOf, mapOf, type ObjectType, objectType, type Type } from '../typing/type.js';
import type { TypePackage } from '../typing/type-package.js';
import { EvaluationError, MapValue, type Outcome, type Value } from '../values/value.js';
import type { Compiled } from './compile-typed.js';
import { CALL_LIMIT } from './limits.js';

/** The variables of an admission policy: named expressions that later expressions read as `variables.name`. */
export class Composition {
  /** The type of `variables`, with a field for each expression declared so far. */
  readonly type: ObjectType;
  private readonly compiled = new Map<string, Compiled | Broken>();
  private readonly types = new Map<string, Type>();

  /** @param typePackage the package of the type of `variables`. Default: `kubernetes` */
  constructor(typePackage: TypePackage = 'kubernetes') {
    this.type = objectType(`${typePackage}.variables`, {
      get: (field) => this.field(field),
      names: () => this.types.keys(),
    });
  }

  /** Declares a variable with its compiled expression. Expressions that are compiled afterwards may read the variable. */
  declare(name: string, compiled: Compiled): void {
    this.compiled.set(name, compiled);
    this.declareType(name, compiled.type);
  }

  /** Declares a variable whose value is never needed, because the expressions are only checked. */
  declareType(name: string, type: Type): void {
    this.types.set(name, asVariable(type));
  }

  /** Declares a variable whose expression does not compile. Its type is dyn, and expressions that need its value get the error. */
  declareBroken(name: string, error: string): void {
    this.compiled.set(name, { error });
    this.types.set(name, DYN);
  }

  /**
   * Returns the values of all variables for one request. A variable is evaluated on first use, at most once, and `spent` sums up the costs.
   * @param limit the maximum total cost of all variables.
   * @param callLimit the maximum cost of a single variable. Default: `CALL_LIMIT`.
   */
  values(bindings: Bindings, limit: number, callLimit = CALL_LIMIT): LazyValues {
    return new LazyValues({ type: this.type, compiled: this.compiled, limit, callLimit }, bindings);
  }

  private field(name: string): Field | undefined {
    const type = this.types.get(name);
    return type && { type, property: name };
  }
}

/** An expression that does not compile. */
interface Broken {
  readonly error: string;
}

/** Returns the type of a variable. As in upstream, values of objects and of the types of libraries are dyn as variables. */
function asVariable(type: Type): Type {
  switch (type.kind) {
    case 'list':
      return listOf(asVariable(type.element));
    case 'map':
      return mapOf(asVariable(type.key), asVariable(type.value));
    case 'object':
    case 'opaque':
    case 'type':
    case 'wrapper':
    case 'param':
    case 'error':
      return DYN;
    default:
      return type;
  }
}

interface Declared {
  readonly type: Type;
  readonly compiled: ReadonlyMap<string, Compiled | Broken>;
  readonly limit: number;
  readonly callLimit: number;
}

/** The value of `variables` in one request. */
export class LazyValues extends MapValue {
  /** The cost of all evaluations so far. */
  spent = 0;
  private readonly declared: Declared;
  private readonly bindings: Bindings;
  private readonly known = new Map<string, Outcome>();

  constructor(declared: Declared, bindings: Bindings) {
    super();
    this.declared = declared;
    this.bindings = { ...bindings, variables: this };
  }
  get type(): Type {
    return this.declared.type;
  }
  get size(): number {
    return this.declared.compiled.size;
  }
  keys(): Iterable<string> {
    return this.declared.compiled.keys();
  }
  equals(other: Value): boolean {
    return other === this;
  }

  /** Returns the value of a variable. @throws BudgetExceeded when all variables together cost more than the limit. */
  get(key: Value): Outcome | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const compiled = this.declared.compiled.get(key);
    if (compiled === undefined) return undefined;
    // If the expression used its own variable, it would find this error instead of recursing without end. The checker refuses such an
    // expression anyway, because a variable is declared only after it is compiled.
    this.known.set(key, new EvaluationError(`variable ${key} depends on itself`));
    const outcome = this.evaluate(key, compiled);
    this.known.set(key, outcome);
    if (this.spent > this.declared.limit) throw new BudgetExceeded(true);
    return outcome;
  }

  private evaluate(name: string, compiled: Compiled | Broken): Outcome {
    if ('error' in compiled) {
      return new EvaluationError(`composited variable "${name}" fails to compile: ${compiled.error}`);
    }
    const budget = { remaining: Number.MAX_SAFE_INTEGER };
    let outcome: Outcome;
    try {
      outcome = compiled.program.evaluate(this.bindings, budget, this.declared.callLimit).outcome;
    } catch (error) {
      if (!(error instanceof BudgetExceeded) || error.shared) throw error;
      outcome = new EvaluationError(error.message);
    } finally {
      this.spent += Number.MAX_SAFE_INTEGER - budget.remaining;
    }
    if (!(outcome instanceof EvaluationError)) return outcome;
    return new EvaluationError(`composited variable "${name}" fails to evaluate: ${outcome.message}`);
  }
}
