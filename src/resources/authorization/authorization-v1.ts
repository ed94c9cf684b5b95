import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { AuthorizationV1 } from './authorization-v1.types.js';

/** The structs of authorization/v1. */
export const authorizationV1 = /* @__PURE__ */ fieldTable<AuthorizationV1>(
  'io.k8s.api.authorization.v1',
  { meta: metaV1 },
  `
ExtraValue = []string

SubjectAccessReview kind                Asks whether a user may do something.
  spec    2  SubjectAccessReviewSpec!   The question.
  status  3  SubjectAccessReviewStatus  The answer.

SubjectAccessReviewSpec                             Whether a user may do something.
  resourceAttributes     1  ResourceAttributes*     About a resource.
  nonResourceAttributes  2  NonResourceAttributes*  About another path.
  user                   3  string?                 Name of the user.
  groups                 4  []string atomic?        Groups of the user.
  extra                  5  map(ExtraValue)?        Extra facts of the user.
  uid                    6  string?                 Uid of the user.

ResourceAttributes                            A request about a resource.
  namespace      1  string?                   Namespace; empty for all, or for kinds of the cluster.
  verb           2  string?                   The verb.
  group          3  string?                   Group of the resource.
  version        4  string?                   Version of the resource.
  resource       5  string?                   The resource.
  subresource    6  string?                   The subresource.
  name           7  string?                   Name of the object; empty for all.
  fieldSelector  8  FieldSelectorAttributes*  Only objects with such fields.
  labelSelector  9  LabelSelectorAttributes*  Only objects with such labels.

FieldSelectorAttributes                                     Which objects, by their fields.
  rawSelector   1  string?                                  The selector as a query has it.
  requirements  2  []meta.FieldSelectorRequirement atomic?  The parsed selector.

LabelSelectorAttributes                                     Which objects, by their labels.
  rawSelector   1  string?                                  The selector as a query has it.
  requirements  2  []meta.LabelSelectorRequirement atomic?  The parsed selector.

NonResourceAttributes  A request about another path.
  path  1  string?  The path.
  verb  2  string?  The method, in lower case.

SubjectAccessReviewStatus      The answer.
  allowed          1  bool!    Whether it is allowed.
  denied           4  bool?    Whether it is denied, whatever others say.
  reason           2  string?  The reason.
  evaluationError  3  string?  What went wrong while this was found out.

SelfSubjectAccessReview kind               Asks whether the caller may do something.
  spec    2  SelfSubjectAccessReviewSpec!  The question.
  status  3  SubjectAccessReviewStatus     The answer.

SelfSubjectAccessReviewSpec                         Whether the caller may do something.
  resourceAttributes     1  ResourceAttributes*     About a resource.
  nonResourceAttributes  2  NonResourceAttributes*  About another path.

LocalSubjectAccessReview kind           Asks whether a user may do something in a namespace.
  spec    2  SubjectAccessReviewSpec!   The question.
  status  3  SubjectAccessReviewStatus  The answer.

SelfSubjectRulesReview kind               Asks what the caller may do in a namespace.
  spec    2  SelfSubjectRulesReviewSpec!  The namespace.
  status  3  SubjectRulesReviewStatus     The answer.

SelfSubjectRulesReviewSpec  The namespace whose rules are listed.
  namespace  1  string?  The namespace.

SubjectRulesReviewStatus                          The answer.
  resourceRules     1  []ResourceRule atomic!     What is allowed with resources.
  nonResourceRules  2  []NonResourceRule atomic!  What is allowed with other paths.
  incomplete        3  bool!                      Whether the lists may be incomplete.
  evaluationError   4  string?                    What went wrong while this was found out.

ResourceRule                          What may be done with resources.
  verbs          1  []string atomic!  What may be done; '*' is everything.
  apiGroups      2  []string atomic?  Groups of the resources; '*' is all.
  resources      3  []string atomic?  Resources and subresources; '*' is all.
  resourceNames  4  []string atomic?  Names of the objects; none means all.

NonResourceRule                         What may be done with other paths.
  verbs            1  []string atomic!  What may be done; '*' is everything.
  nonResourceURLs  2  []string atomic?  The paths; '*' may end one.
`,
);
