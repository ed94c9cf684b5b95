import { formatTime } from '../../meta/clock.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import type { VirtualKind } from '../../registry/resource-definition.js';
import { always, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { userInfoOf } from '../fragments/user-info.js';
import { authenticationV1 } from './authentication-v1.js';

const virtual: VirtualKind = {
  async create(body, { validate }, { user, host }) {
    await validate(body);
    const { kind, apiVersion } = body;
    const metadata = { creationTimestamp: formatTime(host.clock.now()) };
    return { kind, apiVersion, metadata, status: { userInfo: userInfoOf(user) } } as SelfSubjectReview;
  },
};

export const selfSubjectReviewRules = defineRules({
  schema: topLevel('io.k8s.api.authentication.v1.SelfSubjectReview', 'Asks who the caller is.', () => ({
    status: always(
      struct('io.k8s.api.authentication.v1.SelfSubjectReviewStatus', 'The answer.', () => ({
        userInfo: always(authenticationV1.struct('UserInfo'), 1, 'The caller.'),
      })),
      2,
      'The answer.',
    ),
  })),
  virtual,
});
export type SelfSubjectReview = ObjectOfRules<typeof selfSubjectReviewRules>;
