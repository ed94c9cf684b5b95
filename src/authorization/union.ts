import { aggregateErrors } from '../meta/aggregate-error.js';
import { type Flow, run, settled } from '../meta/flow.js';
import { requireUniqueNames } from '../meta/plugin-list.js';
import type { AuthorizationAttributes, Authorizer, Decision, Opinion, UserRules } from './authorizer.js';

/**
 * Returns an authorizer that calls the members one after another; the first Allow or Deny decides. If no member decides, the decision is
 * NoOpinion, with the reasons of all members, one per line, and with one error that joins their errors (spec 12.2). A member that throws
 * counts as NoOpinion with the thrown error. The authorizer is synchronous as long as its members are.
 * @throws TypeError when a name is used twice.
 */
export function unionAuthorizer(members: readonly Authorizer[]): Authorizer {
  requireUniqueNames('authorizers', members);
  return {
    name: 'union',
    authorize: (attributes) => run(authorizeInOrder(members, attributes)),
    async rulesFor(user, namespace) {
      const lists = await Promise.all(members.map((member) => member.rulesFor?.(user, namespace)));
      return joinRules(lists.filter((list) => list !== undefined));
    },
  };
}

/**
 * Returns the decision of every authorizer, in order. All authorizers are called, whatever the earlier ones decide, and each one that does
 * not allow the request explains why.
 */
export async function decisionsOf(
  members: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): Promise<readonly Opinion[]> {
  return await Promise.all(
    members.map(async (member): Promise<Opinion> => {
      const { decision, reason } = await run(authorizeInOrder([member], attributes));
      const { lookedAt = [], nearest = [] } = decision === 'Allow' ? {} : (member.explain?.(attributes) ?? {});
      return { authorizer: member.name, decision, reason, lookedAt, nearest };
    }),
  );
}

function* authorizeInOrder(members: readonly Authorizer[], attributes: AuthorizationAttributes): Flow<Decision> {
  const undecided: Decision[] = [];
  for (const member of members) {
    let decision: Decision;
    try {
      decision = yield* settled(member.authorize(attributes));
    } catch (error) {
      decision = {
        decision: 'NoOpinion',
        reason: '',
        error: error instanceof Error ? error : new Error(String(error)),
      };
    }
    if (decision.decision !== 'NoOpinion')
      return decision.authorizer === undefined ? { ...decision, authorizer: member.name } : decision;
    undecided.push(decision);
  }
  return combineReasons(undecided);
}

function combineReasons(undecided: readonly Decision[]): Decision {
  const reasons = undecided.map(({ reason }) => reason).filter((reason) => reason !== '');
  const error = aggregateErrors(undecided.flatMap((decision) => ('error' in decision && decision.error) || []));
  return { decision: 'NoOpinion', reason: reasons.join('\n'), ...(error ? { error } : {}) };
}

/** Concatenates the rules that the authorizers list for a user, in the order of the authorizers (spec 12.8). */
function joinRules(lists: readonly UserRules[]): UserRules {
  const error = aggregateErrors(lists.flatMap((list) => list.error ?? []));
  return {
    resourceRules: lists.flatMap((list) => list.resourceRules),
    nonResourceRules: lists.flatMap((list) => list.nonResourceRules),
    incomplete: lists.some((list) => list.incomplete),
    ...(error ? { error } : {}),
  };
}
