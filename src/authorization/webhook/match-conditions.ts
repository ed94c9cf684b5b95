import type { JsonObject } from '../../json/value.js';
import type { Dialect } from '../../meta/dialect.js';

/** Whether the webhook is to be called, or the error that prevented the evaluation. */
export interface Matched {
  readonly matches: boolean;
  readonly error?: string;
}

/** Evaluates match conditions over `request`, the spec of a SubjectAccessReview v1 (spec 12.12). */
export type MatchConditions = (request: JsonObject) => Matched;

/** Compiles match conditions. @throws CompilationFailed with upstream's message */
export type CompileConditions = (sources: readonly string[]) => MatchConditions;

/**
 * Loads the CEL engine, which is large, and creates the environment of match conditions.
 * @param selectors whether conditions may read selectors
 */
export async function loadMatchConditions(dialect: Dialect, selectors: boolean): Promise<CompileConditions> {
  const cel = await import('../../cel/rules.js');
  const environment = cel.accessReviewEnvironment({ ...cel.languageOf(dialect), authorizerSelectors: selectors });
  return (sources) => {
    const conditions = sources.map((expression) => ({
      expression,
      compiled: cel.compileAccessCondition(environment, expression),
    }));
    return (request) => cel.matchAccess(conditions, cel.accessReviewBindings(request));
  };
}
