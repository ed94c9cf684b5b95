import type { UserInfo } from '../../meta/user-info.js';

const USER_PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/** Returns the name of the calling node, '' for a node without a name, and undefined when the caller is not a node. */
export function nodeOf({ username, groups }: UserInfo): string | undefined {
  if (!username.startsWith(USER_PREFIX) || !groups?.includes(GROUP)) return undefined;
  return username.slice(USER_PREFIX.length);
}
