import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { inVersion } from '../fragments/versions/in-version.js';

export type { SelfSubjectReview, TokenRequest, TokenReview } from './authentication-v1.types.js';

const review = {
  groupStem: 'authentication',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  scope: 'Cluster',
  virtual: 'answering',
} as const;
const reviewRules = async () => (await import('./self-subject-review.js')).selfSubjectReviewRules;

/**
 * authentication/v1 SelfSubjectReview: asks who the caller is (spec 11.23). The answer is a new object and contains nothing of the request.
 */
export const selfSubjectReview = defineKind({ ...review, version: 'v1' }, reviewRules);

/** SelfSubjectReview in older versions. */
export const selfSubjectReviewV1beta1 = inVersion(
  review,
  selfSubjectReview,
  { version: 'v1beta1', deprecation: { since: '1.30', removed: '1.33' } },
  reviewRules,
);
export const selfSubjectReviewV1alpha1 = inVersion(
  review,
  selfSubjectReview,
  { version: 'v1alpha1', deprecation: { since: '1.29', removed: '1.32' } },
  reviewRules,
);

/** authentication/v1 TokenReview: asks who a token belongs to (spec 11.24). */
export const tokenReview = defineKind(
  {
    groupStem: 'authentication',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'TokenReview',
    plural: 'tokenreviews',
    scope: 'Cluster',
    virtual: 'answering',
  },
  async () => (await import('./token-review.js')).tokenReviewRules,
);

/** The kinds of the group authentication, the newer versions first. */
export const authenticationKinds: readonly ResourceDefinition[] = [
  tokenReview,
  selfSubjectReview,
  selfSubjectReviewV1beta1,
  selfSubjectReviewV1alpha1,
];
