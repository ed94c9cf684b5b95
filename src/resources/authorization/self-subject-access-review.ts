import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { reviewing, validateQuestion } from './access-review.js';
import { selfSubjectAccessReviewSchema } from './access-review-schema.js';

export const selfSubjectAccessReviewRules = defineRules({
  schema: selfSubjectAccessReviewSchema,
  virtual: reviewing({ question: validateQuestion, subject: (_, caller) => caller }),
});
export type SelfSubjectAccessReview = ObjectOfRules<typeof selfSubjectAccessReviewRules>;
