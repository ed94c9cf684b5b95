import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { UserInfo } from '../../meta/user-info.js';
import { defineResource, type ObjectOf } from '../../registry/resource-definition.js';
import { reviewing, validateQuestion } from './access-review.js';
import { type SubjectAccessReviewSpec, subjectAccessReviewSchema } from './access-review-schema.js';

/** authorization/v1 SubjectAccessReview: asks whether a user may do something (spec 12.4). */
export const subjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  scope: 'Cluster',
  schema: subjectAccessReviewSchema,
  virtual: reviewing({ question: validateUserQuestion, subject: userOf }),
});
export type SubjectAccessReview = ObjectOf<typeof subjectAccessReview>;

/** Problems of a question about a user. */
export function validateUserQuestion(spec: SubjectAccessReviewSpec): FieldError[] {
  const nobody = (spec.user ?? '') === '' && (spec.groups ?? []).length === 0;
  const why = 'at least one of user or group must be specified';
  return [...validateQuestion(spec), ...(nobody ? [fieldError.invalid('spec.user', '', why)] : [])];
}

/** The user asked about: exactly what is said, no group is added. */
export function userOf({ user = '', uid, groups, extra }: SubjectAccessReviewSpec): UserInfo {
  return {
    username: user,
    ...(uid === undefined ? {} : { uid }),
    ...(groups ? { groups } : {}),
    ...(extra ? { extra } : {}),
  };
}
