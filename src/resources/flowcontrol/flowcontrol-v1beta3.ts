import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { FlowcontrolV1beta3 } from './flowcontrol-v1beta3.types.js';

/** The structs of flowcontrol/v1beta3. */
export const flowcontrolV1beta3 = /* @__PURE__ */ fieldTable<FlowcontrolV1beta3>(
  'io.k8s.api.flowcontrol.v1beta3',
  { meta: metaV1 },
  `
PriorityLevelEnablement = string
LimitResponseType = string
PriorityLevelConfigurationConditionType = string
ConditionStatus = string
FlowDistinguisherMethodType = string
SubjectKind = string
FlowSchemaConditionType = string

PriorityLevelConfiguration kind                How many requests are served at a time.
  spec    2  PriorityLevelConfigurationSpec    How many requests are served at a time.
  status  3  PriorityLevelConfigurationStatus  What was found about it.

PriorityLevelConfigurationSpec union(type: exempt,limited)  How many requests are served at a time.
  type     1  PriorityLevelEnablement!            Exempt or Limited.
  limited  2  LimitedPriorityLevelConfiguration*  A level with a limit.
  exempt   3  ExemptPriorityLevelConfiguration*   A level without limit.

LimitedPriorityLevelConfiguration             A level with a limit.
  nominalConcurrencyShares  1  int32          Its part of what the server can do at a time. 0 means the default.
  limitResponse             2  LimitResponse  What becomes of requests beyond the limit.
  lendablePercent           3  int32*         The part of its share that others may use.
  borrowingLimitPercent     4  int32*         How much of others it may use, of its own share.

LimitResponse union(type: queuing)   What becomes of requests beyond the limit.
  type     1  LimitResponseType!     Queue or Reject.
  queuing  2  QueuingConfiguration*  How they wait.

QueuingConfiguration          How requests wait.
  queues            1  int32  The number of queues.
  handSize          2  int32  The number of queues that one flow may use.
  queueLengthLimit  3  int32  The number of requests that may wait in one queue.

ExemptPriorityLevelConfiguration       A level without limit.
  nominalConcurrencyShares  1  int32*  Its part of what the server can do at a time.
  lendablePercent           2  int32*  The part of that which others may use.

PriorityLevelConfigurationStatus                               What was found about it.
  conditions  1  []PriorityLevelConfigurationCondition by(type)? merge key(type)  The conditions.

PriorityLevelConfigurationCondition                                A condition of the object.
  type                1  PriorityLevelConfigurationConditionType?  Type of the condition.
  status              2  ConditionStatus?                          True, False or Unknown.
  lastTransitionTime  3  Time                                      When its status last changed.
  reason              4  string?                                   The reason, in one word.
  message             5  string?                                   The reason, for people.

FlowSchema kind                Sends requests to a priority level.
  spec    2  FlowSchemaSpec    Which requests, and where they go.
  status  3  FlowSchemaStatus  What was found about it.

FlowSchemaSpec                                                         Which requests, and where they go.
  priorityLevelConfiguration  1  PriorityLevelConfigurationReference!  The level of these requests.
  matchingPrecedence          2  int32                                 Of several that match, the one with the least number counts.
  distinguisherMethod         3  FlowDistinguisherMethod*              How flows are told apart; none makes one flow of all.
  rules                       4  []PolicyRulesWithSubjects atomic?     The requests that match: one of these.

PriorityLevelConfigurationReference  A priority level by its name.
  name  1  string!  Name of the priority level.

FlowDistinguisherMethod                  How flows are told apart.
  type  1  FlowDistinguisherMethodType!  ByUser or ByNamespace.

PolicyRulesWithSubjects                                 Who asks for what.
  subjects          1  []Subject atomic!                Who asks: one of these.
  resourceRules     2  []ResourcePolicyRule atomic?     Resources that are asked for.
  nonResourceRules  3  []NonResourcePolicyRule atomic?  Paths that are asked for.

Subject union(kind: group,serviceAccount,user)  Who asks.
  kind            1  SubjectKind!            User, Group or ServiceAccount.
  user            2  UserSubject*            The user.
  group           3  GroupSubject*           The group.
  serviceAccount  4  ServiceAccountSubject*  The service account.

UserSubject         Somebody by name.
  name  1  string!  The name; * means all.

GroupSubject        Somebody by name.
  name  1  string!  The name; * means all.

ServiceAccountSubject    A service account.
  namespace  1  string!  Its namespace.
  name       2  string!  Its name; * means all.

ResourcePolicyRule                Requests for resources.
  verbs         1  []string set!  What is done; * means all.
  apiGroups     2  []string set!  Their groups; * means all.
  resources     3  []string set!  The resources; * means all.
  clusterScope  4  bool?          Whether requests outside of namespaces are meant.
  namespaces    5  []string set   The namespaces; * means all.

NonResourcePolicyRule                Requests for plain paths.
  verbs            1  []string set!  What is done; * means all.
  nonResourceURLs  6  []string set!  The paths; * at the end means all below.

FlowSchemaStatus                                               What was found about it.
  conditions  1  []FlowSchemaCondition by(type)? merge key(type)  The conditions.

FlowSchemaCondition                                A condition of the object.
  type                1  FlowSchemaConditionType?  Type of the condition.
  status              2  ConditionStatus?          True, False or Unknown.
  lastTransitionTime  3  Time                      When its status last changed.
  reason              4  string?                   The reason, in one word.
  message             5  string?                   The reason, for people.
`,
);
