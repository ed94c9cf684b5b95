import type { UserInfo } from '../meta/user-info.js';
import type { Authorizer, Decision } from './authorizer.js';

/** The group whose members may do everything (spec 12.2). */
export const privilegedGroup = 'system:masters';

export const isPrivileged = ({ groups }: UserInfo): boolean => groups?.includes(privilegedGroup) ?? false;

const NAME = 'privileged-groups';
const ALLOW: Decision = Object.freeze({ decision: 'Allow', reason: '', authorizer: NAME });
const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: '' });

/** Allows everything to the members of {@link privilegedGroup}. A server calls this authorizer before all others. */
export const privilegedGroups: Authorizer = Object.freeze({
  name: NAME,
  authorize: ({ user }) => (isPrivileged(user) ? ALLOW : NO_OPINION),
} satisfies Authorizer);
