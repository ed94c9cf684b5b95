import {
  always,
  boolean,
  list,
  listAtomic,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { labelSelectorRequirement } from '../fragments/label-selector.js';

const fieldSelectorRequirement = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement',
  'One requirement on fields.',
  () => ({
    key: required(string(), 1, 'Path of the field.'),
    operator: required(string({ typeName: 'v1.FieldSelectorOperator' }), 2, 'In, NotIn, Exists or DoesNotExist.'),
    values: omitEmpty(listAtomic(string()), 3, 'Values to compare with.'),
  }),
);

/** What may be given of a selector; it is not looked at in this release (spec 12.5). */
const fieldSelector = struct(
  'io.k8s.api.authorization.v1.FieldSelectorAttributes',
  'Which objects, by their fields.',
  () => ({
    rawSelector: omitEmpty(string(), 1, 'The selector as a query has it.'),
    requirements: omitEmpty(listAtomic(fieldSelectorRequirement), 2, 'The parsed selector.'),
  }),
);
const labelSelector = struct(
  'io.k8s.api.authorization.v1.LabelSelectorAttributes',
  'Which objects, by their labels.',
  () => ({
    rawSelector: omitEmpty(string(), 1, 'The selector as a query has it.'),
    requirements: omitEmpty(listAtomic(labelSelectorRequirement), 2, 'The parsed selector.'),
  }),
);

const resourceAttributes = struct(
  'io.k8s.api.authorization.v1.ResourceAttributes',
  'A request about a resource.',
  () => ({
    namespace: omitEmpty(string(), 1, 'Namespace; empty for all, or for kinds of the cluster.'),
    verb: omitEmpty(string(), 2, 'The verb.'),
    group: omitEmpty(string(), 3, 'Group of the resource.'),
    version: omitEmpty(string(), 4, 'Version of the resource.'),
    resource: omitEmpty(string(), 5, 'The resource.'),
    subresource: omitEmpty(string(), 6, 'The subresource.'),
    name: omitEmpty(string(), 7, 'Name of the object; empty for all.'),
    fieldSelector: omitNull(fieldSelector, 8, 'Only objects with such fields.'),
    labelSelector: omitNull(labelSelector, 9, 'Only objects with such labels.'),
  }),
);
export type ResourceAttributes = OutputOf<typeof resourceAttributes>;

const nonResourceAttributes = struct(
  'io.k8s.api.authorization.v1.NonResourceAttributes',
  'A request about another path.',
  () => ({
    path: omitEmpty(string(), 1, 'The path.'),
    verb: omitEmpty(string(), 2, 'The method, in lower case.'),
  }),
);
export type NonResourceAttributes = OutputOf<typeof nonResourceAttributes>;

const question = () => ({
  resourceAttributes: omitNull(resourceAttributes, 1, 'About a resource.'),
  nonResourceAttributes: omitNull(nonResourceAttributes, 2, 'About another path.'),
});

const extra = map(list(string(), { typeName: 'v1.ExtraValue' }));

const userSpec = struct(
  'io.k8s.api.authorization.v1.SubjectAccessReviewSpec',
  'Whether a user may do something.',
  () => ({
    ...question(),
    user: omitEmpty(string(), 3, 'Name of the user.'),
    groups: omitEmpty(listAtomic(string()), 4, 'Groups of the user.'),
    extra: omitEmpty(extra, 5, 'Extra facts of the user.'),
    uid: omitEmpty(string(), 6, 'Uid of the user.'),
  }),
);
export type SubjectAccessReviewSpec = OutputOf<typeof userSpec>;

const selfSpec = struct(
  'io.k8s.api.authorization.v1.SelfSubjectAccessReviewSpec',
  'Whether the caller may do something.',
  question,
);

const accessStatus = struct('io.k8s.api.authorization.v1.SubjectAccessReviewStatus', 'The answer.', () => ({
  allowed: required(boolean(), 1, 'Whether it is allowed.'),
  denied: omitEmpty(boolean(), 4, 'Whether it is denied, whatever others say.'),
  reason: omitEmpty(string(), 2, 'The reason.'),
  evaluationError: omitEmpty(string(), 3, 'What went wrong while this was found out.'),
}));
export type AccessReviewStatus = OutputOf<typeof accessStatus>;

const userReview = (kind: string, description: string) =>
  topLevel(`io.k8s.api.authorization.v1.${kind}`, description, () => ({
    spec: required(userSpec, 2, 'The question.'),
    status: always(accessStatus, 3, 'The answer.'),
  }));

export const subjectAccessReviewSchema = userReview('SubjectAccessReview', 'Asks whether a user may do something.');
export const localSubjectAccessReviewSchema = userReview(
  'LocalSubjectAccessReview',
  'Asks whether a user may do something in a namespace.',
);
export const selfSubjectAccessReviewSchema = topLevel(
  'io.k8s.api.authorization.v1.SelfSubjectAccessReview',
  'Asks whether the caller may do something.',
  () => ({ spec: required(selfSpec, 2, 'The question.'), status: always(accessStatus, 3, 'The answer.') }),
);
