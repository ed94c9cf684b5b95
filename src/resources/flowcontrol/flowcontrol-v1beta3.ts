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

PriorityLevelConfiguration kind                Limits the number of concurrent requests.
  spec    2  PriorityLevelConfigurationSpec    Limits the number of concurrent requests.
  status  3  PriorityLevelConfigurationStatus  The observed state.

PriorityLevelConfigurationSpec union(type: exempt,limited)  Limits the number of concurrent requests.
  type     1  PriorityLevelEnablement!            Exempt or Limited.
  limited  2  LimitedPriorityLevelConfiguration*  A priority level with a limit.
  exempt   3  ExemptPriorityLevelConfiguration*   A priority level without a limit.

LimitedPriorityLevelConfiguration             A priority level with a limit.
  nominalConcurrencyShares  1  int32          Its share of the server's concurrency limit; 0 means the default.
  limitResponse             2  LimitResponse  The treatment of requests beyond the limit.
  lendablePercent           3  int32*         The percentage of its share that other levels may borrow.
  borrowingLimitPercent     4  int32*         The maximum that it may borrow, in percent of its own share.

LimitResponse union(type: queuing)   The treatment of requests beyond the limit.
  type     1  LimitResponseType!     Queue or Reject.
  queuing  2  QueuingConfiguration*  How requests are queued.

QueuingConfiguration          How requests are queued.
  queues            1  int32  The number of queues.
  handSize          2  int32  The number of queues that one flow may use.
  queueLengthLimit  3  int32  The maximum number of requests in one queue.

ExemptPriorityLevelConfiguration       A priority level without a limit.
  nominalConcurrencyShares  1  int32*  Its share of the server's concurrency limit.
  lendablePercent           2  int32*  The percentage of its share that other levels may borrow.

PriorityLevelConfigurationStatus                               The observed state.
  conditions  1  []PriorityLevelConfigurationCondition by(type)? merge key(type)  The conditions.

PriorityLevelConfigurationCondition                                A condition of the object.
  type                1  PriorityLevelConfigurationConditionType?  Type of the condition.
  status              2  ConditionStatus?                          True, False or Unknown.
  lastTransitionTime  3  Time                                      When its status last changed.
  reason              4  string?                                   The reason, in one word.
  message             5  string?                                   The reason, for people.

FlowSchema kind                Assigns requests to a priority level.
  spec    2  FlowSchemaSpec    The requests, and their priority level.
  status  3  FlowSchemaStatus  The observed state.

FlowSchemaSpec                                                         The requests, and their priority level.
  priorityLevelConfiguration  1  PriorityLevelConfigurationReference!  The priority level of these requests.
  matchingPrecedence          2  int32                                 The flow schema with the lowest value applies if several match.
  distinguisherMethod         3  FlowDistinguisherMethod*              How flows are distinguished; absent means a single flow.
  rules                       4  []PolicyRulesWithSubjects atomic?     The rules, one of which a request must match.

PriorityLevelConfigurationReference  A priority level by its name.
  name  1  string!  Name of the priority level.

FlowDistinguisherMethod                  How flows are distinguished.
  type  1  FlowDistinguisherMethodType!  ByUser or ByNamespace.

PolicyRulesWithSubjects                                 Subjects and their requests.
  subjects          1  []Subject atomic!                The subjects, one of which must match.
  resourceRules     2  []ResourcePolicyRule atomic?     Requests for resources.
  nonResourceRules  3  []NonResourcePolicyRule atomic?  Requests for non-resource paths.

Subject union(kind: group,serviceAccount,user)  A subject.
  kind            1  SubjectKind!            User, Group or ServiceAccount.
  user            2  UserSubject*            The user.
  group           3  GroupSubject*           The group.
  serviceAccount  4  ServiceAccountSubject*  The service account.

UserSubject         A user or group by name.
  name  1  string!  The name; * means all.

GroupSubject        A user or group by name.
  name  1  string!  The name; * means all.

ServiceAccountSubject    A service account.
  namespace  1  string!  Its namespace.
  name       2  string!  Its name; * means all.

ResourcePolicyRule                Requests for resources.
  verbs         1  []string set!  The verbs; * means all.
  apiGroups     2  []string set!  The API groups; * means all.
  resources     3  []string set!  The resources; * means all.
  clusterScope  4  bool?          Whether requests without a namespace match.
  namespaces    5  []string set   The namespaces; * means all.

NonResourcePolicyRule                Requests for plain paths.
  verbs            1  []string set!  The verbs; * means all.
  nonResourceURLs  6  []string set!  The paths; a final * matches everything below.

FlowSchemaStatus                                               The observed state.
  conditions  1  []FlowSchemaCondition by(type)? merge key(type)  The conditions.

FlowSchemaCondition                                A condition of the object.
  type                1  FlowSchemaConditionType?  Type of the condition.
  status              2  ConditionStatus?          True, False or Unknown.
  lastTransitionTime  3  Time                      When its status last changed.
  reason              4  string?                   The reason, in one word.
  message             5  string?                   The reason, for people.
`,
);
