import { type Bindings, BudgetExceeded } from '../compile/program.js';
import { type Compiled, compileTyped } from '../contexts/compile-typed.js';
import { CALL_LIMIT } from '../contexts/limits.js';
import type { Environment } from '../environment.js';
import { identifierOf, parametersOf, type Type } from '../typing/type.js';
import { adaptDynamic } from '../values/natives.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { aggregate } from './match-conditions.js';
import { type ReleaseEnvironmentOptions, releaseEnvironment } from './release-environment.js';
import { requestTypes } from './request-types.js';

/**
 * Makes the environment of match conditions of AuthorizationConfiguration. Its variable is `request`, the spec of a SubjectAccessReview.
 */
export function accessReviewEnvironment(options: ReleaseEnvironmentOptions = {}): Environment {
  const { accessReview, accessReviewWithSelectors } = requestTypes(options.typePackage);
  const type = options.authorizerSelectors === true ? accessReviewWithSelectors : accessReview;
  return releaseEnvironment([{ name: 'request', type }], options);
}

type Spec = Readonly<Record<string, unknown>>;

/**
 * Returns the value of the variable `request`. Members that the spec lacks are present with empty values, except `resourceAttributes` and
 * `nonResourceAttributes`, which are present only if they are in the spec.
 */
export function accessReviewBindings(spec: Spec): Bindings {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const request: Record<string, unknown> = {
    ...withEmptyMembers(spec, ['user', 'uid']),
    groups: spec['groups'] ?? [],
    extra: spec['extra'] ?? {},
  };
  if (isObject(resourceAttributes)) {
    const selectors = ['fieldSelector', 'labelSelector'].filter((name) => isObject(resourceAttributes[name]));
    request['resourceAttributes'] = {
      ...withEmptyMembers(resourceAttributes, [
        'namespace',
        'verb',
        'group',
        'version',
        'resource',
        'subresource',
        'name',
      ]),
      ...Object.fromEntries(selectors.map((name) => [name, selectorOf(resourceAttributes[name] as Spec)])),
    };
  }
  if (isObject(nonResourceAttributes)) {
    request['nonResourceAttributes'] = withEmptyMembers(nonResourceAttributes, ['path', 'verb']);
  }
  return { request: adaptDynamic(request) as Value };
}

const isObject = (value: unknown): value is Spec => typeof value === 'object' && value !== null;
const withEmptyMembers = (from: Spec, names: readonly string[]): Spec =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? '']));
/** Returns a selector with its `rawSelector` if that is set, else with its `requirements`. */
function selectorOf({ rawSelector, requirements }: Spec): Spec {
  return rawSelector ? { rawSelector } : requirements === undefined ? {} : { requirements };
}

/**
 * Compiles a condition.
 * @throws CompilationFailed
 */
export const compileAccessCondition = (environment: Environment, expression: string): Compiled =>
  compileTyped(environment, expression, ['bool'], (type) => `must evaluate to bool but got ${declaredName(type)}`);

/** Formats a type with the names that expressions use (`null_type`), unlike the messages of the checker. */
function declaredName(type: Type): string {
  const parameters = parametersOf(type);
  return parameters.length === 0
    ? identifierOf(type)
    : `${identifierOf(type)}(${parameters.map(declaredName).join(', ')})`;
}

/**
 * Returns whether all conditions are true. If one of them is false, the result is false even if the evaluation of others ended with an
 * error. Each condition may cost up to `CALL_LIMIT`.
 * @returns `error` is present if no condition is false but the evaluation of at least one ended with an error.
 */
export function matchAccess(
  conditions: readonly { readonly expression: string; readonly compiled: Compiled }[],
  bindings: Bindings,
): { readonly matches: boolean; readonly error?: string } {
  const errors: string[] = [];
  for (const { expression, compiled } of conditions) {
    const outcome = evaluate(compiled, bindings);
    if (outcome === false) return { matches: false };
    if (outcome instanceof EvaluationError) {
      errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${outcome.message}`);
    } else if (outcome !== true) errors.push(`cel evaluation error: expression '${expression}' is not a bool`);
  }
  return errors.length === 0 ? { matches: true } : { matches: false, error: aggregate(errors) };
}

function evaluate({ program }: Compiled, bindings: Bindings): Outcome {
  try {
    return program.evaluate(bindings, undefined, CALL_LIMIT).outcome;
  } catch (error) {
    if (error instanceof BudgetExceeded) return new EvaluationError(error.message);
    throw error;
  }
}
