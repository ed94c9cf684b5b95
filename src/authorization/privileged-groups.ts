import type { Authorizer, Decision } from './authorizer.js';

/** The group whose members may do everything (spec 12.2). */
export const privilegedGroup = 'system:masters';

const ALLOW: Decision = Object.freeze({ decision: 'Allow', reason: '', authorizer: 'privileged-groups' });
const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: '' });

/** Returns an authorizer that allows everything to the members of `groups`. A server calls it before all other authorizers. */
export function privilegedGroups(groups: readonly string[] = [privilegedGroup]): Authorizer {
  return {
    name: 'privileged-groups',
    authorize: ({ user }) => {
      for (const group of user.groups ?? []) if (groups.includes(group)) return ALLOW;
      return NO_OPINION;
    },
  };
}
