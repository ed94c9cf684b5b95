import { formatTime } from '../../meta/clock.js';
import { defineRules } from '../../registry/built-in-kind.js';
import type { VirtualKind } from '../../registry/resource-definition.js';
import { userInfoOf } from '../fragments/user-info.js';
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

export const selfSubjectReviewRules = defineRules({
  schema: authenticationV1.struct('SelfSubjectReview'),
  virtual,
});
