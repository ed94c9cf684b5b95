import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { selfSubjectReview, selfSubjectReviewV1alpha1, selfSubjectReviewV1beta1 } from './self-subject-review.js';
import { tokenReview } from './token-review.js';

export {
  type SelfSubjectReview,
  selfSubjectReview,
  selfSubjectReviewV1alpha1,
  selfSubjectReviewV1beta1,
} from './self-subject-review.js';
export type { TokenRequest } from './token-request-schema.js';
export { type TokenReview, tokenReview } from './token-review.js';

/** The kinds of the group authentication, the newer versions first. */
export const authenticationKinds: readonly ResourceDefinition[] = [
  tokenReview,
  selfSubjectReview,
  selfSubjectReviewV1beta1,
  selfSubjectReviewV1alpha1,
];
