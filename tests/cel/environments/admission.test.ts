import {
  admissionBindings,
  admissionEnvironment,
  Composition,
  compileCondition,
  compileTyped,
  evaluateConditions,
} from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { type Case, type Json, table, valuesOf } from './admission-data.js';

const optionsOf = (row: Case) => ({
  params: row.hasParamKind === true,
  authorizer: row.authorizer !== undefined,
  authorizerSelectors: !/1\.30 compat/.test(row.name),
  release: /1\.30 compat/.test(row.name) ? 30 : 31,
});

/** The expectation of a case: a value, or a part of an error message. */
function expected(result: Json): unknown {
  const value = (result['EvalResult'] as Json | undefined)?.['$sel'];
  if (value === 'celtypes.True') return { value: true };
  if (value === 'celtypes.False') return { value: false };
  const error = (result['Error'] as Json)['$error'] ?? (result['Error'] as { args: unknown[] }).args[0];
  const text = typeof error === 'string' ? error : (error as { args: unknown[] }).args[0];
  return { error: expect.stringContaining(String(text)) };
}

const filters = table<Case>('filter:TestFilter.cases');
describe.skipIf(filters.length === 0)(
  `expressions of admission evaluate as upstream: ${filters.length} requests`,
  () => {
    it.each(filters.map((row) => [row.name, row] as const))('%s', (_name, row) => {
      const environment = admissionEnvironment(optionsOf(row));
      const conditions = row.validations.map(({ Expression }) => compileCondition(environment, Expression, ['bool']));
      const spending = { remaining: 10_000_000, ...(row.testPerCallLimit ? { callLimit: row.testPerCallLimit } : {}) };
      const results = evaluateConditions(conditions, admissionBindings(valuesOf(row)), spending);
      expect(results).toEqual(row.results?.map(expected));
    });
  },
);

interface BudgetCase extends Case {
  readonly testRuntimeCELCostBudget?: number;
  readonly exceedBudget: boolean;
  readonly exceedPerCallLimit?: boolean;
  readonly expectRemainingBudget?: number;
  readonly enableStrictCostEnforcement?: boolean;
}
const budgets = table<BudgetCase>('filter:TestRuntimeCELCostBudget.cases');
describe.skipIf(budgets.length === 0)(`budgets of admission are those of upstream: ${budgets.length} requests`, () => {
  it.each(budgets.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    const environment = admissionEnvironment({
      ...optionsOf(row),
      strictCosts: row.enableStrictCostEnforcement === true,
    });
    const conditions = row.validations.map(({ Expression }) => compileCondition(environment, Expression, ['bool']));
    const budget = row.testRuntimeCELCostBudget ?? -1; // A negative budget means the default of servers.
    const spending = { remaining: budget < 0 ? 10_000_000 : budget };
    const run = () => evaluateConditions(conditions, admissionBindings(valuesOf(row)), spending);
    if (row.exceedBudget) {
      expect(run).toThrow('running out of cost budget, no further validation rules will be run');
      return;
    }
    const results = run();
    if (row.exceedPerCallLimit) expect(JSON.stringify(results)).toContain('actual cost limit exceeded');
    if (row.expectRemainingBudget !== undefined) expect(spending.remaining).toBe(row.expectRemainingBudget);
  });
});

interface CompileCase {
  readonly name: string;
  readonly expressions?: readonly string[];
  readonly errorExpressions?: Readonly<Record<string, string>>;
  readonly hasParams?: boolean;
  readonly hasAuthorizer?: boolean;
  readonly envType?: string;
}
const compiled = table<CompileCase>('compile:TestCompileValidatingPolicyExpression.cases').filter(
  // `test()` is a library function of upstream's tests.
  ({ name }) => !name.startsWith('compile with '),
);
describe.skipIf(compiled.length === 0)(
  `expressions of admission compile as upstream: ${compiled.length} groups`,
  () => {
    it.each(compiled.map((row) => [row.name, row] as const))('%s', (_name, row) => {
      const environment = admissionEnvironment({
        params: row.hasParams === true,
        authorizer: row.hasAuthorizer === true,
      });
      for (const expression of row.expressions ?? []) {
        expect([expression, compileCondition(environment, expression, ['bool']).error]).toEqual([
          expression,
          undefined,
        ]);
      }
      for (const [expression, error] of Object.entries(row.errorExpressions ?? {})) {
        expect(compileCondition(environment, expression, ['bool']).error).toContain(error);
      }
    });
  },
);

interface FilterCase {
  readonly name: string;
  readonly validation: readonly { readonly Expression: string }[];
  readonly errorExpressions?: Readonly<Record<string, string>>;
}
const several = table<FilterCase>('filter:TestCompile.cases');
describe.skipIf(several.length === 0)(`groups of expressions compile as upstream: ${several.length} groups`, () => {
  it.each(several.map((row) => [row.name, row] as const))('%s', (_name, { validation, errorExpressions = {} }) => {
    const environment = admissionEnvironment({ params: true, authorizer: true });
    for (const { Expression: source } of validation) {
      const { error } = compileCondition(environment, source, ['bool']);
      if (errorExpressions[source] === undefined) expect([source, error]).toEqual([source, undefined]);
      else expect(error).toContain(errorExpressions[source]);
    }
  });
});

interface CompositionCase {
  readonly name: string;
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly attributes: Case['attributes'];
  readonly expression: string;
  readonly expectedResult?: boolean;
  readonly expectErr?: boolean;
  readonly expectedErrorMessage?: string;
  readonly runtimeCostBudget?: number;
  readonly strictCostEnforcement?: boolean;
}
const composed = table<CompositionCase>('composition:TestCompositedPolicies.cases');
describe.skipIf(composed.length === 0)(`variables evaluate as upstream: ${composed.length} policies`, () => {
  it.each(composed.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    const composition = new Composition();
    const strictCosts = row.strictCostEnforcement === true;
    const environment = admissionEnvironment({ variables: composition, strictCosts });
    for (const { name, expression } of row.variables) {
      const { compiled: found, error } = compileCondition(environment, expression, []);
      if (found === undefined) composition.declareBroken(name, error ?? '');
      else composition.declare(name, found);
    }
    const remaining = row.runtimeCostBudget ?? 10_000_000;
    const values = valuesOf({ name: '', validations: [], attributes: row.attributes });
    const variables = composition.values(admissionBindings(values), remaining);
    const condition = compileCondition(environment, row.expression, ['bool']);
    const run = () =>
      evaluateConditions([condition], admissionBindings(values, variables), { remaining, variables })[0];
    if (row.expectErr !== true) {
      expect(run()).toEqual({ value: row.expectedResult ?? true });
      return;
    }
    const said = () => {
      const result = run();
      throw new Error(result !== undefined && 'error' in result ? result.error : 'no error');
    };
    expect(said).toThrow(row.expectedErrorMessage);
  });
});

describe('types of requests', () => {
  const environment = admissionEnvironment();
  it('compare kinds only with kinds', () => {
    expect(compileCondition(environment, 'request.kind == request.requestKind', ['bool']).error).toBeUndefined();
    expect(compileCondition(environment, 'request.kind == request.resource', ['bool']).error).toContain(
      "'_==_' applied to '(kubernetes.GroupVersionKind, kubernetes.GroupVersionResource)'",
    );
  });
  it('require a condition to be a bool even if the type of the object is unknown', () => {
    expect(() => compileTyped(environment, 'object.spec.enabled', ['bool'])).toThrow('must evaluate to bool');
  });
  it('have no key for an absent field', () => {
    const condition = compileCondition(environment, 'request.subResource == ""', ['bool']);
    expect(evaluateConditions([condition], admissionBindings({ request: {} }), { remaining: 100 })).toEqual([
      { error: `expression 'request.subResource == ""' resulted in error: no such key: subResource` },
    ]);
  });
});
