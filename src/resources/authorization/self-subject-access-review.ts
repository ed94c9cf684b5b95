import { defineResource } from '../../registry/resource-definition.js';
import { validateAccessSpec, virtualReview } from './access-review.js';
import { authorizationV1 } from './authorization-v1.js';

/** authorization/v1 SelfSubjectAccessReview: reports whether the caller may do something (spec 12.4). */
export const selfSubjectAccessReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
  schema: authorizationV1.struct('SelfSubjectAccessReview'),
  virtual: virtualReview({ validateSpec: validateAccessSpec, subject: (_, caller) => caller }),
});
