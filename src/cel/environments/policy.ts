import { trimSpace } from '../../values/trim-space.js';
import { utf8Length } from '../../values/utf8.js';
import { CompilationFailed, compileTyped } from '../contexts/compile-typed.js';
import { CALL_LIMIT, MATCH_LIMIT, MESSAGE_LIMIT, REQUEST_LIMIT } from '../contexts/limits.js';
import { Composition } from '../contexts/variables.js';
import type { Type } from '../typing/type.js';
import { typeName } from '../values/types.js';
import {
  type AdmissionEnvironmentOptions,
  type AdmissionValues,
  admissionBindings,
  admissionEnvironment,
  matchBindings,
} from './admission.js';
import {
  type Condition,
  type ConditionResult,
  compileCondition,
  evaluateConditions,
  OutOfBudget,
} from './conditions.js';
import { compileMatchConditions, type MatchCondition, type MatchResult } from './match-conditions.js';

/** The expressions of the spec of a ValidatingAdmissionPolicy. */
export interface PolicyExpressions {
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
  /** The reaction to an expression that fails. Default: `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
}

/** A validation of a ValidatingAdmissionPolicy. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  /** The reason of the Status with which the validation refuses a request. Default: `Invalid`. */
  readonly reason?: string;
  /** An expression that returns the message. It takes precedence over `message`. */
  readonly messageExpression?: string;
}

/** The result of one validation. */
export interface PolicyDecision {
  readonly action: 'admit' | 'deny';
  /** Whether the action is the result of an expression, or the failure policy's reaction to an error. */
  readonly evaluation: 'admit' | 'deny' | 'error';
  readonly message: string;
  readonly reason?: string;
  /** The duration of the evaluation; absent if `PolicyLimits.now` was not given. */
  readonly elapsed?: number;
}

/** The result of one audit annotation. */
export interface AuditAnnotation {
  readonly key: string;
  readonly action: 'publish' | 'exclude' | 'error';
  readonly value?: string;
  readonly error?: string;
}

/** The result of a policy for one request. */
export interface PolicyResult {
  readonly decisions: readonly PolicyDecision[];
  readonly auditAnnotations: readonly AuditAnnotation[];
  /** The result and the duration of the match conditions; absent when there are none. */
  readonly matched?: { readonly result: MatchResult; readonly elapsed: number };
}

/** The cost limits of one evaluation, and its clock. The default limits are those of the API server. */
export interface PolicyLimits {
  /**
   * The maximum total cost of all validations and messages. The audit annotations together have the same limit. Default:
   * `REQUEST_LIMIT`.
   */
  readonly request?: number;
  /** The maximum cost of a single expression. Default: `CALL_LIMIT`. */
  readonly call?: number;
  /** The maximum total cost of all match conditions. Default: `MATCH_LIMIT`. */
  readonly match?: number;
  /** A clock that measures evaluations. Default: they are not measured. */
  readonly now?: () => number;
}

/** A compiled ValidatingAdmissionPolicy. */
export interface CompiledPolicy {
  /** Compilation errors, each with the path of its expression in the spec: `['validations', 0, 'expression']`. */
  readonly errors: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  /**
   * Evaluates one request for one policy binding. The result has no decisions if a match condition is false, or if match conditions failed
   * and the failure policy is `Ignore`.
   */
  evaluate(values: AdmissionValues, limits?: PolicyLimits): PolicyResult;
}

type Options = Omit<AdmissionEnvironmentOptions, 'variables' | 'authorizer'>;

/**
 * Compiles a ValidatingAdmissionPolicy. An expression that does not compile is an error only when it is evaluated, as in a server that
 * loads a stored policy. Code that accepts new policies must check `errors`.
 */
export function compilePolicy(policy: PolicyExpressions, options: Options = {}): CompiledPolicy {
  const { validations = [], matchConditions = [], auditAnnotations = [], failurePolicy = 'Fail' } = policy;
  const errors: { path: (string | number)[]; message: string }[] = [];
  const { typePackage } = options;
  const composition = new Composition(typePackage);
  const environment = admissionEnvironment({ ...options, authorizer: true, variables: composition });
  // Message expressions cannot refer to `authorizer`. Audit annotations can, but the variable has no value when they are evaluated.
  const withoutAuthorizer = admissionEnvironment({ ...options, variables: composition });
  for (const [index, { name, expression }] of (policy.variables ?? []).entries()) {
    try {
      composition.declare(name, compileTyped(environment, expression));
    } catch (error) {
      if (!(error instanceof CompilationFailed)) throw error;
      errors.push({ path: ['variables', index, 'expression'], message: error.message });
      composition.declareBroken(name, error.message);
    }
  }
  const note = (condition: Condition, path: (string | number)[]): Condition => {
    if (condition.error !== undefined) errors.push({ path, message: condition.error });
    return condition;
  };
  const matcher = compileMatchConditions(admissionEnvironment({ ...options, authorizer: true }), matchConditions);
  for (const [i, condition] of matcher.conditions.entries()) note(condition, ['matchConditions', i, 'expression']);
  const tests = validations.map(({ expression }, i) =>
    note(compileCondition(environment, expression, ['bool']), ['validations', i, 'expression']),
  );
  const messages = validations.map(({ messageExpression: source }, i) =>
    source
      ? note(compileCondition(withoutAuthorizer, source, ['string']), ['validations', i, 'messageExpression'])
      : undefined,
  );
  const annotations = auditAnnotations.map(({ valueExpression }, i) =>
    note(compileCondition(environment, valueExpression, TEXT_OR_NULL), ['auditAnnotations', i, 'valueExpression']),
  );

  function evaluate(admissionValues: AdmissionValues, limits: PolicyLimits = {}): PolicyResult {
    const values = { ...admissionValues, typePackage };
    const { now = () => 0 } = limits;
    const since = now();
    const result = matcher.match(matchBindings(values), failurePolicy, limits.match ?? MATCH_LIMIT);
    const matched = matchConditions.length === 0 ? {} : { matched: { result, elapsed: now() - since } };
    if (!result.matches) return { ...unmatchedResult(result), ...matched };
    const request = limits.request ?? REQUEST_LIMIT;
    const callLimit = limits.call ?? CALL_LIMIT;
    /**
     * Evaluates all validations, all messages or all audit annotations. Each call evaluates the variables of the policy again and charges
     * their cost again.
     */
    const evaluateAll = (conditions: readonly (Condition | undefined)[], remaining: number) => {
      const { authorize, ...others } = values;
      const seen = conditions === tests ? { ...others, authorize } : others;
      const variables = composition.values(admissionBindings(seen), remaining, callLimit);
      const spending = { remaining, callLimit, variables };
      const bindings = admissionBindings(seen, variables);
      const elapsed: number[] = [];
      const results = conditions.map((one) => {
        const begun = now();
        const result = one && evaluateConditions([one], bindings, spending)[0];
        elapsed.push(now() - begun);
        return result;
      });
      return { results, elapsed, remaining: spending.remaining };
    };
    try {
      const evaluatedTests = evaluateAll(tests, request);
      const evaluatedMessages = attempt(() => evaluateAll(messages, evaluatedTests.remaining));
      const decisions = validations.map((validation, i): PolicyDecision => {
        const decision = decide(
          validation,
          evaluatedTests.results[i] as ConditionResult,
          evaluatedMessages,
          i,
          failurePolicy,
        );
        return limits.now ? { ...decision, elapsed: evaluatedTests.elapsed[i] ?? 0 } : decision;
      });
      const { results } = evaluateAll(annotations, request);
      const keys = auditAnnotations.map(({ key, valueExpression }, i) =>
        annotate(key, valueExpression, results[i] as ConditionResult, failurePolicy),
      );
      return { decisions, auditAnnotations: keys, ...matched };
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return { decisions: [failedDecision(error.message, failurePolicy)], auditAnnotations: [], ...matched };
    }
  }
  return { errors, evaluate };
}

const TEXT_OR_NULL: readonly Type['kind'][] = ['string', 'null'];

const unmatchedResult = ({ error }: MatchResult): PolicyResult => ({
  decisions: error === undefined ? [] : [failedDecision(error, 'Fail')],
  auditAnnotations: [],
});
const failedDecision = (message: string, policy: 'Fail' | 'Ignore'): PolicyDecision => ({
  action: policy === 'Ignore' ? 'admit' : 'deny',
  evaluation: 'error',
  message,
});

type Messages = { readonly results: readonly (ConditionResult | undefined)[] } | OutOfBudget;
function attempt(work: () => Exclude<Messages, OutOfBudget>): Messages {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

function decide(
  validation: Validation,
  result: ConditionResult,
  messages: Messages,
  index: number,
  policy: 'Fail' | 'Ignore',
): PolicyDecision {
  if ('error' in result) return failedDecision(result.error, policy);
  if (messages instanceof OutOfBudget) return failedDecision(`failed messageExpression: ${messages.message}`, policy);
  if (result.value === true) return { action: 'admit', evaluation: 'admit', message: '' };
  const { reason = 'Invalid', expression, message = '' } = validation;
  const written = trimSpace(message) === '' ? `failed expression: ${trimSpace(expression)}` : trimSpace(message);
  return { action: 'deny', evaluation: 'deny', reason, message: textOf(messages.results[index]) ?? written };
}

/** Returns the message of a message expression; undefined if it failed or its result is empty, too long or has several lines. */
function textOf(result: ConditionResult | undefined): string | undefined {
  if (result === undefined || 'error' in result || typeof result.value !== 'string') return undefined;
  const text = trimSpace(result.value);
  return text === '' || text.includes('\n') || utf8Length(text) > MESSAGE_LIMIT ? undefined : text;
}

function annotate(
  key: string,
  expression: string,
  result: ConditionResult,
  policy: 'Fail' | 'Ignore',
): AuditAnnotation {
  if ('error' in result) return { key, action: policy === 'Ignore' ? 'exclude' : 'error', error: result.error };
  const { value } = result;
  if (value === null) return { key, action: 'exclude' };
  if (typeof value !== 'string') {
    const error = `valueExpression '${expression}' resulted in unsupported return type: ${typeName(value)}. Return type must be either string or null.`;
    return { key, action: 'error', error };
  }
  return trimSpace(value) === '' ? { key, action: 'exclude' } : { key, action: 'publish', value: trimSpace(value) };
}
