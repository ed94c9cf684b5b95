import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { localSubjectAccessReview } from './local-subject-access-review.js';
import { selfSubjectAccessReview } from './self-subject-access-review.js';
import { selfSubjectRulesReview } from './self-subject-rules-review.js';
import { subjectAccessReview } from './subject-access-review.js';

export type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from './authorization-v1.types.js';
export { localSubjectAccessReview, selfSubjectAccessReview, selfSubjectRulesReview, subjectAccessReview };

/** The kinds of the group authorization. */
export const authorizationKinds: readonly ResourceDefinition[] = [
  subjectAccessReview,
  selfSubjectAccessReview,
  localSubjectAccessReview,
  selfSubjectRulesReview,
];
