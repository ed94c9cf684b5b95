import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { selfSubjectReview } from './self-subject-review.js';
import { tokenReview } from './token-review.js';

export { type SelfSubjectReview, selfSubjectReview } from './self-subject-review.js';
export type { TokenRequest } from './token-request-schema.js';
export { type TokenReview, tokenReview } from './token-review.js';

/** The kinds of the group authentication. */
export const authenticationKinds: readonly ResourceDefinition[] = [tokenReview, selfSubjectReview];
