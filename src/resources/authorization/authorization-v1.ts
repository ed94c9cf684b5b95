import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { AuthorizationV1 } from './authorization-v1.types.js';

/** The structs of authorization/v1. */
export const authorizationV1 = /* @__PURE__ */ fieldTable<AuthorizationV1>(
  'io.k8s.api.authorization.v1',
  { meta: metaV1 },
  `
ExtraValue = []string

SubjectAccessReview kind                Reports whether a user may make a request.
  spec    2  SubjectAccessReviewSpec!   The request to review.
  status  3  SubjectAccessReviewStatus  The result.

SubjectAccessReviewSpec                             The request, and its user.
  resourceAttributes     1  ResourceAttributes*     A request for a resource.
  nonResourceAttributes  2  NonResourceAttributes*  A request for a non-resource path.
  user                   3  string?                 Name of the user.
  groups                 4  []string atomic?        Groups of the user.
  extra                  5  map(ExtraValue)?        Extra attributes of the user.
  uid                    6  string?                 Uid of the user.

ResourceAttributes                            A request for a resource.
  namespace      1  string?                   The namespace; empty for all namespaces, or for cluster-scoped resources.
  verb           2  string?                   The verb.
  group          3  string?                   Group of the resource.
  version        4  string?                   Version of the resource.
  resource       5  string?                   The resource.
  subresource    6  string?                   The subresource.
  name           7  string?                   Name of the object; empty for all.
  fieldSelector  8  FieldSelectorAttributes*  Restricts the request to objects with these fields.
  labelSelector  9  LabelSelectorAttributes*  Restricts the request to objects with these labels.

FieldSelectorAttributes                                     A selector for fields.
  rawSelector   1  string?                                  The selector as in a query parameter.
  requirements  2  []meta.FieldSelectorRequirement atomic?  The parsed selector.

LabelSelectorAttributes                                     A selector for labels.
  rawSelector   1  string?                                  The selector as in a query parameter.
  requirements  2  []meta.LabelSelectorRequirement atomic?  The parsed selector.

NonResourceAttributes  A request for a non-resource path.
  path  1  string?  The path.
  verb  2  string?  The method, in lower case.

SubjectAccessReviewStatus      The result.
  allowed          1  bool!    Whether it is allowed.
  denied           4  bool?    Whether it is denied, whatever other authorizers decide.
  reason           2  string?  The reason.
  evaluationError  3  string?  An error that occurred during the evaluation.

SelfSubjectAccessReview kind               Reports whether the caller may make a request.
  spec    2  SelfSubjectAccessReviewSpec!  The request to review.
  status  3  SubjectAccessReviewStatus     The result.

SelfSubjectAccessReviewSpec                         The request.
  resourceAttributes     1  ResourceAttributes*     A request for a resource.
  nonResourceAttributes  2  NonResourceAttributes*  A request for a non-resource path.

LocalSubjectAccessReview kind           Reports whether a user may make a request in a namespace.
  spec    2  SubjectAccessReviewSpec!   The request to review.
  status  3  SubjectAccessReviewStatus  The result.

SelfSubjectRulesReview kind               Lists what the caller may do in a namespace.
  spec    2  SelfSubjectRulesReviewSpec!  The namespace.
  status  3  SubjectRulesReviewStatus     The result.

SelfSubjectRulesReviewSpec  The namespace whose rules are listed.
  namespace  1  string?  The namespace.

SubjectRulesReviewStatus                          The result.
  resourceRules     1  []ResourceRule atomic!     The permissions for resources.
  nonResourceRules  2  []NonResourceRule atomic!  The permissions for non-resource paths.
  incomplete        3  bool!                      Whether the lists may be incomplete.
  evaluationError   4  string?                    An error that occurred during the evaluation.

ResourceRule                          A permission for resources.
  verbs          1  []string atomic!  The verbs; '*' means all.
  apiGroups      2  []string atomic?  API groups of the resources; '*' means all.
  resources      3  []string atomic?  Resources and subresources; '*' means all.
  resourceNames  4  []string atomic?  Names of the objects; an empty list means all.

NonResourceRule                         A permission for non-resource paths.
  verbs            1  []string atomic!  The verbs; '*' means all.
  nonResourceURLs  2  []string atomic?  The paths; a final '*' is a wildcard.
`,
);
