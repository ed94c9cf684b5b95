import { type FieldError, fieldError } from '../../meta/field-error.js';
import { defineResource, type ObjectOf } from '../../registry/resource-definition.js';
import { pathDisallowed, reviewing } from './access-review.js';
import { localSubjectAccessReviewSchema, type SubjectAccessReviewSpec } from './access-review-schema.js';
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

/** authorization/v1 LocalSubjectAccessReview: asks whether a user may do something in one namespace (spec 12.4). */
export const localSubjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  scope: 'Namespaced',
  schema: localSubjectAccessReviewSchema,
  virtual: reviewing({ question: validateUserQuestion, inNamespace: validatePlace, subject: userOf }),
});
export type LocalSubjectAccessReview = ObjectOf<typeof localSubjectAccessReview>;
