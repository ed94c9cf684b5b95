import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { AdmissionregistrationV1 } from './admissionregistration-v1.types.js';

/** The structs of admissionregistration/v1. */
export const admissionregistrationV1 = /* @__PURE__ */ fieldTable<AdmissionregistrationV1>(
  'io.k8s.api.admissionregistration.v1',
  { meta: metaV1 },
  `
FailurePolicyType = string {Fail, Ignore}
MatchPolicyType = string {Equivalent, Exact}
SideEffectClass = string {None, NoneOnDryRun, Some, Unknown}
ReinvocationPolicyType = string {IfNeeded, Never}
OperationType = string {*, CONNECT, CREATE, DELETE, UPDATE}
ScopeType = string
StatusReason = string
ValidationAction = string {Audit, Deny, Warn}
ParameterNotFoundActionType = string

MutatingWebhookConfiguration kind                           Webhooks that may change what is written.
  webhooks  2  []MutatingWebhook by(name)? merge key(name)  The webhooks.

MutatingWebhook                                                            A webhook that may change the object.
  name                      1  string!                                     The name, with at least three parts: imagepolicy.example.com.
  clientConfig              2  WebhookClientConfig!                        Where it is.
  rules                     3  []RuleWithOperations atomic?                Which requests it is asked about: one must match.
  failurePolicy             4  FailurePolicyType*                          What a failed call means: Fail refuses, Ignore lets pass.
  matchPolicy               9  MatchPolicyType*                            Exact, or Equivalent: other versions of the resource match, too.
  namespaceSelector         5  meta.LabelSelector*                         Picks by the labels of the object's namespace.
  objectSelector           11  meta.LabelSelector*                         Picks by the labels of the object, new or old.
  sideEffects               6  SideEffectClass~ required                   None or NoneOnDryRun: others are not asked about dry runs.
  timeoutSeconds            7  int32*                                      How long a call may take, 1 to 30; default 10.
  admissionReviewVersions   8  []string atomic!                            Versions of AdmissionReview that it reads, the best first.
  reinvocationPolicy       10  ReinvocationPolicyType*                     Whether it is asked again after others changed the object.
  matchConditions          12  []MatchCondition by(name)? merge key(name)  Expressions that must hold for it to be asked.

WebhookClientConfig               Where a webhook is: url or service.
  url       3  string*            Its URL, https.
  service   1  ServiceReference*  The service that it is.
  caBundle  2  bytes?             The authorities, PEM, that its certificate may be of; default the system's.

ServiceReference         A service.
  namespace  1  string!  The namespace of the service.
  name       2  string!  The name of the service.
  path       3  string*  The path of the URL.
  port       4  int32*   The port; default 443.

RuleWithOperations                           Operations and the resources they are done to.
  operations     1  []OperationType atomic?  What is done to the object: CREATE, UPDATE, DELETE, CONNECT or * for all.
  apiGroups    2.1  []string atomic?         Groups: '*' is all, '' the core group.
  apiVersions  2.2  []string atomic?         Versions: '*' is all.
  resources    2.3  []string atomic?         Resources and subresources: 'pods', 'pods/log', 'pods/*', '*/scale', '*', '*/*'.
  scope        2.4  ScopeType*               Cluster, Namespaced or * for both.

MatchCondition            An expression that must hold.
  name        1  string!  The name of the condition.
  expression  2  string!  The expression, a bool.

ValidatingAdmissionPolicy kind                What must hold of requests.
  spec    2  ValidatingAdmissionPolicySpec    What must hold of which requests.
  status  3  ValidatingAdmissionPolicyStatus  What was found out about it.

ValidatingAdmissionPolicySpec                                      What must hold of which requests.
  paramKind         1  ParamKind*                                  The kind of the parameters, where it has any.
  matchConstraints  2  MatchResources*                             The requests it can be about; bindings may choose among them.
  validations       3  []Validation atomic?                        What must hold.
  failurePolicy     4  FailurePolicyType*                          What errors of expressions mean: Fail refuses, Ignore lets pass.
  auditAnnotations  5  []AuditAnnotation atomic?                   Annotations of audit events.
  matchConditions   6  []MatchCondition by(name)? merge key(name)  Expressions that must hold for the policy to be looked at.
  variables         7  []Variable by(name)? merge key(name)        Expressions that others may use.

ParamKind atomic          The kind of the parameters.
  apiVersion  1  string?  Its group and version.
  kind        2  string?  Its name.

MatchResources atomic                                         Which requests are looked at: all conditions must hold.
  namespaceSelector     1  meta.LabelSelector*                Picks by the labels of the object's namespace.
  objectSelector        2  meta.LabelSelector*                Picks by the labels of the object, new or old.
  resourceRules         3  []NamedRuleWithOperations atomic?  The requests: one of these must match.
  excludeResourceRules  4  []NamedRuleWithOperations atomic?  Requests that are left out all the same.
  matchPolicy           7  MatchPolicyType*                   Exact, or Equivalent: other versions of the resource match, too.

NamedRuleWithOperations atomic                   Operations and the resources they are done to, by name.
  resourceNames      1  []string atomic?         Names of objects; none are all.
  embed 2 RuleWithOperations

Validation                             An expression that must hold.
  expression         1  string!        The expression, a bool.
  message            2  string?        What is said where it does not hold.
  reason             3  StatusReason*  The reason of the refusal; default Invalid.
  messageExpression  4  string?        An expression of what is said, a string; preferred to the message.

AuditAnnotation                An annotation of audit events.
  key              1  string!  The last part of its key; the name of the policy comes before it.
  valueExpression  2  string!  An expression of the value, a string; null for none.

Variable atomic           An expression with a name that later ones may use.
  name        1  string!  The name: variables.name is the value.
  expression  2  string!  The expression.

ValidatingAdmissionPolicyStatus                      What was found out about a policy.
  observedGeneration  1  int64?                      The generation that was looked at.
  typeChecking        2  TypeChecking*               What the type checker found; absent until it has looked.
  conditions          3  []meta.Condition by(type)?  The conditions.

TypeChecking                                          What the type checker found.
  expressionWarnings  1  []ExpressionWarning atomic?  A warning for each expression.

ExpressionWarning       What is strange about an expression.
  fieldRef  2  string!  Where the expression is.
  warning   3  string!  What the type checker says, by kind of object.

ValidatingAdmissionPolicyBinding kind            Makes a policy count.
  spec  2  ValidatingAdmissionPolicyBindingSpec  Which policy counts where.

ValidatingAdmissionPolicyBindingSpec             Which policy counts where.
  policyName         1  string?                  The name of the policy.
  paramRef           2  ParamRef*                The parameters, where the policy has any.
  matchResources     3  MatchResources*          Which of the requests of the policy.
  validationActions  4  []ValidationAction set?  What a refusal means: Deny, Warn, Audit.

ParamRef atomic                                             The parameters: by name or by selector.
  name                     1  string?                       The name of the one object.
  namespace                2  string?                       Their namespace; default that of the request's object.
  selector                 3  meta.LabelSelector*           Picks objects by their labels; each is a parameter in turn.
  parameterNotFoundAction  4  ParameterNotFoundActionType*  What it means that there are none: Allow or Deny.

ValidatingWebhookConfiguration kind                          Webhooks that may refuse writes.
  webhooks  2  []ValidatingWebhook by(name)? merge key(name)  The webhooks.

ValidatingWebhook                                                          A webhook that may refuse.
  name                      1  string!                                     The name, with at least three parts: imagepolicy.example.com.
  clientConfig              2  WebhookClientConfig!                        Where it is.
  rules                     3  []RuleWithOperations atomic?                Which requests it is asked about: one must match.
  failurePolicy             4  FailurePolicyType*                          What a failed call means: Fail refuses, Ignore lets pass.
  matchPolicy               9  MatchPolicyType*                            Exact, or Equivalent: other versions of the resource match, too.
  namespaceSelector         5  meta.LabelSelector*                         Picks by the labels of the object's namespace.
  objectSelector           10  meta.LabelSelector*                         Picks by the labels of the object, new or old.
  sideEffects               6  SideEffectClass~ required                   None or NoneOnDryRun: others are not asked about dry runs.
  timeoutSeconds            7  int32*                                      How long a call may take, 1 to 30; default 10.
  admissionReviewVersions   8  []string atomic!                            Versions of AdmissionReview that it reads, the best first.
  matchConditions          11  []MatchCondition by(name)? merge key(name)  Expressions that must hold for it to be asked.
`,
);
