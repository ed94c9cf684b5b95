import type { UserInfo } from '../../meta/user-info.js';
import { list, listAtomic, map, type OutputOf, omitEmpty, string, struct } from '../../schema/authoring.js';

/** A user as reviews show it (spec 2.16). */
export const userInfo = struct('io.k8s.api.authentication.v1.UserInfo', 'A user.', () => ({
  username: omitEmpty(string(), 1, 'Name of the user.'),
  uid: omitEmpty(string(), 2, 'Tells users of one name apart.'),
  groups: omitEmpty(listAtomic(string()), 3, 'Groups of the user.'),
  extra: omitEmpty(map(list(string(), { typeName: 'v1.ExtraValue' })), 4, 'Extra attributes of the user.'),
}));

/** A user in that form: what is empty is left out. */
export function userInfoOf({ username, uid = '', groups = [], extra = {} }: UserInfo): OutputOf<typeof userInfo> {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
