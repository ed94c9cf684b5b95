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

export const AUTHORIZATION_V1 = 'io.k8s.api.authorization.v1';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const fieldSelectorRequirement = struct(
  `${META}.FieldSelectorRequirement`,
  {
    key: required(string(), 'Path of the field.'),
    operator: required(string({ typeName: 'v1.FieldSelectorOperator' }), 'In, NotIn, Exists or DoesNotExist.'),
    values: omitEmpty(listAtomic(string()), 'Values to compare with.'),
  },
  { description: 'One requirement on fields.' },
);

/** What may be given of a selector; it is not looked at in this release (spec 12.5). */
const fieldSelector = struct(
  `${AUTHORIZATION_V1}.FieldSelectorAttributes`,
  {
    rawSelector: omitEmpty(string(), 'The selector as a query has it.'),
    requirements: omitEmpty(listAtomic(fieldSelectorRequirement), 'The parsed selector.'),
  },
  { description: 'Which objects, by their fields.' },
);
const labelSelector = struct(
  `${AUTHORIZATION_V1}.LabelSelectorAttributes`,
  {
    rawSelector: omitEmpty(string(), 'The selector as a query has it.'),
    requirements: omitEmpty(listAtomic(labelSelectorRequirement), 'The parsed selector.'),
  },
  { description: 'Which objects, by their labels.' },
);

const resourceAttributes = struct(
  `${AUTHORIZATION_V1}.ResourceAttributes`,
  {
    namespace: omitEmpty(string(), 'Namespace; empty for all, or for kinds of the cluster.'),
    verb: omitEmpty(string(), 'The verb.'),
    group: omitEmpty(string(), 'Group of the resource.'),
    version: omitEmpty(string(), 'Version of the resource.'),
    resource: omitEmpty(string(), 'The resource.'),
    subresource: omitEmpty(string(), 'The subresource.'),
    name: omitEmpty(string(), 'Name of the object; empty for all.'),
    fieldSelector: omitNull(fieldSelector, 'Only objects with such fields.'),
    labelSelector: omitNull(labelSelector, 'Only objects with such labels.'),
  },
  { description: 'A request about a resource.' },
);
export type ResourceAttributes = OutputOf<typeof resourceAttributes>;

const nonResourceAttributes = struct(
  `${AUTHORIZATION_V1}.NonResourceAttributes`,
  {
    path: omitEmpty(string(), 'The path.'),
    verb: omitEmpty(string(), 'The method, in lower case.'),
  },
  { description: 'A request about another path.' },
);
export type NonResourceAttributes = OutputOf<typeof nonResourceAttributes>;

const question = {
  resourceAttributes: omitNull(resourceAttributes, 'About a resource.'),
  nonResourceAttributes: omitNull(nonResourceAttributes, 'About another path.'),
};

const extra = map(list(string(), { typeName: 'v1.ExtraValue' }));

const userSpec = struct(
  `${AUTHORIZATION_V1}.SubjectAccessReviewSpec`,
  {
    ...question,
    user: omitEmpty(string(), 'Name of the user.'),
    groups: omitEmpty(listAtomic(string()), 'Groups of the user.'),
    extra: omitEmpty(extra, 'Extra facts of the user.'),
    uid: omitEmpty(string(), 'Uid of the user.'),
  },
  { description: 'Whether a user may do something.' },
);
export type SubjectAccessReviewSpec = OutputOf<typeof userSpec>;

const selfSpec = struct(`${AUTHORIZATION_V1}.SelfSubjectAccessReviewSpec`, question, {
  description: 'Whether the caller may do something.',
});

const accessStatus = struct(
  `${AUTHORIZATION_V1}.SubjectAccessReviewStatus`,
  {
    allowed: required(boolean(), 'Whether it is allowed.'),
    denied: omitEmpty(boolean(), 'Whether it is denied, whatever others say.'),
    reason: omitEmpty(string(), 'The reason.'),
    evaluationError: omitEmpty(string(), 'What went wrong while this was found out.'),
  },
  { description: 'The answer.' },
);
export type AccessReviewStatus = OutputOf<typeof accessStatus>;

const status = always(accessStatus, 'The answer.');
const userReview = (kind: string, description: string) =>
  topLevel(`${AUTHORIZATION_V1}.${kind}`, { spec: required(userSpec, 'The question.'), status }, { description });

export const subjectAccessReviewSchema = userReview('SubjectAccessReview', 'Asks whether a user may do something.');
export const localSubjectAccessReviewSchema = userReview(
  'LocalSubjectAccessReview',
  'Asks whether a user may do something in a namespace.',
);
export const selfSubjectAccessReviewSchema = topLevel(
  `${AUTHORIZATION_V1}.SelfSubjectAccessReview`,
  { spec: required(selfSpec, 'The question.'), status },
  { description: 'Asks whether the caller may do something.' },
);
