import { inContainer } from '../checker/scope.js';
import type { OverloadCost } from '../cost/cost.js';
import type { Overload } from '../declarations.js';
import type { Environment } from '../environment.js';
import { type Implementation, isForAllTypes } from '../libraries/library.js';
import { patternOf } from '../libraries/pattern.js';
import { type CallExpr, OPERATORS } from '../syntax/ast.js';
import { hasType, typeName } from '../values/types.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { BudgetExceeded } from '../values/work.js';
import type { CompileContext } from './compile-context.js';
import { equality, equalityWithScalar, equalityWithText, membership, onInts, onTexts } from './operators.js';
import { evaluateOperand, type Plan, plan } from './plan.js';
import { type Evaluate, type Frame, isOver } from './program.js';

/** An overload that may be called, with its implementation and cost. */
interface Candidate {
  readonly overload: Overload;
  readonly implementation: Implementation;
  readonly cost: OverloadCost | undefined;
}

/** A call in the expression, with the overloads and costs that are known at compile time. */
interface Site {
  readonly name: string;
  readonly node: number;
  readonly candidates: readonly Candidate[];
  /** The implementation, if all candidate overloads share one. It checks the types of its arguments itself. */
  readonly only: Implementation | undefined;
  /** The default cost of a call, for overloads without a cost of their own. */
  readonly call: number;
  /** The cost, if all candidate overloads have the same one. */
  readonly cost: OverloadCost | undefined;
  /** Whether the call has a constant pattern. As in upstream, its error then does not name the types of its arguments. */
  readonly isCompiled: boolean;
}

export function compileCall(compiler: CompileContext, node: CallExpr): Plan {
  const { receiver, name, ids } = resolve(compiler, node);
  const nodes = receiver && node.target !== undefined ? [node.target, ...node.args] : node.args;
  const args = nodes.map((one) => compiler.compile(one));
  const candidates = candidatesOf(compiler.environment, name, nodes.length, receiver, ids);
  const certain = ids?.length === 1;
  const special = specialOperator(compiler, node, args, candidates, certain);
  if (special !== undefined) return special;
  const pattern = constantPattern(name, args);
  const site = { ...siteOf(compiler, node, name, candidates, certain), isCompiled: pattern !== undefined };
  if (pattern instanceof EvaluationError) compiler.alwaysFails ??= pattern.message;
  const run = invocation(site, args, certain);
  if (!args.every((arg) => arg.known !== undefined) || site.candidates.length === 0) return plan(run);
  const conversion = CONVERSIONS.has(name) && args.length === 1 && !receiver;
  const free = conversion && compiler.costs.constantsAreFree === true && args.every((arg) => arg.constant);
  return compiler.fold(run, free);
}

/**
 * Functions whose second argument is a regular expression. A constant pattern is compiled together with the expression, so that an invalid
 * one is reported before any evaluation, unless that takes too much work.
 */
const PATTERNED: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

function constantPattern(name: string, [, second]: readonly Plan[]) {
  const source = PATTERNED.has(name) && second?.constant === true ? second.known?.outcome : undefined;
  if (typeof source !== 'string') return undefined;
  try {
    return patternOf(source);
  } catch (error) {
    if (error instanceof BudgetExceeded) return undefined;
    throw error;
  }
}

const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** Resolves the called function: `a.b.f(x)` may call `f` of `a.b` or the function `a.b.f`. */
function resolve(compiler: CompileContext, node: CallExpr) {
  const reference = compiler.reference(node);
  const { functions, container } = compiler.environment;
  const ids = reference?.kind === 'call' ? reference.overloads : undefined;
  const qualifier = node.target === undefined ? undefined : compiler.qualified(node.target);
  const spelled = qualifier === undefined ? node.function : `${qualifier}.${node.function}`;
  const isResolved = (name: string) => {
    const known = functions.get(name);
    return known !== undefined && (ids === undefined || known.overloads.some(({ id }) => id === ids[0]));
  };
  const name =
    node.target === undefined || qualifier !== undefined ? inContainer(container, spelled, isResolved) : undefined;
  if (node.target === undefined || name !== undefined) return { receiver: false, name: name ?? spelled, ids };
  return { receiver: true, name: node.function, ids };
}

function candidatesOf(
  environment: Environment,
  name: string,
  count: number,
  receiver: boolean,
  ids: readonly string[] | undefined,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const overload of environment.functions.get(name)?.overloads ?? []) {
    if (overload.parameters.length !== count || (overload.receiver ?? false) !== receiver) continue;
    if (ids !== undefined && !ids.includes(overload.id)) continue;
    const implementation = environment.implementations.get(overload.id);
    if (implementation === undefined) continue;
    candidates.push({ overload, implementation, cost: environment.overloadCosts.get(overload.id) });
  }
  return candidates;
}

function siteOf(
  compiler: CompileContext,
  node: CallExpr,
  name: string,
  found: readonly Candidate[],
  certain: boolean,
): Omit<Site, 'isCompiled'> {
  const candidates = certain ? found : found.map((one) => ({ ...one, cost: uncertainCost(one.cost) }));
  const [first] = candidates;
  const agree = candidates.every((one) => one.cost?.actual === first?.cost?.actual);
  const isShared = candidates.every((one) => one.implementation === first?.implementation);
  const cost = agree ? first?.cost : isShared ? candidates.find((one) => one.cost !== undefined)?.cost : undefined;
  const checksItself = isShared && first !== undefined && isForAllTypes(first.implementation);
  const only = checksItself && !(certain && convertsTime(name, first.overload)) ? first.implementation : undefined;
  return { name, node: node.id, candidates, only, call: compiler.costs.call, cost };
}

/** Returns the cost of an overload that the checker did not select. */
const uncertainCost = (cost: OverloadCost | undefined): OverloadCost | undefined =>
  cost?.certainOnly === true ? undefined : (cost?.uncertain ?? cost);

/**
 * Returns whether an overload converts a timestamp or a duration. The checker selects it also for a member that is declared as a time but
 * is a string at run time (`namespaceObject.metadata.creationTimestamp`), which the overload, unlike the other ones, must then refuse.
 */
function convertsTime(name: string, { parameters: [parameter] }: Overload): boolean {
  return CONVERSIONS.has(name) && (parameter?.kind === 'timestamp' || parameter?.kind === 'duration');
}

/**
 * Compiles the calls that have costs or a fast path of their own: `==`, `!=`, and `in` with a constant list. Returns undefined for any
 * other call.
 */
function specialOperator(
  compiler: CompileContext,
  node: CallExpr,
  args: readonly Plan[],
  candidates: readonly Candidate[],
  certain: boolean,
): Plan | undefined {
  const [left, right] = args;
  if (left === undefined || right === undefined || candidates.length === 0) return undefined;
  const negated = node.function === OPERATORS.notEquals;
  if (negated || node.function === OPERATORS.equals) {
    const run = equalityWith(left, right, negated);
    return left.known !== undefined && right.known !== undefined ? compiler.fold(run, false) : plan(run);
  }
  const inList = node.function === OPERATORS.in && certain && candidates[0]?.overload.id === 'in_list';
  if (inList && right.constant && compiler.costs.constantsAreFree === true) {
    return membership(left, right.known?.outcome);
  }
  return undefined;
}

function equalityWith(left: Plan, right: Plan, negated: boolean): Evaluate {
  const constant = right.known?.cost === 0 ? right.known.outcome : undefined;
  if (typeof constant === 'string') return equalityWithText(left, constant, negated);
  if (typeof constant === 'number' || typeof constant === 'boolean') return equalityWithScalar(left, constant, negated);
  return equality(left, right, negated);
}

function invocation(site: Site, args: readonly Plan[], certain: boolean): Evaluate {
  const [first, second] = args;
  if (site.candidates.length === 0 || first === undefined) return variadic(site, args);
  if (args.length === 1) return unary(site, first);
  if (args.length !== 2 || second === undefined) return variadic(site, args);
  const typed = site.only === undefined ? undefined : typedOperator(site, certain);
  return typed === undefined ? binary(site, first, second) : typed(first, second, generalCall(site));
}

function typedOperator(site: Site, certain: boolean) {
  if (site.call !== 1) return undefined;
  return (certain ? onTexts(site.candidates[0]?.overload.id ?? '') : undefined) ?? onInts(site.name);
}

/** Returns a function that performs a call whose two arguments are already evaluated. */
const generalCall =
  (site: Site) =>
  (frame: Frame, a: Outcome, b: Outcome): Outcome => {
    const error = a instanceof EvaluationError ? a : b instanceof EvaluationError ? b : undefined;
    return error === undefined ? invoke(site, frame, [a, b] as Value[]) : chargeFailure(site, frame, [a, b], error);
  };

function unary(site: Site, arg: Plan): Evaluate {
  const { only, cost, call } = site;
  if (only === undefined || cost !== undefined) return variadic(site, [arg]);
  if (site.name === OPERATORS.not) {
    return (frame) => {
      const value = evaluateOperand(frame, arg);
      frame.cost += call;
      if (typeof value === 'boolean') return !value;
      return value instanceof EvaluationError ? value : new EvaluationError('no such overload', site.node);
    };
  }
  return (frame) => {
    const value = evaluateOperand(frame, arg);
    frame.cost += call;
    if (value instanceof EvaluationError) return value;
    const result = only(value);
    return result instanceof EvaluationError && result.node === 0 ? at(result, site) : result;
  };
}

function binary(site: Site, left: Plan, right: Plan): Evaluate {
  const { only, cost, call } = site;
  if (only === undefined || cost !== undefined || site.isCompiled) return variadic(site, [left, right]);
  return (frame) => {
    const a = evaluateOperand(frame, left);
    const b = evaluateOperand(frame, right);
    frame.cost += call;
    if (a instanceof EvaluationError) return a;
    if (b instanceof EvaluationError) return b;
    const result = only(a, b);
    return result instanceof EvaluationError && result.node === 0 ? at(result, site) : result;
  };
}

/**
 * Compiles a call with any number of arguments. A call with up to two arguments evaluates all of them. With more arguments, with a constant
 * pattern or between several overloads with implementations of their own, an error ends the evaluation and the call is not charged, unless
 * only the last argument failed (recorded from upstream).
 */
function variadic(site: Site, args: readonly Plan[]): Evaluate {
  const nonStrict = site.candidates.some(({ overload }) => overload.nonStrict === true);
  const [chosen] = site.candidates;
  const isDynamic = site.candidates.some(({ implementation }) => implementation !== chosen?.implementation);
  const endsEarly = args.length > 2 || site.isCompiled || isDynamic;
  return (frame) => {
    const values: Outcome[] = [];
    let error: EvaluationError | undefined;
    for (const arg of args) {
      const value = arg.run(frame);
      values.push(value);
      if (nonStrict || !(value instanceof EvaluationError)) continue;
      error ??= value;
      if (endsEarly && values.length < args.length) return error;
    }
    return error === undefined ? invoke(site, frame, values as Value[]) : chargeFailure(site, frame, values, error);
  };
}

function chargeFailure(site: Site, frame: Frame, values: readonly Outcome[], error: EvaluationError): EvaluationError {
  charge(site, frame, site.cost, values);
  if (site.cost?.actualOfResult !== undefined) frame.cost += site.cost.actualOfResult(error);
  return error;
}

function charge(site: Site, frame: Frame, cost: OverloadCost | undefined, values: readonly Outcome[]): void {
  if (cost?.actual === undefined) {
    frame.cost += cost?.actualOfResult === undefined ? site.call : 0;
    return;
  }
  frame.cost += cost.actual(values);
  if (isOver(frame)) throw new BudgetExceeded();
}

function invoke(site: Site, frame: Frame, values: Value[]): Outcome {
  const chosen = site.only === undefined ? choose(site, values) : undefined;
  const implementation = site.only ?? chosen?.implementation;
  const cost = site.cost ?? chosen?.cost;
  charge(site, frame, cost, values);
  if (implementation === undefined) {
    const call = site.isCompiled ? '' : `: ${site.name}(${values.map(typeName).join(', ')})`;
    const failed = new EvaluationError(`no such overload${call}`, site.node);
    if (cost?.actualOfResult !== undefined) frame.cost += cost.actualOfResult(failed);
    return failed;
  }
  const result = implementation(...values);
  if (cost?.actualOfResult !== undefined) {
    frame.cost += cost.actualOfResult(result);
    if (isOver(frame)) throw new BudgetExceeded();
  }
  return result instanceof EvaluationError && result.node === 0 ? at(result, site) : result;
}

function choose(site: Site, values: readonly Value[]): Candidate | undefined {
  for (const candidate of site.candidates) {
    const { parameters } = candidate.overload;
    let fits = true;
    for (let i = 0; fits && i < parameters.length; i++) {
      const parameter = parameters[i];
      fits = parameter !== undefined && hasType(values[i] as Value, parameter);
    }
    if (fits) return candidate;
  }
  return undefined;
}

const at = (error: EvaluationError, site: Site): EvaluationError => new EvaluationError(error.message, site.node);
