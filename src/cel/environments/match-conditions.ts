import type { Bindings } from '../compile/program.js';
import { MATCH_LIMIT } from '../contexts/limits.js';
import type { Environment } from '../environment.js';
import {
  type Condition,
  type ConditionResult,
  compileCondition,
  evaluateConditions,
  OutOfBudget,
} from './conditions.js';

/** A named expression that must be true for a webhook or a policy to apply. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** The result of match conditions. */
export interface MatchResult {
  readonly matches: boolean;
  /** The name of the first condition that is false. */
  readonly failed?: string;
  /** The error when the result is unknown; the request is then refused. */
  readonly error?: string;
  /** The number of conditions whose evaluation failed. Conditions after the first false one do not count. Absent for none. */
  readonly errors?: number;
}

/** Compiled match conditions. */
export interface CompiledMatchConditions {
  readonly conditions: readonly Condition[];
  /**
   * Returns whether all conditions are true. A false condition decides the result even if conditions before it failed. Otherwise the
   * failure policy decides about errors: `Fail` returns them, and with `Ignore` the request does not match.
   * @param limit the maximum total cost of all conditions. Default: `MATCH_LIMIT`.
   */
  match(bindings: Bindings, failurePolicy?: 'Fail' | 'Ignore', limit?: number): MatchResult;
}

/** Compiles the match conditions of a webhook or a policy. `environment` must be an admission environment with the authorizer. */
export function compileMatchConditions(
  environment: Environment,
  conditions: readonly MatchCondition[],
): CompiledMatchConditions {
  const compiled = conditions.map(({ expression }) => compileCondition(environment, expression, ['bool']));
  return {
    conditions: compiled,
    match(bindings, failurePolicy = 'Fail', limit = MATCH_LIMIT) {
      const refuse = (error: string): MatchResult =>
        failurePolicy === 'Fail' ? { matches: false, error } : { matches: false };
      let results: readonly ConditionResult[];
      try {
        results = evaluateConditions(compiled, bindings, { remaining: limit });
      } catch (error) {
        if (error instanceof OutOfBudget) return refuse(error.message);
        throw error;
      }
      return decide(conditions, results, refuse);
    },
  };
}

function decide(
  conditions: readonly MatchCondition[],
  results: readonly ConditionResult[],
  refuse: (error: string) => MatchResult,
): MatchResult {
  const failed = results.findIndex((result) => 'value' in result && result.value === false);
  const seen = failed === -1 ? results : results.slice(0, failed);
  const errors = seen.flatMap((result) => ('error' in result ? [result.error] : []));
  const count = errors.length === 0 ? {} : { errors: errors.length };
  if (failed !== -1) return { matches: false, failed: conditions[failed]?.name ?? '', ...count };
  return errors.length === 0 ? { matches: true } : { ...refuse(aggregate(errors)), ...count };
}

/** Joins error messages without repeating equal ones. Several messages are enclosed in brackets. */
export function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
