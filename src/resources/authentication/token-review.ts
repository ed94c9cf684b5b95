import type { AuthenticationResult } from '../../authentication/authenticator.js';
import { apiError } from '../../meta/api-error.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import type { VirtualKind } from '../../registry/resource-definition.js';
import {
  always,
  boolean,
  listAtomic,
  type OutputOf,
  omitEmpty,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { userInfo, userInfoOf } from '../fragments/user-info.js';

const spec = struct('io.k8s.api.authentication.v1.TokenReviewSpec', 'The answer about a token.', () => ({
  token: omitEmpty(string(), 1, 'The token.'),
  audiences: omitEmpty(listAtomic(string()), 2, 'Audiences that the token must have; empty means this server.'),
}));
const status = struct('io.k8s.api.authentication.v1.TokenReviewStatus', 'The answer.', () => ({
  authenticated: omitEmpty(boolean(), 1, 'Whether the token belongs to a known user.'),
  user: always(userInfo, 2, 'The user.'),
  audiences: omitEmpty(listAtomic(string()), 4, 'Those of the requested audiences that the token has.'),
  error: omitEmpty(string(), 3, 'Why the token is not valid.'),
}));

const virtual: VirtualKind = {
  async create(body, { validate }, { access }) {
    // The schema is this kind's.
    const review = body as TokenReview;
    const { token = '', audiences = [] } = review.spec;
    if (token === '') throw apiError.badRequest('token is required for TokenReview in authentication');
    await validate(review);
    const result = await access.authenticateToken(token, audiences);
    return { ...review, status: statusOf(review.status, result) } as TokenReview;
  },
};

type Status = OutputOf<typeof status>;

/** What was sent of a status stays where nothing is found out, as upstream leaves it. */
function statusOf({ user, audiences, error }: Status, result: AuthenticationResult): Status {
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
  schema: topLevel('io.k8s.api.authentication.v1.TokenReview', 'Asks which user a token belongs to.', () => ({
    spec: required(spec, 2, 'The question.'),
    status: always(status, 3, 'The answer.'),
  })),
  virtual,
});
export type TokenReview = ObjectOfRules<typeof tokenReviewRules>;
