import { quote } from '../../values/quote.js';
import { trimSpace } from '../../values/trim-space.js';
import { utf8Length } from '../../values/utf8.js';
import { type Bindings, type Budget, BudgetExceeded, type Evaluation } from '../compile/program.js';
import type { Bounds, CostTable } from '../cost/cost.js';
import { estimate } from '../cost/estimate.js';
import { createEnvironment, type Environment, withVariables } from '../environment.js';
import { kubernetesLibraries } from '../libraries/kubernetes.js';
import { type SchemaType, sizesOf } from '../schema/schema-type.js';
import { optionalOf } from '../typing/type.js';
import type { TypePackage } from '../typing/type-package.js';
import { NONE, Optional } from '../values/optional.js';
import { EvaluationError, type Value } from '../values/value.js';
import { CompilationFailed, type Compiled, compileTyped } from './compile-typed.js';
import { CALL_LIMIT, MESSAGE_LIMIT } from './limits.js';

/** A validation rule as schemas contain it. */
export interface Rule {
  /** An expression over `self` and, in updates, `oldSelf`; true when the value is valid. */
  readonly rule: string;
  readonly message?: string;
  /** An expression that returns the message. It takes precedence over `message`. */
  readonly messageExpression?: string;
  /** Whether `oldSelf` is an optional, so that the rule is also evaluated without an old value. Default: false. */
  readonly optionalOldSelf?: boolean;
}

/** The options of {@link compileRule}. */
export interface RuleOptions {
  readonly costs: CostTable;
  /** The minor version of the Kubernetes release whose CEL libraries the rule may use. Default: 31. */
  readonly release?: number;
  /** The package of the API's own types. Default: `kubernetes`. */
  readonly typePackage?: TypePackage;
}

/** The type of `self` in an expression, and the minor version of the release whose CEL libraries the expression may use. */
export interface ExpressionScope {
  readonly place: SchemaType;
  readonly release: number;
}

/** A compiled validation rule. */
export interface CompiledRule {
  readonly rule: Rule;
  /** Whether the rule uses `oldSelf`. Such a rule is skipped without an old value, unless `oldSelf` is optional. */
  readonly isTransition: boolean;
  /** The estimated cost of one evaluation. */
  readonly estimate: Bounds;
  readonly messageEstimate: Bounds | undefined;
  /** Evaluates the rule. `callLimit` is the maximum cost; default `CALL_LIMIT`. */
  evaluate(values: RuleValues, budget: Budget, callLimit?: number): RuleOutcome;
}

/** The values to which a rule applies. */
export interface RuleValues {
  /** The value to which the rule applies. */
  readonly self: unknown;
  /** The value before the update; undefined or null when there was none. */
  readonly oldSelf?: unknown;
}

/** The result of evaluating a rule. */
export type RuleOutcome =
  | { readonly result: 'valid' | 'skipped' }
  | { readonly result: 'invalid'; readonly message: string; readonly messageError?: string }
  /** The evaluation failed, or its result is not a bool. */
  | { readonly result: 'error'; readonly message: string }
  /**
   * The cost budget that the rules share is exhausted, so that further rules must not be evaluated. `byMessage`: the rule evaluated to
   * false, and its message expression exhausted the budget.
   */
  | { readonly result: 'exhausted'; readonly message: string; readonly byMessage?: boolean };

/**
 * Compiles a validation rule. `place` is the type of the schema that contains the rule, which is the type of `self`.
 * @throws CompilationFailed with the errors, for a rule that is empty or does not compile.
 */
export function compileRule(place: SchemaType, rule: Rule, options: RuleOptions): CompiledRule {
  const scope = { place, release: options.release ?? 31 };
  return compileInScopes(rule, options, scope, scope);
}

/** Compiles a rule like {@link compileRule}, with separate scopes for its expression and its message expression. */
export function compileInScopes(
  rule: Rule,
  options: RuleOptions,
  scope: ExpressionScope,
  messageScope: ExpressionScope,
): CompiledRule {
  if (trimSpace(rule.rule) === '') throw new CompilationFailed('rule is not specified');
  const { place } = scope;
  const environmentOf = (each: ExpressionScope) =>
    ruleEnvironment(each.place, rule, { ...options, release: each.release });
  const environment = environmentOf(scope);
  const main = compileTyped(environment, rule.rule, ['bool'], 'cel expression must evaluate to a bool');
  // Nearly all rules have one scope for both expressions.
  const message = rule.messageExpression
    ? compileMessage(
        messageScope === scope ? environment : environmentOf(messageScope),
        rule.messageExpression,
        messageScope.place,
      )
    : undefined;
  const isTransition = mentions(main, 'oldSelf');
  return Object.freeze({
    rule,
    isTransition,
    estimate: estimate(environment, main.checked, sizesOf(place)),
    messageEstimate: message?.estimate,
    evaluate: (values: RuleValues, budget: Budget, callLimit = CALL_LIMIT) =>
      isTransition && (values.oldSelf ?? null) === null && rule.optionalOldSelf !== true
        ? { result: 'skipped' as const }
        : evaluateRule({ rule, main, message, limit: callLimit, place, values }, budget),
  });
}

function ruleEnvironment(place: SchemaType, rule: Rule, options: RuleOptions): Environment {
  return withVariables(libraryEnvironment(options), [
    { name: 'self', type: place.type },
    { name: 'oldSelf', type: rule.optionalOldSelf ? optionalOf(place.type) : place.type },
  ]);
}

/**
 * Returns the environment to which the variables of a rule are added. Rules with the same cost table, release and package of types share
 * it.
 */
function libraryEnvironment({ costs, release = 31, typePackage = 'kubernetes' }: RuleOptions): Environment {
  let known = environments.get(costs);
  if (!known) environments.set(costs, (known = new Map()));
  const key = `${release} ${typePackage}`;
  let environment = known.get(key);
  if (!environment) {
    environment = createEnvironment({
      libraries: kubernetesLibraries(release, { typePackage }),
      homogeneousLiterals: true,
      repeatedKeys: true,
      costs,
    });
    known.set(key, environment);
  }
  return environment;
}
const environments = new WeakMap<CostTable, Map<string, Environment>>();

interface CompiledMessage {
  readonly compiled: Compiled;
  readonly place: SchemaType;
  readonly estimate: Bounds;
}

function compileMessage(environment: Environment, source: string, place: SchemaType): CompiledMessage {
  try {
    const compiled = compileTyped(environment, source, ['string'], 'must evaluate to a string');
    return { compiled, place, estimate: estimate(environment, compiled.checked, sizesOf(place)) };
  } catch (error) {
    if (error instanceof CompilationFailed) throw new CompilationFailed(`messageExpression ${error.message}`);
    throw error;
  }
}

const mentions = ({ checked }: Compiled, name: string): boolean =>
  checked.references.some((reference) => reference?.kind === 'variable' && reference.name === name);

function bind(place: SchemaType, rule: Rule, { self, oldSelf }: RuleValues): Bindings {
  const old = (): Value | EvaluationError => {
    if (rule.optionalOldSelf !== true) return place.read(oldSelf);
    if (oldSelf === undefined || oldSelf === null) return NONE;
    const value = place.read(oldSelf);
    return value instanceof EvaluationError ? value : new Optional(value);
  };
  return { self: () => place.read(self), oldSelf: old };
}

/**
 * Returns the values of the variables for a message. As in upstream, `oldSelf` is never an optional in a message, although it is compiled
 * as one if the rule has `optionalOldSelf`, and it has no value if there is no old value.
 */
function bindMessage(place: SchemaType, { self, oldSelf }: RuleValues): Bindings {
  const own = { self: () => place.read(self) };
  return oldSelf === undefined || oldSelf === null ? own : { ...own, oldSelf: () => place.read(oldSelf) };
}

interface Run {
  readonly rule: Rule;
  readonly main: Compiled;
  readonly message: CompiledMessage | undefined;
  readonly limit: number;
  readonly place: SchemaType;
  readonly values: RuleValues;
}

const EXHAUSTED = 'validation failed due to running out of cost budget, no further validation rules will be run';

function evaluateRule(ruleRun: Run, budget: Budget): RuleOutcome {
  const { main, rule, limit, place, values } = ruleRun;
  const evaluated = evaluate(main, bind(place, rule, values), budget, limit);
  if (evaluated instanceof BudgetExceeded) {
    const message = `'${evaluated.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${nameOf(rule)}`;
    return { result: 'exhausted', message: evaluated.shared ? EXHAUSTED : message };
  }
  const { outcome } = evaluated;
  if (outcome === true) return { result: 'valid' };
  if (outcome instanceof EvaluationError) return { result: 'error', message: failureMessage(outcome, rule) };
  if (outcome !== false) return { result: 'error', message: `rule did not evaluate to a bool: ${rule.rule}` };
  return refuse(ruleRun, budget);
}

/** Returns the name of a rule in errors: its message, or else its source. */
const nameOf = ({ rule, message }: Rule): string => trimSpace(message ?? '') || trimSpace(rule);

function failureMessage({ message }: EvaluationError, rule: Rule): string {
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${nameOf(rule)}`;
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`;
}

/** Returns the outcome of a rule that evaluated to false. If its message expression fails, the static message is used. */
function refuse({ rule, message, limit, values }: Run, budget: Budget): RuleOutcome {
  const written = trimSpace(rule.message ?? '') || `failed rule: ${trimSpace(rule.rule)}`;
  if (message === undefined) return { result: 'invalid', message: written };
  const evaluated = evaluate(message.compiled, bindMessage(message.place, values), budget, limit);
  if (evaluated instanceof BudgetExceeded) {
    const shared =
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    const own = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quote(rule.messageExpression ?? '')}`;
    return { result: 'exhausted', message: evaluated.shared ? shared : own, byMessage: true };
  }
  const problem = problemOf(evaluated.outcome);
  if (problem !== undefined) return { result: 'invalid', message: written, messageError: problem };
  return { result: 'invalid', message: trimSpace(String(evaluated.outcome)) };
}

function problemOf(outcome: Evaluation['outcome']): string | undefined {
  if (outcome instanceof EvaluationError) return `messageExpression evaluation failed due to: ${outcome.message}`;
  if (typeof outcome !== 'string') return 'messageExpression should evaluate to a string';
  const text = trimSpace(outcome);
  if (text === '') return 'messageExpression should evaluate to a non-empty string';
  if (text.includes('\n')) return 'messageExpression should not contain line breaks';
  const size = utf8Length(text);
  return size > MESSAGE_LIMIT ? `messageExpression beyond allowable length of ${MESSAGE_LIMIT}` : undefined;
}

function evaluate(
  { program }: Compiled,
  bindings: Bindings,
  budget: Budget,
  limit: number,
): Evaluation | BudgetExceeded {
  try {
    return program.evaluate(bindings, budget, limit);
  } catch (error) {
    if (error instanceof BudgetExceeded) return error;
    throw error;
  }
}
