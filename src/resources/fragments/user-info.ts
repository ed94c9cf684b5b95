import type { UserInfo } from '../authentication/authentication-v1.types.js';

/** A user in that form: what is empty is left out. */
export function userInfoOf({ username, uid = '', groups = [], extra = {} }: UserInfo): UserInfo {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
