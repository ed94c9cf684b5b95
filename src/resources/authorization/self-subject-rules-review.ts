import { apiError } from '../../meta/api-error.js';
import { defineResource, type ObjectOf, type VirtualKind } from '../../registry/resource-definition.js';
import { always, boolean, listAtomic, omitEmpty, required, string, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { AUTHORIZATION_V1 } from './access-review-schema.js';

const resourceRule = struct(
  `${AUTHORIZATION_V1}.ResourceRule`,
  {
    verbs: required(listAtomic(string()), 'What may be done; `*` is everything.'),
    apiGroups: omitEmpty(listAtomic(string()), 'Groups of the resources; `*` is all.'),
    resources: omitEmpty(listAtomic(string()), 'Resources and subresources; `*` is all.'),
    resourceNames: omitEmpty(listAtomic(string()), 'Names of the objects; none means all.'),
  },
  { description: 'What may be done with resources.' },
);
const nonResourceRule = struct(
  `${AUTHORIZATION_V1}.NonResourceRule`,
  {
    verbs: required(listAtomic(string()), 'What may be done; `*` is everything.'),
    nonResourceURLs: omitEmpty(listAtomic(string()), 'The paths; `*` may end one.'),
  },
  { description: 'What may be done with other paths.' },
);
const spec = struct(
  `${AUTHORIZATION_V1}.SelfSubjectRulesReviewSpec`,
  { namespace: omitEmpty(string(), 'The namespace.') },
  { description: 'The namespace whose rules are listed.' },
);
const status = struct(
  `${AUTHORIZATION_V1}.SubjectRulesReviewStatus`,
  {
    resourceRules: required(listAtomic(resourceRule), 'What is allowed with resources.'),
    nonResourceRules: required(listAtomic(nonResourceRule), 'What is allowed with other paths.'),
    incomplete: required(boolean(), 'Whether the lists may be incomplete.'),
    evaluationError: omitEmpty(string(), 'What went wrong while this was found out.'),
  },
  { description: 'The answer.' },
);

const virtual: VirtualKind = {
  async create(body, { validate }, { access, user }) {
    // The schema is this kind's.
    const review = body as SelfSubjectRulesReview;
    const namespace = review.spec.namespace ?? '';
    if (namespace === '') throw apiError.badRequest('no namespace on request');
    await validate(review);
    const { resourceRules, nonResourceRules, incomplete, error } = access.rulesFor(user, namespace);
    const { kind, apiVersion } = review;
    return {
      kind,
      apiVersion,
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs: verbs ?? [],
          ...some('apiGroups', apiGroups),
          ...some('resources', resources),
          ...some('resourceNames', resourceNames),
        })),
        nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
          verbs: verbs ?? [],
          ...some('nonResourceURLs', nonResourceURLs),
        })),
        incomplete,
        ...(error ? { evaluationError: error.message } : {}),
      },
    } as SelfSubjectRulesReview;
  },
};

/** A member that is left out when it is empty. */
function some(name: string, values: readonly string[] | null | undefined): Record<string, readonly string[]> {
  return values && values.length > 0 ? { [name]: values } : {};
}

/**
 * authorization/v1 SelfSubjectRulesReview: asks what the caller may do in a namespace (spec 12.4). The answer is
 * an object of its own: nothing of what was sent comes back.
 */
export const selfSubjectRulesReview = defineResource({
  groupStem: 'authorization',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  scope: 'Cluster',
  schema: topLevel(
    `${AUTHORIZATION_V1}.SelfSubjectRulesReview`,
    { spec: required(spec, 'The namespace.'), status: always(status, 'The answer.') },
    { description: 'Asks what the caller may do in a namespace.' },
  ),
  virtual,
});
export type SelfSubjectRulesReview = ObjectOf<typeof selfSubjectRulesReview>;
