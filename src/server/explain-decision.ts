import type { AuthorizationAttributes, Authorizer, Decision, Opinion } from '../authorization/authorizer.js';
import { forbiddenMessage } from '../authorization/forbidden-message.js';
import { decisionsOf, unionAuthorizer } from '../authorization/union.js';
import type { UserInfo } from '../meta/user-info.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { checkUser } from './clients.js';

/**
 * The attributes of a request; absent members are ''. With `resource` it is a resource request, otherwise a non-resource request for
 * `path`.
 */
export type DecisionQuestion = Pick<AuthorizationAttributes, 'verb'> & Partial<AuthorizationAttributes>;

/** The decision about a request, and if the request is refused, the reasons. */
export type Explanation =
  | Extract<Decision, { readonly decision: 'Allow' }>
  | (Exclude<Decision, { readonly decision: 'Allow' }> & {
      /** The message that the caller would get: `User "eve" cannot list resource …`. */
      readonly message: string;
      /**
       * The results of the authorizers up to the deciding one, in the order in which they were called. Each contains the decision, what the
       * authorizer considered, and which rules came closest to allowing the request.
       */
      readonly opinions: readonly Opinion[];
    });

const NOTHING = { group: '', version: '*', resource: '', subresource: '', namespace: '', name: '', path: '' };

const MEMBERS = [...Object.keys(NOTHING), 'verb', 'resourceRequest', 'user', 'fieldSelector', 'labelSelector'];

/**
 * Authorizes the attributes of a request. If they are refused, the authorizers are called again for their reasons.
 * @throws TypeError for attributes without a verb or with a member that does not exist, and for a value that is not a user.
 */
export async function explainDecision(
  members: readonly Authorizer[],
  user: UserInfo,
  question: DecisionQuestion,
): Promise<Explanation> {
  if (typeof question?.verb !== 'string' || question.verb === '')
    throw new TypeError(
      "the request must have a verb, such as { verb: 'get', resource: 'pods', namespace: 'default' }",
    );
  refuseUnknownMembers('explainDecision', question, MEMBERS);
  checkUser(user);
  const resourceRequest = question.resource !== undefined;
  const attributes: AuthorizationAttributes = { ...NOTHING, resourceRequest, ...question, user };
  const decision = await unionAuthorizer(members).authorize(attributes);
  if (decision.decision === 'Allow') return decision;
  const all = await decisionsOf(members, attributes);
  const decisive = all.findIndex((opinion) => opinion.decision !== 'NoOpinion');
  const opinions = decisive < 0 ? all : all.slice(0, decisive + 1);
  return { ...decision, message: forbiddenMessage(attributes, decision.reason), opinions };
}
