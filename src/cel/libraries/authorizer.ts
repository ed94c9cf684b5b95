import { dns1123Label, dns1123Subdomain } from '../../meta/names.js';
import { trimSpace } from '../../values/trim-space.js';
import type { OverloadCost } from '../cost/cost.js';
import { authorizerEstimates, selectorEstimates } from '../cost/library-estimates.js';
import { BOOL, opaque, STRING, type Type } from '../typing/type.js';
import { byPackage, type TypePackage } from '../typing/type-package.js';
import { costSize } from '../values/size.js';
import { EvaluationError, ObjectValue, type Outcome } from '../values/value.js';
import { type Definition, libraryOf, member } from './declare.js';
import type { Library } from './library.js';

/** An authorization check that an expression makes. Strings that the expression does not set are ''. */
export interface AuthorizationCheck {
  readonly verb: string;
  /**
   * The path of a non-resource check; undefined for a resource check. In a non-resource check, the members from `group` to `labelSelector`
   * are ignored.
   */
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string | undefined;
  readonly labelSelector: string | undefined;
  /** The service account whose access is checked; undefined for the user who sent the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

/** The decision about an {@link AuthorizationCheck}. */
export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** The error message, if the check failed. */
  readonly error?: string;
}

/**
 * Decides an authorization check synchronously. An implementation that has to wait may throw an error, which ends the evaluation; the
 * caller can then evaluate the expression again.
 */
export type CheckAuthorization = (check: AuthorizationCheck) => AuthorizationAnswer;

/** The CEL types of authorization checks and of their decisions. */
export const authorizationTypes = byPackage((typePackage) => {
  const name = (word: string): Type => opaque(`${typePackage}.authorization.${word}`);
  return {
    authorizer: name('Authorizer'),
    pathCheck: name('PathCheck'),
    groupCheck: name('GroupCheck'),
    resourceCheck: name('ResourceCheck'),
    decision: name('Decision'),
  };
});
/** The type `Authorizer`, named as in upstream. */
export const AUTHORIZER: Type = authorizationTypes().authorizer;
/** The type `ResourceCheck`, named as in upstream. */
export const RESOURCE_CHECK: Type = authorizationTypes().resourceCheck;

const NOTHING: AuthorizationCheck = Object.freeze({
  verb: '',
  path: undefined,
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: undefined,
  labelSelector: undefined,
  serviceAccount: undefined,
});

/** The value of an authorizer, or of a check that is being built. */
class AuthorizationQuery extends ObjectValue {
  readonly type: Type;
  readonly ask: CheckAuthorization;
  readonly check: AuthorizationCheck;
  constructor(type: Type, ask: CheckAuthorization, check: AuthorizationCheck) {
    super();
    this.type = type;
    this.ask = ask;
    this.check = check;
  }
  /** As in upstream, these values cannot be compared, not even with themselves. */
  equals(): undefined {
    return undefined;
  }
  with(type: Type, more: Partial<AuthorizationCheck>): AuthorizationQuery {
    return new AuthorizationQuery(type, this.ask, { ...this.check, ...more });
  }
}

class DecisionValue extends ObjectValue {
  readonly answer: AuthorizationAnswer;
  readonly type: Type;
  constructor(answer: AuthorizationAnswer, type: Type) {
    super();
    this.answer = answer;
    this.type = type;
  }
  equals(): undefined {
    return undefined;
  }
}

/** Returns the value of the variable `authorizer`. */
export const authorizerValue = (ask: CheckAuthorization, typePackage?: TypePackage): ObjectValue =>
  new AuthorizationQuery(authorizationTypes(typePackage).authorizer, ask, NOTHING);

/** Returns the value of the variable `authorizer.requestResource`. */
export const resourceCheckValue = (
  ask: CheckAuthorization,
  check: Partial<AuthorizationCheck>,
  typePackage?: TypePackage,
): ObjectValue => new AuthorizationQuery(authorizationTypes(typePackage).resourceCheck, ask, { ...NOTHING, ...check });

function serviceAccount(question: AuthorizationQuery, namespace: string, account: string): Outcome {
  if (dns1123Subdomain(account).length > 0) return new EvaluationError('Invalid service account name');
  if (dns1123Label(namespace).length > 0) return new EvaluationError('Invalid service account namespace');
  return question.with(question.type, { serviceAccount: { namespace, name: account } });
}

const CHECK: OverloadCost = { actual: () => 350_000 };
/** The cost of a selector, which is parsed into requirements. */
const SELECTOR: OverloadCost = { actual: ([, text]) => Math.ceil(costSize(text as Outcome) * 25.6) };

function definitions(typePackage: TypePackage): readonly Definition[] {
  const { authorizer, pathCheck, groupCheck, resourceCheck, decision } = authorizationTypes(typePackage);
  const checked = (question: AuthorizationQuery, verb: string): DecisionValue =>
    new DecisionValue(question.ask({ ...question.check, verb }), decision);
  const narrowed = (word: 'subresource' | 'namespace' | 'name'): Definition =>
    member(
      word,
      `resourcecheck_${word}`,
      [resourceCheck, STRING],
      resourceCheck,
      (question: AuthorizationQuery, text: string) => question.with(resourceCheck, { [word]: text }),
    );
  return [
    member('path', 'authorizer_path', [authorizer, STRING], pathCheck, (question: AuthorizationQuery, path: string) =>
      trimSpace(path) === '' ? new EvaluationError('path must not be empty') : question.with(pathCheck, { path }),
    ),
    member(
      'group',
      'authorizer_group',
      [authorizer, STRING],
      groupCheck,
      (question: AuthorizationQuery, group: string) => question.with(groupCheck, { group }),
    ),
    member('serviceAccount', 'authorizer_serviceaccount', [authorizer, STRING, STRING], authorizer, serviceAccount),
    member('check', 'pathcheck_check', [pathCheck, STRING], decision, checked, CHECK),
    member(
      'resource',
      'groupcheck_resource',
      [groupCheck, STRING],
      resourceCheck,
      (question: AuthorizationQuery, to: string) =>
        trimSpace(to) === ''
          ? new EvaluationError('resource must not be empty')
          : question.with(resourceCheck, { resource: to }),
    ),
    narrowed('subresource'),
    narrowed('namespace'),
    narrowed('name'),
    member('check', 'resourcecheck_check', [resourceCheck, STRING], decision, checked, CHECK),
    member('allowed', 'decision_allowed', [decision], BOOL, ({ answer }: DecisionValue) => answer.allowed),
    member('reason', 'decision_reason', [decision], STRING, ({ answer }: DecisionValue) => answer.reason),
    member('errored', 'decision_errored', [decision], BOOL, ({ answer }: DecisionValue) => answer.error !== undefined),
    member('error', 'decision_error', [decision], STRING, ({ answer }: DecisionValue) => answer.error ?? ''),
  ];
}

function selectorDefinitions(typePackage: TypePackage): readonly Definition[] {
  const { resourceCheck } = authorizationTypes(typePackage);
  const selected = (word: 'fieldSelector' | 'labelSelector'): Definition =>
    member(
      word,
      `authorizer_${word.toLowerCase()}`,
      [resourceCheck, STRING],
      resourceCheck,
      (question: AuthorizationQuery, text: string) => question.with(resourceCheck, { [word]: text }),
      SELECTOR,
    );
  return [selected('fieldSelector'), selected('labelSelector')];
}

/** Returns the library of authorization checks. */
export const authorizersIn = byPackage(
  (typePackage): Library =>
    libraryOf(() => definitions(typePackage), {
      name: 'authorizer',
      estimates: authorizerEstimates,
    }),
);
/** The library of authorization checks with upstream's package of types. */
export const authorizers: Library = authorizersIn();

/** Returns the library of selectors in authorization checks. It needs the library `authorizers`. */
export const authorizerSelectorsIn = byPackage(
  (typePackage): Library =>
    libraryOf(() => selectorDefinitions(typePackage), { name: 'authorizer selectors', estimates: selectorEstimates }),
);
/** The library of selectors with upstream's package of types. */
export const authorizerSelectors: Library = authorizerSelectorsIn();
