import { defineRules } from '../../registry/built-in-kind.js';
import { reviewing, validateQuestion } from './access-review.js';
import { authorizationV1 } from './authorization-v1.js';

export const selfSubjectAccessReviewRules = defineRules({
  schema: authorizationV1.struct('SelfSubjectAccessReview'),
  virtual: reviewing({ question: validateQuestion, subject: (_, caller) => caller }),
});
