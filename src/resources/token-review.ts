import type { AuthenticationResult } from '../authentication/authenticator.js';
import { apiError } from '../meta/api-error.js';
import { defineResource, type ObjectOf, type VirtualKind } from '../registry/resource-definition.js';
import {
  always,
  boolean,
  listAtomic,
  type OutputOf,
  omitEmpty,
  required,
  string,
  struct,
} from '../schema/authoring.js';
import { topLevel } from '../schema/object-meta-schema.js';
import { userInfo, userInfoOf } from './user-info.js';

const V1 = 'io.k8s.api.authentication.v1';

const spec = struct(
  `${V1}.TokenReviewSpec`,
  {
    token: omitEmpty(string(), 'The token.'),
    audiences: omitEmpty(listAtomic(string()), 'For whom it must be meant; none means this server.'),
  },
  { description: 'Whose token this is.' },
);
const status = struct(
  `${V1}.TokenReviewStatus`,
  {
    authenticated: omitEmpty(boolean(), 'Whether somebody is known by it.'),
    user: always(userInfo, 'Who.'),
    audiences: omitEmpty(listAtomic(string()), 'For whom of those asked it is meant.'),
    error: omitEmpty(string(), 'Why nobody is.'),
  },
  { description: 'The answer.' },
);

const virtual: VirtualKind = {
  async create(body, { validate }, { access }) {
    // The schema is this kind's.
    const review = body as TokenReview;
    const { token = '', audiences = [] } = review.spec;
    if (token === '') throw apiError.badRequest('token is required for TokenReview in authentication');
    await validate(review);
    return { ...review, status: statusOf(await access.authenticateToken(token, audiences)) } as TokenReview;
  },
};

function statusOf(result: AuthenticationResult): OutputOf<typeof status> {
  if (result.outcome === 'rejected') return { user: {}, error: result.error.message };
  if (result.outcome === 'skipped') return { user: {} };
  const { user, audiences = [] } = result;
  return { authenticated: true, user: userInfoOf(user), ...(audiences.length === 0 ? {} : { audiences }) };
}

/** authentication/v1 TokenReview: asks whose token this is (document 1, section 2.3; gap file identity, 2.3). */
export const tokenReview = defineResource({
  groupStem: 'authentication',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  scope: 'Cluster',
  schema: topLevel(
    `${V1}.TokenReview`,
    { spec: required(spec, 'The question.'), status: always(status, 'The answer.') },
    { description: 'Asks whose token this is.' },
  ),
  virtual,
});
export type TokenReview = ObjectOf<typeof tokenReview>;
