import type { AuthorizerFactory } from '../authorization/authorizer.js';
import { node } from './nodes/node-authorizer.js';
import { rbac } from './rbac/rbac.js';

/**
 * The authorizers of a server without the option `authorization`. Before they run, the server allows members of system:masters everything.
 */
export const defaultAuthorization: readonly AuthorizerFactory[] = [node(), rbac()];
