import type { UserInfo } from '../authentication/authentication-v1.types.js';

/** Converts a user to the API form, where empty members are left out. */
export function userInfoOf({ username, uid = '', groups = [], extra = {} }: UserInfo): UserInfo {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
