import { dns1123Label, dns1123Subdomain } from '../../meta/names.js';
import type { OverloadCost } from '../cost/cost.js';
import { authorizerEstimates, selectorEstimates } from '../cost/library-estimates.js';
import { BOOL, opaque, STRING, type Type } from '../typing/type.js';
import { costSize } from '../values/size.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from '../values/value.js';
import { type Definition, libraryOf, member } from './declare.js';
import type { Library } from './library.js';

/** What an expression asks. Strings are '' where nothing was said. */
export interface AuthorizationCheck {
  readonly verb: string;
  /** Of a path; then nothing else of this applies. */
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string | undefined;
  readonly labelSelector: string | undefined;
  /** Whose rights are asked for; undefined: the caller's. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** What went wrong, if anything. */
  readonly error?: string;
}

/** Answers at once. Whoever must wait may throw: what is thrown leaves the evaluation, which may be run again. */
export type CheckAuthorization = (check: AuthorizationCheck) => AuthorizationAnswer;

const name = (word: string): Type => opaque(`kubernetes.authorization.${word}`);
export const AUTHORIZER: Type = name('Authorizer');
const PATH_CHECK = name('PathCheck');
const GROUP_CHECK = name('GroupCheck');
export const RESOURCE_CHECK = name('ResourceCheck');
const DECISION = name('Decision');

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

/** An authorizer, or a question that is being put together. */
class Question extends ObjectValue {
  readonly type: Type;
  readonly ask: CheckAuthorization;
  readonly check: AuthorizationCheck;
  constructor(type: Type, ask: CheckAuthorization, check: AuthorizationCheck) {
    super();
    this.type = type;
    this.ask = ask;
    this.check = check;
  }
  equals(other: Value): boolean {
    return other === this;
  }
  with(type: Type, more: Partial<AuthorizationCheck>): Question {
    return new Question(type, this.ask, { ...this.check, ...more });
  }
}

class DecisionValue extends ObjectValue {
  readonly answer: AuthorizationAnswer;
  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }
  get type(): Type {
    return DECISION;
  }
  equals(other: Value): boolean {
    return other === this;
  }
}

/** The value of the variable `authorizer`. */
export const authorizerValue = (ask: CheckAuthorization): ObjectValue => new Question(AUTHORIZER, ask, NOTHING);

/** The value of the variable `authorizer.requestResource`. */
export const resourceCheckValue = (ask: CheckAuthorization, check: Partial<AuthorizationCheck>): ObjectValue =>
  new Question(RESOURCE_CHECK, ask, { ...NOTHING, ...check });

const checked = (question: Question, verb: string): DecisionValue =>
  new DecisionValue(question.ask({ ...question.check, verb }));

function serviceAccount(question: Question, namespace: string, account: string): Outcome {
  if (dns1123Label(namespace).length > 0) return new EvaluationError('Invalid service account namespace');
  if (dns1123Subdomain(account).length > 0) return new EvaluationError('Invalid service account name');
  return question.with(AUTHORIZER, { serviceAccount: { namespace, name: account } });
}

const CHECK: OverloadCost = { actual: () => 350_000 };
/** A selector is taken apart into requirements. */
const SELECTOR: OverloadCost = { actual: ([, text]) => Math.ceil(costSize(text as Outcome) * 25.6) };

const narrowed = (word: 'subresource' | 'namespace' | 'name'): Definition =>
  member(word, `resourcecheck_${word}`, [RESOURCE_CHECK, STRING], RESOURCE_CHECK, (question: Question, text: string) =>
    question.with(RESOURCE_CHECK, { [word]: text }),
  );
const selected = (word: 'fieldSelector' | 'labelSelector'): Definition =>
  member(
    word,
    `authorizer_${word.toLowerCase()}`,
    [RESOURCE_CHECK, STRING],
    RESOURCE_CHECK,
    (question: Question, text: string) => question.with(RESOURCE_CHECK, { [word]: text }),
    SELECTOR,
  );

const definitions = (): readonly Definition[] => [
  member('path', 'authorizer_path', [AUTHORIZER, STRING], PATH_CHECK, (question: Question, path: string) =>
    path === '' ? new EvaluationError('path must not be empty') : question.with(PATH_CHECK, { path }),
  ),
  member('group', 'authorizer_group', [AUTHORIZER, STRING], GROUP_CHECK, (question: Question, group: string) =>
    question.with(GROUP_CHECK, { group }),
  ),
  member('serviceAccount', 'authorizer_serviceaccount', [AUTHORIZER, STRING, STRING], AUTHORIZER, serviceAccount),
  member('check', 'pathcheck_check', [PATH_CHECK, STRING], DECISION, checked, CHECK),
  member('resource', 'groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK, (question: Question, to: string) =>
    question.with(RESOURCE_CHECK, { resource: to }),
  ),
  narrowed('subresource'),
  narrowed('namespace'),
  narrowed('name'),
  member('check', 'resourcecheck_check', [RESOURCE_CHECK, STRING], DECISION, checked, CHECK),
  member('allowed', 'decision_allowed', [DECISION], BOOL, ({ answer }: DecisionValue) => answer.allowed),
  member('reason', 'decision_reason', [DECISION], STRING, ({ answer }: DecisionValue) => answer.reason),
  member('errored', 'decision_errored', [DECISION], BOOL, ({ answer }: DecisionValue) => answer.error !== undefined),
  member('error', 'decision_error', [DECISION], STRING, ({ answer }: DecisionValue) => answer.error ?? ''),
];

const types = [AUTHORIZER, PATH_CHECK, GROUP_CHECK, RESOURCE_CHECK, DECISION];

/** Questions to the server's authorizer. */
export const authorizers: Library = libraryOf(definitions, {
  name: 'authorizer',
  types,
  estimates: authorizerEstimates,
});

/** Selectors in such questions; needs `authorizers`. */
export const authorizerSelectors: Library = libraryOf(() => [selected('fieldSelector'), selected('labelSelector')], {
  name: 'authorizer selectors',
  estimates: selectorEstimates,
});
