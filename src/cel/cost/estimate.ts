import type { Checked } from '../checker/checked.js';
import type { Environment } from '../environment.js';
import { ACCUMULATOR, type CallExpr, type ComprehensionExpr, type Expr, type SelectExpr } from '../syntax/ast.js';
import { codePoints } from '../syntax/source-error.js';
import { DYN, type Type } from '../typing/type.js';
import { add, exactly, multiply, ONE, union, ZERO } from './bounds.js';
import type { Bounds, CallEstimate, EstimateNode } from './cost.js';
import { chosen, sizeOf, standardEstimates } from './standard-estimates.js';

/** The path to a value: `['self', 'names', '@items']`. Elements are `@items`, keys `@keys`, values `@values`. */
export type Path = readonly string[];

/** Returns sizes that are known in advance, for example from a schema; undefined when nothing is known. */
export type SizeSource = (place: { readonly path: Path | undefined; readonly type: Type }) => Bounds | undefined;

/** Estimates the minimum and maximum cost of an expression, from its types and from the sizes of the variables' values. */
export function estimate(environment: Environment, checked: Checked, sizes: SizeSource = () => undefined): Bounds {
  return new Estimator(environment, checked, sizes).cost(checked.ast.root);
}

interface Range {
  readonly path: Path;
  readonly step: string;
}

/** Estimates costs exactly as upstream does, oddities included, because the estimate decides which rules a server accepts. */
class Estimator {
  private readonly costs: (Bounds | undefined)[] = [];
  private readonly paths: (Path | undefined)[] = [];
  /** The sizes of the results of calls and comprehensions, by node id. */
  private readonly resultSizes: (Bounds | undefined)[] = [];
  private readonly ranges = new Map<string, Range[]>();

  private readonly environment: Environment;
  private readonly checked: Checked;
  private readonly sizes: SizeSource;

  constructor(environment: Environment, checked: Checked, sizes: SizeSource) {
    this.environment = environment;
    this.checked = checked;
    this.sizes = sizes;
  }

  /** Returns the cost of a syntax-tree node. A node that a macro has used twice is estimated once and counted twice. */
  cost(node: Expr): Bounds {
    const known = this.costs[node.id];
    if (known !== undefined) return known;
    const cost = this.estimateNode(node);
    this.costs[node.id] = cost;
    return cost;
  }

  private estimateNode(node: Expr): Bounds {
    const { costs } = this.environment;
    switch (node.kind) {
      case 'const':
        return exactly(costs.constant);
      case 'ident':
        return this.name(node, node.name);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.sum(exactly(costs.list), node.elements);
      case 'map':
        return this.sum(
          exactly(costs.map),
          node.entries.flatMap(({ key, value }) => [key, value]),
        );
      case 'struct':
        return this.sum(
          exactly(costs.struct),
          node.fields.map(({ value }) => value),
        );
      case 'comprehension':
        return this.comprehension(node);
    }
  }

  private sum(base: Bounds, nodes: readonly Expr[]): Bounds {
    return nodes.reduce((total, node) => add(total, this.cost(node)), base);
  }

  private name(node: Expr, name: string): Bounds {
    const range = this.ranges.get(name)?.at(-1);
    this.paths[node.id] = range === undefined ? [name] : [...range.path, range.step];
    return exactly(this.environment.costs.select);
  }

  private select(node: SelectExpr): Bounds {
    const { costs } = this.environment;
    const reference = this.checked.references[node.id];
    if (reference !== undefined) return this.name(node, 'name' in reference ? reference.name : node.field);
    const operand = this.cost(node.operand);
    if (node.testOnly) return add(operand, exactly(costs.presence));
    // If the operand has no path, the path starts with this field, as in upstream.
    this.paths[node.id] = [...(this.paths[node.operand.id] ?? []), node.field];
    const { kind } = this.typeOf(node.operand);
    return kind === 'map' || kind === 'object' ? add(operand, exactly(costs.select)) : operand;
  }

  private call(node: CallExpr): Bounds {
    const args = node.args.map((arg) => this.cost(arg));
    const reference = this.checked.references[node.id];
    if (reference?.kind !== 'call') return ZERO;
    // The target of a qualified function name (`a.b.f`) is not a value, so the checker gave it no type.
    const target = node.target !== undefined && this.checked.types[node.target.id] ? node.target : undefined;
    const targetCost = target === undefined ? ZERO : this.cost(target);
    let cost: Bounds | undefined;
    let size: Bounds | undefined;
    for (const overload of reference.overloads) {
      const own = this.overload(overload, target, node.args, args);
      cost = cost === undefined ? own.cost : union(cost, own.cost);
      if (own.size !== undefined) size = size === undefined ? own.size : union(size, own.size);
      if (overload === 'index_list') this.setElementPath(node, '@items');
      if (overload === 'index_map') this.setElementPath(node, '@values');
    }
    if (size !== undefined) this.resultSizes[node.id] = size;
    return add(targetCost, cost ?? ZERO);
  }

  private setElementPath(node: CallExpr, step: string): void {
    const [list] = node.args;
    this.paths[node.id] = [...((list && this.paths[list.id]) ?? []), step];
  }

  private overload(
    id: string,
    target: Expr | undefined,
    args: readonly Expr[],
    costs: readonly Bounds[],
  ): CallEstimate {
    const [first = ZERO, second = ZERO, third = ZERO] = costs;
    // The minimum leaves out the right side, because a short circuit skips it.
    if (id === 'logical_and' || id === 'logical_or') return { cost: { min: first.min, max: add(first, second).max } };
    const nodes = args.map((arg) => this.node(arg));
    if (id === 'conditional') return { cost: add(first, union(second, third)), size: chosen(nodes[1], nodes[2]) };
    const estimator = this.environment.estimates.get(id) ?? standardEstimates().get(id);
    const own = estimator?.(target && this.node(target), nodes) ?? { cost: exactly(this.environment.costs.call) };
    return { ...own, cost: costs.reduce(add, own.cost) };
  }

  private comprehension(node: ComprehensionExpr): Bounds {
    let cost = add(this.cost(node.range), this.cost(node.initial));
    const entered = this.enter(node);
    const loop = add(this.cost(node.step), this.cost(node.condition));
    for (const name of entered) this.ranges.get(name)?.pop();
    cost = add(cost, this.cost(node.result));
    const count = sizeOf(this.node(node.range));
    this.resultSizes[node.id] = count;
    return add(cost, multiply(count, loop));
  }

  /** Binds the iteration variables to the paths of the range's elements. Returns the names of the bound variables. */
  private enter(node: ComprehensionExpr): readonly string[] {
    const path = this.paths[node.range.id] ?? [];
    const list = this.typeOf(node.range).kind === 'list';
    const map = this.typeOf(node.range).kind === 'map';
    const names: string[] = [];
    const bind = (name: string, step: string): void => {
      const ranges = this.ranges.get(name) ?? [];
      ranges.push({ path, step });
      this.ranges.set(name, ranges);
      names.push(name);
    };
    const second = node.variable2;
    if (second !== undefined && (list || map)) bind(second, list ? '@items' : '@values');
    if (map) bind(node.variable, '@keys');
    else if (list) bind(node.variable, second === undefined ? '@items' : '@index');
    else bind(node.variable, '@unknown');
    return names;
  }

  private node(expression: Expr): EstimateNode {
    const own = this.paths[expression.id];
    const path = own?.[0] === ACCUMULATOR ? undefined : own;
    const type = this.typeOf(expression);
    const size = this.resultSizes[expression.id] ?? literalSize(expression) ?? this.sizes({ path, type });
    const element = type.kind === 'list' ? type.element : undefined;
    const elementSize = element && this.sizes({ path: path && [...path, '@items'], type: element });
    return {
      type,
      size,
      path,
      ...(expression.kind === 'const' ? { literal: expression.value } : {}),
      ...(elementSize === undefined ? {} : { elementSize }),
    };
  }

  private typeOf(node: Expr): Type {
    return this.checked.types[node.id] ?? DYN;
  }
}

function literalSize(node: Expr): Bounds | undefined {
  if (node.kind === 'list') return exactly(node.elements.length);
  if (node.kind === 'map') return exactly(node.entries.length);
  if (node.kind !== 'const') return undefined;
  if (typeof node.value === 'string') return exactly(codePoints(node.value));
  return node.value instanceof Uint8Array ? exactly(node.value.length) : ONE;
}
