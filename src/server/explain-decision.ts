import type { AuthorizationAttributes, Authorizer, Decision, Opinion } from '../authorization/authorizer.js';
import { forbiddenMessage } from '../authorization/forbidden-message.js';
import { opinionsOf, unionAuthorizer } from '../authorization/union.js';
import type { UserInfo } from '../meta/user-info.js';

/** What is asked; absent members are ''. With a `resource` it is about that, else about the `path`. */
export type DecisionQuestion = Pick<AuthorizationAttributes, 'verb'> & Partial<AuthorizationAttributes>;

/** A decision, and for a refusal what led to it. */
export type Explanation =
  | Extract<Decision, { readonly decision: 'Allow' }>
  | (Exclude<Decision, { readonly decision: 'Allow' }> & {
      /** What the caller reads: `User "eve" cannot list resource …`. */
      readonly message: string;
      /** Those that were asked, in order: what each looked at, and what came nearest to allowing it. */
      readonly opinions: readonly Opinion[];
    });

const NOTHING = { group: '', version: '*', resource: '', subresource: '', namespace: '', name: '', path: '' };

/**
 * Asks authorizers as a request would, and those that did not allow it why.
 * @throws TypeError for a question without a verb.
 */
export async function explainDecision(
  members: readonly Authorizer[],
  user: UserInfo,
  question: DecisionQuestion,
): Promise<Explanation> {
  if (typeof question?.verb !== 'string' || question.verb === '')
    throw new TypeError("a question needs a verb: { verb: 'get', resource: 'pods', namespace: 'default' }");
  const resourceRequest = question.resource !== undefined;
  const attributes: AuthorizationAttributes = { ...NOTHING, resourceRequest, ...question, user };
  const decision = await unionAuthorizer(members).authorize(attributes);
  if (decision.decision === 'Allow') return decision;
  const all = await opinionsOf(members, attributes);
  const decisive = all.findIndex((opinion) => opinion.decision !== 'NoOpinion');
  const opinions = decisive < 0 ? all : all.slice(0, decisive + 1);
  return { ...decision, message: forbiddenMessage(attributes, decision.reason), opinions };
}
