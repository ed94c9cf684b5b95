import type { UserInfo } from '../../meta/user-info.js';

const USER_PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/** The name of the node that calls, '' for one without a name; undefined when the caller is not a node. */
export function nodeOf({ username, groups }: UserInfo): string | undefined {
  if (!username.startsWith(USER_PREFIX) || !groups?.includes(GROUP)) return undefined;
  return username.slice(USER_PREFIX.length);
}
