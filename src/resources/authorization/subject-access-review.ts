import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { UserInfo } from '../../meta/user-info.js';
import { defineResource, type ObjectOf, type VirtualKind } from '../../registry/resource-definition.js';
import {
  answerQuestion,
  refuseReview,
  validateNoMetadata,
  validateQuestion,
  withoutSelectors,
} from './access-review.js';
import { type SubjectAccessReviewSpec, subjectAccessReviewSchema } from './access-review-schema.js';

const virtual: VirtualKind = {
  async create(body, { validate }, context) {
    // The schema is this kind's.
    const review = body as SubjectAccessReview;
    const spec = withoutSelectors(review.spec);
    refuseReview(review, [...validateUserQuestion(spec), ...validateNoMetadata(review, { namespace: false })]);
    await validate(review);
    return { ...review, spec, status: await answerQuestion(spec, userOf(spec), context) } as SubjectAccessReview;
  },
};

/** authorization/v1 SubjectAccessReview: asks whether a user may do something (spec 12.4). */
export const subjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  scope: 'Cluster',
  schema: subjectAccessReviewSchema,
  virtual,
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
