import { formatTime } from '../../meta/clock.js';
import { defineResource, type ObjectOf, type VirtualKind } from '../../registry/resource-definition.js';
import { always, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { inVersion } from '../fragments/in-version.js';
import { userInfo, userInfoOf } from '../fragments/user-info.js';

const virtual: VirtualKind = {
  async create(body, { validate }, { user, host }) {
    await validate(body);
    const { kind, apiVersion } = body;
    const metadata = { creationTimestamp: formatTime(host.clock.now()) };
    return { kind, apiVersion, metadata, status: { userInfo: userInfoOf(user) } } as SelfSubjectReview;
  },
};

/**
 * authentication/v1 SelfSubjectReview: asks who the caller is (spec 11.23). The answer is an object of its own:
 * nothing of what was sent comes back.
 */
export const selfSubjectReview = defineResource({
  groupStem: 'authentication',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  scope: 'Cluster',
  schema: topLevel('io.k8s.api.authentication.v1.SelfSubjectReview', 'Asks who the caller is.', () => ({
    status: always(
      struct('io.k8s.api.authentication.v1.SelfSubjectReviewStatus', 'The answer.', () => ({
        userInfo: always(userInfo, 1, 'The caller.'),
      })),
      2,
      'The answer.',
    ),
  })),
  virtual,
});
/** The same in the older versions. */
export const selfSubjectReviewV1beta1 = inVersion(selfSubjectReview, 'v1beta1', {
  deprecation: { since: '1.30', removed: '1.33' },
});
export const selfSubjectReviewV1alpha1 = inVersion(selfSubjectReview, 'v1alpha1', {
  deprecation: { since: '1.29', removed: '1.32' },
});
export type SelfSubjectReview = ObjectOf<typeof selfSubjectReview>;
