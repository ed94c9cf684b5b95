import type { UserInfo } from '../meta/user-info.js';

export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';
export const anonymousUser = 'system:anonymous';

const added = new WeakMap<UserInfo, UserInfo>();

/**
 * Adds the group `system:authenticated` to a user, unless the user is anonymous or already in `system:authenticated` or
 * `system:unauthenticated` (spec 11.5). Calls with the same user object return the same object.
 */
export function addAuthenticatedGroup(user: UserInfo): UserInfo {
  const groups = user.groups ?? [];
  if (user.username === anonymousUser || groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup))
    return user;
  let known = added.get(user);
  if (!known)
    added.set(user, (known = Object.freeze({ ...user, groups: Object.freeze([...groups, authenticatedGroup]) })));
  return known;
}
