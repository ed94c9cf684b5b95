import { type FieldError, fieldError } from '../../meta/field-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { pathDisallowed, reviewing } from './access-review.js';
import { authorizationV1 } from './authorization-v1.js';
import type { SubjectAccessReviewSpec } from './authorization-v1.types.js';
import { userOf, validateUserQuestion } from './subject-access-review.js';

/** Checks that the question is about the review's own namespace and not about a path. */
function validatePlace(
  { resourceAttributes, nonResourceAttributes }: SubjectAccessReviewSpec,
  namespace: string,
): FieldError[] {
  const asked = resourceAttributes?.namespace ?? '';
  const elsewhere = resourceAttributes !== undefined && asked !== namespace;
  const path = 'spec.resourceAttributes.namespace';
  return [
    ...(elsewhere ? [fieldError.invalid(path, asked, 'must match metadata.namespace')] : []),
    ...(nonResourceAttributes ? [pathDisallowed(nonResourceAttributes)] : []),
  ];
}

export const localSubjectAccessReviewRules = defineRules({
  schema: authorizationV1.struct('LocalSubjectAccessReview'),
  virtual: reviewing({ question: validateUserQuestion, inNamespace: validatePlace, subject: userOf }),
});
