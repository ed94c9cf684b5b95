import type { AuthorizerFactory } from '../authorization/authorizer.js';
import { node } from './nodes/node-authorizer.js';
import { rbac } from './rbac/rbac.js';

/** The authorizers of a server that is given none. The server allows members of system:masters everything before these run. */
export const defaultAuthorization: readonly AuthorizerFactory[] = [node(), rbac()];
