import { fieldError } from '../../meta/field-error.js';
import { defineResource, type ObjectOf, type VirtualKind } from '../../registry/resource-definition.js';
import { answerQuestion, pathDisallowed, refuseReview, validateNoMetadata, withoutSelectors } from './access-review.js';
import { localSubjectAccessReviewSchema } from './access-review-schema.js';
import { userOf, validateUserQuestion } from './subject-access-review.js';

const virtual: VirtualKind = {
  async create(body, { namespace, validate }, context) {
    // The schema is this kind's.
    const review = body as LocalSubjectAccessReview;
    const spec = withoutSelectors(review.spec);
    const { resourceAttributes, nonResourceAttributes } = spec;
    const asked = resourceAttributes?.namespace ?? '';
    const elsewhere = resourceAttributes !== undefined && asked !== namespace;
    refuseReview(review, [
      ...validateUserQuestion(spec),
      ...validateNoMetadata(review, { namespace: true }),
      ...(elsewhere
        ? [fieldError.invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]
        : []),
      ...(nonResourceAttributes ? [pathDisallowed(nonResourceAttributes)] : []),
    ]);
    await validate(review);
    return { ...review, spec, status: await answerQuestion(spec, userOf(spec), context) } as LocalSubjectAccessReview;
  },
};

/** authorization/v1 LocalSubjectAccessReview: asks whether a user may do something in one namespace (spec 12.4). */
export const localSubjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  scope: 'Namespaced',
  schema: localSubjectAccessReviewSchema,
  virtual,
});
export type LocalSubjectAccessReview = ObjectOf<typeof localSubjectAccessReview>;
