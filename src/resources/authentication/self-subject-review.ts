import { formatTime } from '../../meta/clock.js';
import { defineResource, type VirtualKind } from '../../registry/resource-definition.js';
import { userInfoOf } from '../shared/user-info.js';
import { authenticationV1 } from './authentication-v1.js';
import type { SelfSubjectReview } from './authentication-v1.types.js';

const virtual: VirtualKind = {
  async create(body, { validate }, { user, host }) {
    await validate(body);
    const { kind, apiVersion } = body;
    const metadata = { creationTimestamp: formatTime(host.clock.now()) };
    return { kind, apiVersion, metadata, status: { userInfo: userInfoOf(user) } } as SelfSubjectReview;
  },
};

/**
 * authentication/v1 SelfSubjectReview: returns the user info of the caller (spec 11.23). The response contains nothing of the request body.
 */
export const selfSubjectReview = defineResource({
  groupStem: 'authentication',
  version: 'v1',
  knownVersions: ['v1alpha1', 'v1beta1'],
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  scope: 'Cluster',
  schema: authenticationV1.struct('SelfSubjectReview'),
  virtual,
});
