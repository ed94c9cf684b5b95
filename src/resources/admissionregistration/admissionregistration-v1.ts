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

MutatingWebhookConfiguration kind                           Webhooks that may change written objects.
  webhooks  2  []MutatingWebhook by(name)? merge key(name)  The webhooks.

MutatingWebhook                                                            A webhook that may change the object.
  name                      1  string!                                     The name, with at least three parts: imagepolicy.example.com.
  clientConfig              2  WebhookClientConfig!                        The address of the webhook.
  rules                     3  []RuleWithOperations atomic?                The requests that it is called for: one rule must match.
  failurePolicy             4  FailurePolicyType*                          The effect of a failed call: Fail refuses the request, Ignore allows it.
  matchPolicy               9  MatchPolicyType*                            Exact, or Equivalent: other versions of the resource match as well.
  namespaceSelector         5  meta.LabelSelector*                         Selects by the labels of the object's namespace.
  objectSelector           11  meta.LabelSelector*                         Selects by the labels of the object, new or old.
  sideEffects               6  SideEffectClass~ required                   None or NoneOnDryRun; webhooks with other values are not called for dry runs.
  timeoutSeconds            7  int32*                                      The time limit of a call in seconds, 1 to 30; default 10.
  admissionReviewVersions   8  []string atomic!                            The versions of AdmissionReview that it supports, the preferred one first.
  reinvocationPolicy       10  ReinvocationPolicyType*                     Whether it is called again after others changed the object.
  matchConditions          12  []MatchCondition by(name)? merge key(name)  Expressions that must be true for it to be called.

WebhookClientConfig               The address of a webhook: url or service.
  url       3  string*            The URL, with https.
  service   1  ServiceReference*  The service of the webhook.
  caBundle  2  bytes?             The CA certificates, PEM, that verify its certificate; default the system's.

ServiceReference         A service.
  namespace  1  string!  The namespace of the service.
  name       2  string!  The name of the service.
  path       3  string*  The path of the URL.
  port       4  int32*   The port; default 443.

RuleWithOperations                           Operations, and the resources they apply to.
  operations     1  []OperationType atomic?  The operations: CREATE, UPDATE, DELETE, CONNECT, or * for all.
  apiGroups    2.1  []string atomic?         API groups; '*' means all, '' the core group.
  apiVersions  2.2  []string atomic?         API versions; '*' means all.
  resources    2.3  []string atomic?         Resources and subresources: 'pods', 'pods/log', 'pods/*', '*/scale', '*', '*/*'.
  scope        2.4  ScopeType*               Cluster, Namespaced or * for both.

MatchCondition            An expression that must be true.
  name        1  string!  The name of the condition.
  expression  2  string!  The expression, a bool.

ValidatingAdmissionPolicy kind                Conditions that requests must satisfy.
  spec    2  ValidatingAdmissionPolicySpec    The conditions, and the requests they apply to.
  status  3  ValidatingAdmissionPolicyStatus  The observed state.

ValidatingAdmissionPolicySpec                                      The conditions, and the requests they apply to.
  paramKind         1  ParamKind*                                  The kind of the parameters, if there are any.
  matchConstraints  2  MatchResources*                             The requests that it can apply to; bindings may select among them.
  validations       3  []Validation atomic?                        The conditions.
  failurePolicy     4  FailurePolicyType*                          The effect of errors in expressions: Fail refuses the request, Ignore allows it.
  auditAnnotations  5  []AuditAnnotation atomic?                   Annotations of audit events.
  matchConditions   6  []MatchCondition by(name)? merge key(name)  Expressions that must be true for the policy to be evaluated.
  variables         7  []Variable by(name)? merge key(name)        Expressions that other expressions may use.

ParamKind atomic          The kind of the parameters.
  apiVersion  1  string?  The group and version.
  kind        2  string?  Its name.

MatchResources atomic                                         The selected requests: all conditions must match.
  namespaceSelector     1  meta.LabelSelector*                Selects by the labels of the object's namespace.
  objectSelector        2  meta.LabelSelector*                Selects by the labels of the object, new or old.
  resourceRules         3  []NamedRuleWithOperations atomic?  The requests: one of these rules must match.
  excludeResourceRules  4  []NamedRuleWithOperations atomic?  Requests that are excluded nevertheless.
  matchPolicy           7  MatchPolicyType*                   Exact, or Equivalent: other versions of the resource match as well.

NamedRuleWithOperations atomic                   Operations, and the resources they apply to, by name.
  resourceNames      1  []string atomic?         Names of objects; an empty list means all.
  embed 2 RuleWithOperations

Validation                             An expression that must be true.
  expression         1  string!        The expression, a bool.
  message            2  string?        The message if it is false.
  reason             3  StatusReason*  The reason of the refusal; default Invalid.
  messageExpression  4  string?        An expression for the message, a string; takes precedence over message.

AuditAnnotation                An annotation of audit events.
  key              1  string!  The last part of the key; the name of the policy precedes it.
  valueExpression  2  string!  An expression for the value, a string, or null for no annotation.

Variable atomic           An expression with a name that later ones may use.
  name        1  string!  The name: variables.name is the value.
  expression  2  string!  The expression.

ValidatingAdmissionPolicyStatus                      The observed state of a policy.
  observedGeneration  1  int64?                      The generation that was processed.
  typeChecking        2  TypeChecking*               The results of type checking; absent until that is done.
  conditions          3  []meta.Condition by(type)?  The conditions.

TypeChecking                                          The results of type checking.
  expressionWarnings  1  []ExpressionWarning atomic?  A warning for each expression.

ExpressionWarning       A warning about an expression.
  fieldRef  2  string!  The path of the expression.
  warning   3  string!  The results of type checking, by kind of object.

ValidatingAdmissionPolicyBinding kind            Puts a policy into force.
  spec  2  ValidatingAdmissionPolicyBindingSpec  The policy, and where it applies.

ValidatingAdmissionPolicyBindingSpec             The policy, and where it applies.
  policyName         1  string?                  The name of the policy.
  paramRef           2  ParamRef*                The parameters, if the policy has any.
  matchResources     3  MatchResources*          The selected requests among those of the policy.
  validationActions  4  []ValidationAction set?  The effects of a failed validation: Deny, Warn, Audit.

ParamRef atomic                                             The parameters: by name or by selector.
  name                     1  string?                       The name of a single object.
  namespace                2  string?                       The namespace; default that of the request's object.
  selector                 3  meta.LabelSelector*           Selects objects by their labels; the policy is evaluated with each.
  parameterNotFoundAction  4  ParameterNotFoundActionType*  The effect of absent parameters: Allow or Deny.

ValidatingWebhookConfiguration kind                          Webhooks that may refuse writes.
  webhooks  2  []ValidatingWebhook by(name)? merge key(name)  The webhooks.

ValidatingWebhook                                                          A webhook that may refuse the write.
  name                      1  string!                                     The name, with at least three parts: imagepolicy.example.com.
  clientConfig              2  WebhookClientConfig!                        The address of the webhook.
  rules                     3  []RuleWithOperations atomic?                The requests that it is called for: one rule must match.
  failurePolicy             4  FailurePolicyType*                          The effect of a failed call: Fail refuses the request, Ignore allows it.
  matchPolicy               9  MatchPolicyType*                            Exact, or Equivalent: other versions of the resource match as well.
  namespaceSelector         5  meta.LabelSelector*                         Selects by the labels of the object's namespace.
  objectSelector           10  meta.LabelSelector*                         Selects by the labels of the object, new or old.
  sideEffects               6  SideEffectClass~ required                   None or NoneOnDryRun; webhooks with other values are not called for dry runs.
  timeoutSeconds            7  int32*                                      The time limit of a call in seconds, 1 to 30; default 10.
  admissionReviewVersions   8  []string atomic!                            The versions of AdmissionReview that it supports, the preferred one first.
  matchConditions          11  []MatchCondition by(name)? merge key(name)  Expressions that must be true for it to be called.
`,
);
