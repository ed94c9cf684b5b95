import type { AuthenticationResult } from '../../authentication/authenticator.js';
import { apiError } from '../../meta/api-error.js';
import { defineResource, type VirtualKind } from '../../registry/resource-definition.js';
import { userInfoOf } from '../shared/user-info.js';
import { authenticationV1 } from './authentication-v1.js';
import type { TokenReview, TokenReviewStatus } from './authentication-v1.types.js';

const virtual: VirtualKind = {
  async create(body, { validate }, { access }) {
    // The body was decoded with the schema of TokenReview, so the cast is safe.
    const review = body as TokenReview;
    const { token = '', audiences = [] } = review.spec;
    if (token === '') throw apiError.badRequest('token is required for TokenReview in authentication');
    await validate(review);
    const result = await access.authenticateToken(token, audiences);
    return { ...review, status: statusOf(review.status, result) } as TokenReview;
  },
};

/**
 * Returns the status of the TokenReview in the response. As in upstream, members of the request's status are kept unless the result sets
 * them.
 */
function statusOf({ user, audiences, error }: TokenReviewStatus, result: AuthenticationResult): TokenReviewStatus {
  const known = result.outcome === 'authenticated' ? result : undefined;
  const reviewedAudiences = known ? known.audiences : audiences;
  const errorText = result.outcome === 'rejected' ? result.error.message : error;
  return {
    ...(known ? { authenticated: true } : {}),
    user: known ? userInfoOf(known.user) : user,
    ...(reviewedAudiences && reviewedAudiences.length > 0 ? { audiences: reviewedAudiences } : {}),
    ...(errorText === undefined ? {} : { error: errorText }),
  };
}

/** authentication/v1 TokenReview: reports to which user a token belongs (spec 11.24). */
export const tokenReview = defineResource({
  groupStem: 'authentication',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'TokenReview',
  plural: 'tokenreviews',
  scope: 'Cluster',
  schema: authenticationV1.struct('TokenReview'),
  virtual,
});
