import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from './authorization-v1.types.js';

/** authorization/v1 LocalSubjectAccessReview: asks whether a user may do something in one namespace (spec 12.4). */
export const localSubjectAccessReview = defineKind(
  {
    groupStem: 'authorization',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    scope: 'Namespaced',
    virtual: 'answering',
  },
  async () => (await import('./local-subject-access-review.js')).localSubjectAccessReviewRules,
);

/** authorization/v1 SelfSubjectAccessReview: asks whether the caller may do something (spec 12.4). */
export const selfSubjectAccessReview = defineKind(
  {
    groupStem: 'authorization',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    scope: 'Cluster',
    virtual: 'answering',
  },
  async () => (await import('./self-subject-access-review.js')).selfSubjectAccessReviewRules,
);

/**
 * authorization/v1 SelfSubjectRulesReview: asks what the caller may do in a namespace (spec 12.4). The answer is a new object and contains
 * nothing of the request.
 */
export const selfSubjectRulesReview = defineKind(
  {
    groupStem: 'authorization',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    scope: 'Cluster',
    virtual: 'answering',
  },
  async () => (await import('./self-subject-rules-review.js')).selfSubjectRulesReviewRules,
);

/** authorization/v1 SubjectAccessReview: asks whether a user may do something (spec 12.4). */
export const subjectAccessReview = defineKind(
  {
    groupStem: 'authorization',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    scope: 'Cluster',
    virtual: 'answering',
  },
  async () => (await import('./subject-access-review.js')).subjectAccessReviewRules,
);

/** The kinds of the group authorization. */
export const authorizationKinds: readonly ResourceDefinition[] = [
  subjectAccessReview,
  selfSubjectAccessReview,
  localSubjectAccessReview,
  selfSubjectRulesReview,
];
