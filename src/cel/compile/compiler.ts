import type { Checked, Reference } from '../checker/checked.js';
import { inContainer } from '../checker/scope.js';
import type { CostTable } from '../cost/cost.js';
import type { Environment } from '../environment.js';
import { type CallExpr, type Expr, type IdentExpr, OPERATORS, type SelectExpr } from '../syntax/ast.js';
import { identifierOf, type Type } from '../typing/type.js';
import { TypeValue } from '../values/optional.js';
import { TYPE_NAMES } from '../values/types.js';
import { EvaluationError, type Outcome } from '../values/value.js';
import { beginWork, endWork } from '../values/work.js';
import { has, index, invalidKey, type Step, select } from './attributes.js';
import { compileCall } from './calls.js';
import type { CompileContext } from './compile-context.js';
import { compileFold } from './folds.js';
import { compileList, compileMap, compileStruct } from './literals.js';
import { and, conditional, lazyAlternative, notStrictlyFalse, or } from './logic.js';
import { hasMember, knownField, memberAt, routeThrough } from './member.js';
import { attribute, constant, constantPlan, type Plan, plan } from './plan.js';
import type { Evaluate, Frame } from './program.js';
import { asObjectType, type Slot } from './slots.js';
import { globalVariable, localVariable, type Variable } from './variables.js';

/** The maximum cost of a constant that is evaluated at compile time. More expensive constants are evaluated at run time. */
const MOST_FOLDED = 10_000;

const LOGIC: Readonly<Record<string, (left: Evaluate, right: Evaluate) => Evaluate>> = {
  [OPERATORS.and]: and,
  [OPERATORS.or]: or,
};

/** Compiles the syntax-tree nodes of one AST to closures. */
export class Compiler implements CompileContext {
  readonly environment: Environment;
  readonly costs: CostTable;
  readonly folding: boolean;
  /** The number of slots that an evaluation needs. */
  size = 0;
  /** Variables that are looked up by name when an evaluation begins. */
  readonly bound: Variable[] = [];
  alwaysFails: string | undefined;
  private readonly checked: Pick<Checked, 'types' | 'references'> | undefined;
  private readonly globals = new Map<string, Slot>();
  private readonly locals = new Map<string, Slot[]>();
  /** The compiled forms of nodes that occur twice in the syntax tree, because a macro used the same node twice. */
  private readonly shared = new Map<Expr, Plan[]>();

  constructor(environment: Environment, checked: Pick<Checked, 'types' | 'references'> | undefined, folding: boolean) {
    this.environment = environment;
    this.costs = environment.costs;
    this.checked = checked;
    this.folding = folding;
  }

  type(node: Expr): Type | undefined {
    return this.checked?.types[node.id];
  }
  reference(node: Expr): Reference | undefined {
    return this.checked?.references[node.id];
  }

  compile(node: Expr): Plan {
    // The tree is compiled in evaluation order. Therefore the first compiled form of a shared node evaluates the node, and the second one
    // returns the stored result.
    if (this.shared.size > 0) {
      const plans = this.shared.get(node);
      const repeated = plans?.length === 2 ? plans.shift() : plans?.[0];
      if (repeated !== undefined) return repeated;
    }
    switch (node.kind) {
      case 'const':
        return constant(node.value);
      case 'ident':
        return this.ident(node);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return compileList(this, node);
      case 'map':
        return compileMap(this, node);
      case 'struct':
        return compileStruct(this, node);
      case 'comprehension':
        return compileFold(this, node);
    }
  }

  /** Assigns a slot to a local variable while the scope of the variable is compiled. */
  within<T>(name: string, type: Type | undefined, body: (slot: Slot) => T): T {
    const slots = this.locals.get(name) ?? [];
    const slot = this.slot(type);
    this.locals.set(name, slots);
    slots.push(slot);
    try {
      return body(slot);
    } finally {
      slots.pop();
    }
  }
  local(name: string): Slot | undefined {
    const slots = this.locals.get(name);
    return slots?.[slots.length - 1];
  }
  private slot(type?: Type): Slot {
    const object = asObjectType(type);
    return { value: this.size++, members: object === undefined ? undefined : this.size++, type: object };
  }

  private step({ id }: Expr, optional = false, base = 0): Step {
    return { node: id, cost: this.costs.select, optional, base };
  }

  private ident(node: IdentExpr): Plan {
    const reference = this.reference(node);
    if (reference !== undefined) return this.referred(node, reference);
    const local = this.local(node.name);
    if (local !== undefined) return localVariable(local, this.costs.select);
    return this.named(node, node.name) ?? this.variable(node.name.replace(/^\./, ''), node);
  }

  private referred(node: Expr, reference: Reference): Plan {
    switch (reference.kind) {
      case 'constant':
        return constant(reference.value);
      case 'type':
        return constant(new TypeValue(this.typeNamed(reference.name) ?? reference.name));
      case 'variable': {
        // The checker resolves `.x` to an iteration variable `x`, too, because upstream ignores the dot in both stages.
        const local = node.kind === 'ident' ? this.local(reference.name) : undefined;
        return local === undefined ? this.variable(reference.name, node) : localVariable(local, this.costs.select);
      }
      case 'call':
        throw new TypeError(`node ${node.id} is not a call`);
    }
  }

  private select(node: SelectExpr): Plan {
    const reference = this.reference(node);
    if (reference !== undefined) return this.referred(node, reference);
    if (this.checked === undefined && !node.testOnly) {
      const name = this.qualified(node);
      const found = name === undefined ? undefined : this.named(node, name);
      if (found !== undefined) return found;
    }
    const operand = this.compile(node.operand);
    const field = knownField(this.type(node.operand), node.field);
    const { route } = operand;
    const cost = this.costs.select + (route?.cost ?? 0);
    if (node.testOnly) {
      const test = has(operand, node.field, field, this.step(node));
      const member = memberAt(route, field, cost);
      // Upstream subtracts the cost of a name from every `has`, although a conditional expression does not begin with a name.
      const base = this.costs.presence - (operand.base === 0 ? this.costs.select : 0);
      return attribute(member === undefined ? test : (frame) => hasMember(frame, member, test), base);
    }
    const base = operand.base ?? this.costs.select;
    const member = memberAt(route, field, cost + base);
    const own = member && routeThrough(member, cost);
    const raw = select(operand, node.field, field, this.step(node));
    const run = base === 0 ? raw : select(operand, node.field, field, this.step(node, false, base));
    return attribute(raw, base, run, own, member);
  }

  /** Returns the dotted name that a chain of selections spells, unless it begins with a local variable. */
  qualified(node: Expr): string | undefined {
    if (node.kind === 'ident') return this.local(node.name) === undefined ? node.name : undefined;
    if (node.kind !== 'select' || node.testOnly) return undefined;
    const operand = this.qualified(node.operand);
    return operand === undefined ? undefined : `${operand}.${node.field}`;
  }

  /** Returns a declared variable or a type with that name. */
  private named(node: Expr, spelled: string): Plan | undefined {
    const { container, variables } = this.environment;
    const isKnown = (name: string) => variables.has(name) || this.typeNamed(name) !== undefined;
    const name = inContainer(container, spelled, isKnown);
    if (name === undefined) return undefined;
    if (variables.has(name)) return this.variable(name, node);
    const type = this.typeNamed(name);
    return type === undefined ? undefined : attribute(() => new TypeValue(type), this.costs.select);
  }
  private typeNamed(name: string): string | undefined {
    if (TYPE_NAMES.has(name)) return name;
    const type = this.environment.types.find(name);
    return type === undefined ? undefined : identifierOf(type);
  }

  private variable(name: string, node: Expr): Plan {
    let slot = this.globals.get(name);
    if (slot === undefined) {
      slot = this.slot(this.type(node));
      this.globals.set(name, slot);
      // Every object inherits the members of Object.prototype. A variable with the name of such a member is therefore not read when
      // the evaluation begins, but when it is needed, and only as an own member of the bindings.
      if (!(name in Object.prototype)) this.bound.push({ slot, name, node: node.id });
    }
    return globalVariable({ slot, name, node: node.id }, this.costs.select);
  }

  private call(node: CallExpr): Plan {
    const [first, second, third] = node.args;
    if (node.target === undefined && first !== undefined) {
      if (node.function === OPERATORS.conditional && second !== undefined && third !== undefined) {
        const alternatives = sharedTarget(node);
        if (alternatives !== undefined) this.share(alternatives);
        return attribute(conditional(this.compile(first).run, this.compile(second).raw, this.compile(third).raw), 0);
      }
      if (node.function === OPERATORS.notStrictlyFalse) return plan(notStrictlyFalse(this.compile(first).run));
      const logic = Object.hasOwn(LOGIC, node.function) ? LOGIC[node.function] : undefined;
      if (logic !== undefined && second !== undefined) {
        return plan(logic(this.compile(first).run, this.compile(second).run));
      }
      if (second !== undefined) {
        const selected = this.selection(node, first, second);
        if (selected !== undefined) return selected;
      }
    }
    const isAlternative = node.args.length === 1 && (node.function === 'or' || node.function === 'orValue');
    if (
      isAlternative &&
      node.target !== undefined &&
      first !== undefined &&
      this.environment.functions.has('orValue')
    ) {
      return plan(
        lazyAlternative(this.compile(node.target).run, this.compile(first).run, node.function === 'or', node.id),
      );
    }
    return compileCall(this, node);
  }

  private selection(node: CallExpr, first: Expr, second: Expr): Plan | undefined {
    const optional = node.function !== OPERATORS.index;
    if (node.function === OPERATORS.optionalSelect && second.kind === 'const' && typeof second.value === 'string') {
      const operand = this.compile(first);
      const raw = select(operand, second.value, undefined, this.step(node, true));
      return attribute(raw, operand.base ?? this.costs.select);
    }
    if (node.function !== OPERATORS.index && node.function !== OPERATORS.optionalIndex) return undefined;
    const operand = this.compile(first);
    const key = this.compile(second);
    const constantKey = key.constant ? key.known?.outcome : undefined;
    if (constantKey !== undefined) this.alwaysFails ??= invalidKey(constantKey)?.message;
    return attribute(index(operand.raw, key.raw, this.step(node, optional)), operand.base ?? this.costs.select);
  }

  /**
   * Compiles a node that a macro has used twice. The first evaluation stores the result; the second one charges the cost again and returns
   * the stored result.
   */
  private share(node: Expr): void {
    if (this.shared.has(node)) return;
    const once = this.compile(node);
    if (once.known !== undefined) {
      this.shared.set(node, [once]);
      return;
    }
    const [result, cost] = [this.size++, this.size++];
    const remember: Evaluate = (frame) => {
      const before = frame.cost;
      const outcome = once.run(frame);
      frame.slots[result] = outcome;
      frame.slots[cost] = frame.cost - before;
      return outcome;
    };
    const recall: Evaluate = (frame) => {
      frame.cost += frame.slots[cost] as number;
      return frame.slots[result] as Outcome;
    };
    this.shared.set(node, [plan(remember), plan(recall)]);
  }

  /**
   * Evaluates a node without variables at compile time; its cost is still charged at run time. A node that exceeds the limit of cost or
   * work is evaluated at run time instead.
   */
  fold(run: Evaluate, free: boolean): Plan {
    if (!this.folding && !free) return plan(run);
    const frame: Frame = { slots: [], bindings: {}, cost: 0, limit: MOST_FOLDED };
    beginWork();
    try {
      const outcome = run(frame);
      if (frame.cost > MOST_FOLDED) return plan(run);
      if (!free) return constantPlan(outcome, frame.cost);
      if (outcome instanceof EvaluationError) {
        this.alwaysFails ??= outcome.message;
        return constantPlan(outcome, 0);
      }
      return constant(outcome);
    } catch {
      return plan(run);
    } finally {
      endWork();
    }
  }
}

/**
 * Returns the target that the expansion of `optMap` or `optFlatMap` contains twice: `t.hasValue() ? ...t.value()... : optional.none()`.
 * Evaluating it twice would double the work with each level of nesting.
 */
function sharedTarget(node: CallExpr): Expr | undefined {
  const [test, mapped] = node.args;
  if (node.function !== OPERATORS.conditional || test?.kind !== 'call' || test.function !== 'hasValue')
    return undefined;
  const wrapped = mapped?.kind === 'call' && mapped.function === 'optional.of' ? mapped.args[0] : mapped;
  if (wrapped?.kind !== 'comprehension' || wrapped.initial.kind !== 'call') return undefined;
  const { target } = wrapped.initial;
  return target !== undefined && target === test.target ? target : undefined;
}
