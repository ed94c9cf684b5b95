import type { AccessControl } from '../registry/access-control.js';
import type { RequestEnvironment } from './exchange.js';

/** The server's authenticators and authorizers as kinds ask them. */
export function accessControl({ authenticator, authorizer, accountTokens }: RequestEnvironment): AccessControl {
  return {
    authorize: async (attributes) => await authorizer.authorize(attributes),
    rulesFor: (user, namespace) =>
      authorizer.rulesFor?.(user, namespace) ?? { resourceRules: [], nonResourceRules: [], incomplete: false },
    async authenticateToken(token, audiences) {
      const asked = audiences.length > 0 ? audiences : accountTokens.apiAudiences;
      const result = await authenticator.authenticateToken(token, asked);
      // Who names no audience is good for all that were asked.
      return result.outcome !== 'authenticated' || result.audiences ? result : { ...result, audiences: asked };
    },
  };
}
