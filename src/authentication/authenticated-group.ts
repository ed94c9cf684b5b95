import type { UserInfo } from '../meta/user-info.js';

export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';
export const anonymousUser = 'system:anonymous';

/**
 * Returns a frozen copy of a user that is not frozen. An authenticator of an embedding program may reuse one object for all its callers. If
 * that object were cached, later callers would act as earlier ones.
 * @throws TypeError for groups that are not a list, because a string would match by its parts
 */
export function frozenUser(user: UserInfo): UserInfo {
  if (Object.isFrozen(user)) return user;
  const { groups, extra } = user;
  if (groups && !Array.isArray(groups)) throw new TypeError(`the groups of the user "${user.username}" are not a list`);
  return Object.freeze({
    ...user,
    ...(groups ? { groups: Object.freeze([...groups]) } : {}),
    ...(extra ? { extra: frozenExtra(extra) } : {}),
  });
}

function frozenExtra(extra: NonNullable<UserInfo['extra']>): NonNullable<UserInfo['extra']> {
  const lists = Object.entries(extra).map(
    ([key, values]) => [key, Array.isArray(values) ? Object.freeze([...values]) : values] as const,
  );
  return Object.freeze(Object.fromEntries(lists));
}

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
