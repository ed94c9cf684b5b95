import type { AuthenticationResult } from '../../authentication/authenticator.js';
import { skipped } from '../../authentication/authenticator.js';
import { bearerTokenOf } from '../../authentication/tokens/bearer-token.js';
import { NO_RULES } from '../../authorization/authorizer.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import type { AccessControl } from '../../registry/access-control.js';
import type { RequestEnvironment } from '../environment.js';

/** Returns the server's authenticators and authorizers in the form that kinds use. */
export function accessControl({ authenticator, authorizer, accountTokens, host }: RequestEnvironment): AccessControl {
  const withoutToken = async (): Promise<AuthenticationResult> =>
    host.dialect.rulings.tokenReviewOfBlanks === 'nobody'
      ? skipped
      : await authenticator.authenticate({ headers: NO_HEADERS });
  return {
    authorize: async (attributes) => await authorizer.authorize(attributes),
    rulesFor: async (user, namespace) => (await authorizer.rulesFor?.(user, namespace)) ?? NO_RULES,
    async authenticateToken(token, audiences) {
      const requestedAudiences = audiences.length > 0 ? audiences : accountTokens.apiAudiences;
      // The token is parsed as if from a header, as upstream does: surrounding blanks are not part of a token, and blanks alone are not a
      // token.
      const read = bearerTokenOf(`Bearer ${token}`);
      const result =
        read === '' ? await withoutToken() : await authenticator.authenticateToken(read, requestedAudiences);
      // A token without audiences is valid for all audiences that were asked for.
      return result.outcome !== 'authenticated' || result.audiences
        ? result
        : { ...result, audiences: requestedAudiences };
    },
  };
}

const NO_HEADERS: RequestHeaders = { get: () => undefined, all: () => [], names: () => [] };
