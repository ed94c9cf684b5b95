import { apiError } from '../../meta/api-error.js';
import { defineResource, type VirtualKind } from '../../registry/resource-definition.js';
import { authorizationV1 } from './authorization-v1.js';
import type { SelfSubjectRulesReview } from './authorization-v1.types.js';

const virtual: VirtualKind = {
  async create(body, { validate }, { access, user }) {
    // The body was decoded with the schema of SelfSubjectRulesReview, so the cast is safe.
    const review = body as SelfSubjectRulesReview;
    const namespace = review.spec.namespace ?? '';
    if (namespace === '') throw apiError.badRequest('no namespace on request');
    await validate(review);
    const { resourceRules, nonResourceRules, incomplete, error } = await access.rulesFor(user, namespace);
    const { kind, apiVersion } = review;
    return {
      kind,
      apiVersion,
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs: verbs ?? [],
          ...presentMember('apiGroups', apiGroups),
          ...presentMember('resources', resources),
          ...presentMember('resourceNames', resourceNames),
        })),
        nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
          verbs: verbs ?? [],
          ...presentMember('nonResourceURLs', nonResourceURLs),
        })),
        incomplete,
        ...(error ? { evaluationError: error.message } : {}),
      },
    } as SelfSubjectRulesReview;
  },
};

/** Returns an object that contains `values` as its member `name`; an empty object when `values` is absent or empty. */
function presentMember(name: string, values: readonly string[] | null | undefined): Record<string, readonly string[]> {
  return values && values.length > 0 ? { [name]: values } : {};
}

/**
 * authorization/v1 SelfSubjectRulesReview: lists what the caller may do in a namespace (spec 12.4). The response contains nothing of the
 * request body.
 */
export const selfSubjectRulesReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  scope: 'Cluster',
  schema: authorizationV1.struct('SelfSubjectRulesReview'),
  virtual,
});
