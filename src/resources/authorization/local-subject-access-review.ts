import { type FieldError, fieldError } from '../../meta/field-error.js';
import { defineResource } from '../../registry/resource-definition.js';
import { pathDisallowed, virtualReview } from './access-review.js';
import { authorizationV1 } from './authorization-v1.js';
import type { SubjectAccessReviewSpec } from './authorization-v1.types.js';
import { userOf, validateSubjectSpec } from './subject-access-review.js';

/** Checks that the attributes name the namespace of the review and not a non-resource path. */
function validatePlace(
  { resourceAttributes, nonResourceAttributes }: SubjectAccessReviewSpec,
  namespace: string,
): FieldError[] {
  const requestedNamespace = resourceAttributes?.namespace ?? '';
  const elsewhere = resourceAttributes !== undefined && requestedNamespace !== namespace;
  const path = 'spec.resourceAttributes.namespace';
  return [
    ...(elsewhere ? [fieldError.invalid(path, requestedNamespace, 'must match metadata.namespace')] : []),
    ...(nonResourceAttributes ? [pathDisallowed(nonResourceAttributes)] : []),
  ];
}

/** authorization/v1 LocalSubjectAccessReview: reports whether a user may do something in one namespace (spec 12.4). */
export const localSubjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  scope: 'Namespaced',
  schema: authorizationV1.struct('LocalSubjectAccessReview'),
  virtual: virtualReview({ validateSpec: validateSubjectSpec, inNamespace: validatePlace, subject: userOf }),
});
