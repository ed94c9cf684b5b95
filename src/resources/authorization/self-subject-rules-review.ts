import { apiError } from '../../meta/api-error.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import type { VirtualKind } from '../../registry/resource-definition.js';
import { always, boolean, listAtomic, omitEmpty, required, string, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';

const resourceRule = struct('io.k8s.api.authorization.v1.ResourceRule', 'What may be done with resources.', () => ({
  verbs: required(listAtomic(string()), 1, 'What may be done; `*` is everything.'),
  apiGroups: omitEmpty(listAtomic(string()), 2, 'Groups of the resources; `*` is all.'),
  resources: omitEmpty(listAtomic(string()), 3, 'Resources and subresources; `*` is all.'),
  resourceNames: omitEmpty(listAtomic(string()), 4, 'Names of the objects; none means all.'),
}));
const nonResourceRule = struct(
  'io.k8s.api.authorization.v1.NonResourceRule',
  'What may be done with other paths.',
  () => ({
    verbs: required(listAtomic(string()), 1, 'What may be done; `*` is everything.'),
    nonResourceURLs: omitEmpty(listAtomic(string()), 2, 'The paths; `*` may end one.'),
  }),
);
const spec = struct(
  'io.k8s.api.authorization.v1.SelfSubjectRulesReviewSpec',
  'The namespace whose rules are listed.',
  () => ({ namespace: omitEmpty(string(), 1, 'The namespace.') }),
);
const status = struct('io.k8s.api.authorization.v1.SubjectRulesReviewStatus', 'The answer.', () => ({
  resourceRules: required(listAtomic(resourceRule), 1, 'What is allowed with resources.'),
  nonResourceRules: required(listAtomic(nonResourceRule), 2, 'What is allowed with other paths.'),
  incomplete: required(boolean(), 3, 'Whether the lists may be incomplete.'),
  evaluationError: omitEmpty(string(), 4, 'What went wrong while this was found out.'),
}));

const virtual: VirtualKind = {
  async create(body, { validate }, { access, user }) {
    // The schema is this kind's.
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

export const selfSubjectRulesReviewRules = defineRules({
  schema: topLevel(
    'io.k8s.api.authorization.v1.SelfSubjectRulesReview',
    'Asks what the caller may do in a namespace.',
    () => ({ spec: required(spec, 2, 'The namespace.'), status: always(status, 3, 'The answer.') }),
  ),
  virtual,
});
export type SelfSubjectRulesReview = ObjectOfRules<typeof selfSubjectRulesReviewRules>;
