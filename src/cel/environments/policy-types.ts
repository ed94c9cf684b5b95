import { CompilationFailed, compileTyped } from '../contexts/compile-typed.js';
import { Composition } from '../contexts/variables.js';
import type { CostTable } from '../cost/cost.js';
import type { Type } from '../typing/type.js';
import type { TypePackage } from '../typing/type-package.js';
import { admissionEnvironment } from './admission.js';
import type { PolicyExpressions } from './policy.js';

/** What is known of the objects of a policy. */
export interface PolicyTypes {
  readonly object: Type;
  /** Absent: the policy has no parameters. */
  readonly params?: Type;
  readonly costs?: CostTable;
  /** Package of the API's own types. Default: `kubernetes`. */
  readonly typePackage?: TypePackage;
}

/** What an expression of a policy says that its objects are not. */
export interface TypeProblem {
  /** `spec.validations[0].expression`. */
  readonly field: string;
  /** As the checker prints it, with the place marked. */
  readonly message: string;
}

const PREFIX = 'compilation failed: ';

/** Checks the validations of a policy against the types of one kind of objects. Variables that do not fit are of any type. */
export function checkPolicyTypes(
  { variables = [], validations = [] }: PolicyExpressions,
  { object, params, costs, typePackage }: PolicyTypes,
): readonly TypeProblem[] {
  const composition = new Composition(typePackage);
  const environment = admissionEnvironment({
    object,
    authorizer: true,
    variables: composition,
    ...(params ? { params: true, paramsType: params } : {}),
    ...(costs ? { costs } : {}),
    ...(typePackage ? { typePackage } : {}),
  });
  for (const { name, expression } of variables) {
    try {
      composition.declare(name, compileTyped(environment, expression));
    } catch (error) {
      if (!(error instanceof CompilationFailed)) throw error;
      composition.declareBroken(name, error.message);
    }
  }
  const problems: TypeProblem[] = [];
  const check = (field: string, source: string) => {
    try {
      compileTyped(environment, source);
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
