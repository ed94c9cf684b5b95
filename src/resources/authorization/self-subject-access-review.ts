import { defineResource, type ObjectOf, type VirtualKind } from '../../registry/resource-definition.js';
import {
  answerQuestion,
  refuseReview,
  validateNoMetadata,
  validateQuestion,
  withoutSelectors,
} from './access-review.js';
import { selfSubjectAccessReviewSchema } from './access-review-schema.js';

const virtual: VirtualKind = {
  async create(body, { validate }, context) {
    // The schema is this kind's.
    const review = body as SelfSubjectAccessReview;
    const spec = withoutSelectors(review.spec);
    refuseReview(review, [...validateQuestion(spec), ...validateNoMetadata(review, { namespace: false })]);
    await validate(review);
    return { ...review, spec, status: await answerQuestion(spec, context.user, context) } as SelfSubjectAccessReview;
  },
};

/** authorization/v1 SelfSubjectAccessReview: asks whether the caller may do something (spec 12.4). */
export const selfSubjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
  schema: selfSubjectAccessReviewSchema,
  virtual,
});
export type SelfSubjectAccessReview = ObjectOf<typeof selfSubjectAccessReview>;
