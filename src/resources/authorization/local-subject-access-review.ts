import { type FieldError, fieldError } from '../../meta/field-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { pathDisallowed, reviewing } from './access-review.js';
import { authorizationV1 } from './authorization-v1.js';
import type { SubjectAccessReviewSpec } from './authorization-v1.types.js';
import { userOf, validateUserQuestion } from './subject-access-review.js';

/** It asks about the namespace it is in, and about no path. */
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
