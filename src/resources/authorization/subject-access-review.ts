import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { UserInfo } from '../../meta/user-info.js';
import { defineResource } from '../../registry/resource-definition.js';
import { validateAccessSpec, virtualReview } from './access-review.js';
import { authorizationV1 } from './authorization-v1.js';
import type { SubjectAccessReviewSpec } from './authorization-v1.types.js';

/** authorization/v1 SubjectAccessReview: reports whether a user may do something (spec 12.4). */
export const subjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  scope: 'Cluster',
  schema: authorizationV1.struct('SubjectAccessReview'),
  virtual: virtualReview({ validateSpec: validateSubjectSpec, subject: userOf }),
});

/** Returns the validation errors of a spec that must name a user or a group. */
export function validateSubjectSpec(spec: SubjectAccessReviewSpec): FieldError[] {
  const hasNoSubject = (spec.user ?? '') === '' && (spec.groups ?? []).length === 0;
  const why = 'at least one of user or group must be specified';
  return [...validateAccessSpec(spec), ...(hasNoSubject ? [fieldError.invalid('spec.user', '', why)] : [])];
}

/** Returns the user whose access is reviewed, exactly as the spec names it. No groups are added. */
export function userOf({ user = '', uid, groups, extra }: SubjectAccessReviewSpec): UserInfo {
  return {
    username: user,
    ...(uid === undefined ? {} : { uid }),
    ...(groups ? { groups } : {}),
    ...(extra ? { extra } : {}),
  };
}
