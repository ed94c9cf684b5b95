import { CompilationFailed, checkTyped } from '../contexts/compile-typed.js';
import { Composition } from '../contexts/variables.js';
import type { CostTable } from '../cost/cost.js';
import type { Type } from '../typing/type.js';
import type { TypePackage } from '../typing/type-package.js';
import { admissionEnvironment } from './admission.js';
import type { PolicyExpressions } from './policy.js';

/** The types of the objects that a policy applies to. */
export interface PolicyTypes {
  readonly object: Type;
  /** The type of the parameters, dyn if their kind is unknown; absent when the policy has none. */
  readonly params?: Type;
  readonly costs?: CostTable;
  /** The package of the API's own types. Default: `kubernetes`. */
  readonly typePackage?: TypePackage;
}

/** A type error in an expression of a policy, found with the types of the objects that the policy matches. */
export interface TypeProblem {
  /** The field of the expression: `spec.validations[0].expression`. */
  readonly field: string;
  /** The message as the checker prints it, with a caret under the position of the error. */
  readonly message: string;
}

const PREFIX = 'compilation failed: ';

/**
 * Checks the validations of a policy against the types of one kind of objects. Variables with type errors count as dyn. Conversions and
 * patterns with a constant argument that always fail are no type errors.
 */
export function checkPolicyTypes(
  { variables = [], validations = [] }: PolicyExpressions,
  { object, params, costs, typePackage }: PolicyTypes,
): readonly TypeProblem[] {
  const composition = new Composition(typePackage);
  const environment = admissionEnvironment({
    object,
    // As in upstream, `authorizer.requestResource` is no variable here, so that it has a warning.
    authorizer: 'alone',
    variables: composition,
    ...(params ? { params: true, paramsType: params } : {}),
    ...(costs ? { costs } : {}),
    ...(typePackage ? { typePackage } : {}),
  });
  for (const { name, expression } of variables) {
    try {
      composition.declareType(name, checkTyped(environment, expression).type);
    } catch (error) {
      if (!(error instanceof CompilationFailed)) throw error;
      composition.declareBroken(name, error.message);
    }
  }
  const problems: TypeProblem[] = [];
  const check = (field: string, source: string) => {
    try {
      checkTyped(environment, source);
    } catch (error) {
      if (!(error instanceof CompilationFailed)) throw error;
      const { message } = error;
      problems.push({ field, message: message.startsWith(PREFIX) ? message.slice(PREFIX.length) : message });
    }
  };
  for (const [i, { expression, messageExpression }] of validations.entries()) {
    check(`spec.validations[${i}].expression`, expression);
    if (messageExpression) check(`spec.validations[${i}].messageExpression`, messageExpression);
  }
  return problems;
}
