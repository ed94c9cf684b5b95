import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { inVersion } from '../shared/in-version.js';
import { selfSubjectReview } from './self-subject-review.js';
import { tokenReview } from './token-review.js';

export type { SelfSubjectReview, TokenRequest, TokenReview } from './authentication-v1.types.js';
export { selfSubjectReview, tokenReview };

/** SelfSubjectReview in v1beta1. */
export const selfSubjectReviewV1beta1 = inVersion(selfSubjectReview, {
  version: 'v1beta1',
  deprecation: { since: '1.30', removed: '1.33' },
});
/** SelfSubjectReview in v1alpha1. */
export const selfSubjectReviewV1alpha1 = inVersion(selfSubjectReview, {
  version: 'v1alpha1',
  deprecation: { since: '1.29', removed: '1.32' },
});

/** The kinds of the group authentication, the newer versions first. */
export const authenticationKinds: readonly ResourceDefinition[] = [
  tokenReview,
  selfSubjectReview,
  selfSubjectReviewV1beta1,
  selfSubjectReviewV1alpha1,
];
