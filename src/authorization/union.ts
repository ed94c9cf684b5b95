import { aggregateErrors } from '../meta/aggregate-error.js';
import type { AuthorizationAttributes, Authorizer, Decision, UserRules } from './authorizer.js';

/** @throws TypeError when a name is used twice. */
function checkNames(members: readonly Authorizer[]): void {
  const names = new Set<string>();
  for (const { name } of members) {
    if (names.has(name)) throw new TypeError(`two authorizers have the name "${name}"`);
    names.add(name);
  }
}

/**
 * Asks one after another; the first Allow or Deny decides. When all have no opinion, so has the union, which is to be
 * refused: with all reasons, one a line, and all errors (document 2, section 5.8; gap file auth, 5.8.2). One that throws
 * has no opinion and an error.
 * @throws TypeError when a name is used twice.
 */
export function unionAuthorizer(members: readonly Authorizer[]): Authorizer {
  checkNames(members);
  return {
    name: 'union',
    async authorize(attributes: AuthorizationAttributes): Promise<Decision> {
      const reasons: string[] = [];
      const errors: Error[] = [];
      for (const member of members) {
        let decision: Decision;
        try {
          const answer = member.authorize(attributes);
          decision = answer instanceof Promise ? await answer : answer;
        } catch (error) {
          decision = {
            decision: 'NoOpinion',
            reason: '',
            error: error instanceof Error ? error : new Error(String(error)),
          };
        }
        if (decision.decision !== 'NoOpinion')
          return decision.authorizer === undefined ? { ...decision, authorizer: member.name } : decision;
        if (decision.reason !== '') reasons.push(decision.reason);
        if (decision.error) errors.push(decision.error);
      }
      const error = aggregateErrors(errors);
      return { decision: 'NoOpinion', reason: reasons.join('\n'), ...(error ? { error } : {}) };
    },
    rulesFor(user, namespace) {
      return joinRules(members.flatMap((member) => member.rulesFor?.(user, namespace) ?? []));
    },
  };
}

/** All members' lists, in their order (gap file auth, 5.8.4). */
function joinRules(lists: readonly UserRules[]): UserRules {
  const error = aggregateErrors(lists.flatMap((list) => list.error ?? []));
  return {
    resourceRules: lists.flatMap((list) => list.resourceRules),
    nonResourceRules: lists.flatMap((list) => list.nonResourceRules),
    incomplete: lists.some((list) => list.incomplete),
    ...(error ? { error } : {}),
  };
}
