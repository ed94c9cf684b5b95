import type { AuthenticationResult } from '../../authentication/authenticator.js';
import { apiError } from '../../meta/api-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import type { VirtualKind } from '../../registry/resource-definition.js';
import { userInfoOf } from '../fragments/user-info.js';
import { authenticationV1 } from './authentication-v1.js';
import type { TokenReview, TokenReviewStatus } from './authentication-v1.types.js';

const virtual: VirtualKind = {
  async create(body, { validate }, { access }) {
    // The body was decoded with the schema of this kind.
    const review = body as TokenReview;
    const { token = '', audiences = [] } = review.spec;
    if (token === '') throw apiError.badRequest('token is required for TokenReview in authentication');
    await validate(review);
    const result = await access.authenticateToken(token, audiences);
    return { ...review, status: statusOf(review.status, result) } as TokenReview;
  },
};

/** Returns the status of the answer. Members of the request's status that the result does not set are kept, as in upstream. */
function statusOf({ user, audiences, error }: TokenReviewStatus, result: AuthenticationResult): TokenReviewStatus {
  const known = result.outcome === 'authenticated' ? result : undefined;
  const meant = known ? known.audiences : audiences;
  const told = result.outcome === 'rejected' ? result.error.message : error;
  return {
    ...(known ? { authenticated: true } : {}),
    user: known ? userInfoOf(known.user) : user,
    ...(meant && meant.length > 0 ? { audiences: meant } : {}),
    ...(told === undefined ? {} : { error: told }),
  };
}

export const tokenReviewRules = defineRules({
  schema: authenticationV1.struct('TokenReview'),
  virtual,
});
