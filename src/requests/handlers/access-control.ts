import type { AuthenticationResult } from '../../authentication/authenticator.js';
import { skipped } from '../../authentication/authenticator.js';
import { bearerTokenOf } from '../../authentication/tokens/bearer-token.js';
import { NO_RULES } from '../../authorization/authorizer.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import type { AccessControl } from '../../registry/access-control.js';
import type { RequestEnvironment } from '../environment.js';

/** The server's authenticators and authorizers as kinds ask them. */
export function accessControl({ authenticator, authorizer, accountTokens, host }: RequestEnvironment): AccessControl {
  const withoutToken = async (): Promise<AuthenticationResult> =>
    host.dialect.rulings.tokenReviewOfBlanks === 'nobody'
      ? skipped
      : await authenticator.authenticate({ headers: NO_HEADERS });
  return {
    authorize: async (attributes) => await authorizer.authorize(attributes),
    rulesFor: async (user, namespace) => (await authorizer.rulesFor?.(user, namespace)) ?? NO_RULES,
    async authenticateToken(token, audiences) {
      const asked = audiences.length > 0 ? audiences : accountTokens.apiAudiences;
      // Read as from a header, as upstream does: blanks around it do not belong to a token, and blanks alone are not a token.
      const read = bearerTokenOf(`Bearer ${token}`);
      const result = read === '' ? await withoutToken() : await authenticator.authenticateToken(read, asked);
      // Who names no audience is good for all that were asked.
      return result.outcome !== 'authenticated' || result.audiences ? result : { ...result, audiences: asked };
    },
  };
}

const NO_HEADERS: RequestHeaders = { get: () => undefined, all: () => [], names: () => [] };
