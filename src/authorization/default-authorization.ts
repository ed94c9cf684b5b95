import type { AuthorizerFactory } from './authorizer.js';
import { node } from './node/node.js';
import { rbac } from './rbac/rbac.js';

/** Authorization of a server unless it is given its own. The group system:masters is allowed everything before it is asked. */
export const defaultAuthorization: readonly AuthorizerFactory[] = [node(), rbac()];
