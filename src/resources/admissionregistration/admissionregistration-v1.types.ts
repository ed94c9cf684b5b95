// Made by `npm run api-types` of admissionregistration-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface AdmissionregistrationV1 {
  MutatingWebhookConfiguration: MutatingWebhookConfiguration;
  MutatingWebhook: MutatingWebhook;
  WebhookClientConfig: WebhookClientConfig;
  ServiceReference: ServiceReference;
  RuleWithOperations: RuleWithOperations;
  MatchCondition: MatchCondition;
  ValidatingAdmissionPolicy: ValidatingAdmissionPolicy;
  ValidatingAdmissionPolicySpec: ValidatingAdmissionPolicySpec;
  ParamKind: ParamKind;
  MatchResources: MatchResources;
  NamedRuleWithOperations: NamedRuleWithOperations;
  Validation: Validation;
  AuditAnnotation: AuditAnnotation;
  Variable: Variable;
  ValidatingAdmissionPolicyStatus: ValidatingAdmissionPolicyStatus;
  TypeChecking: TypeChecking;
  ExpressionWarning: ExpressionWarning;
  ValidatingAdmissionPolicyBinding: ValidatingAdmissionPolicyBinding;
  ValidatingAdmissionPolicyBindingSpec: ValidatingAdmissionPolicyBindingSpec;
  ParamRef: ParamRef;
  ValidatingWebhookConfiguration: ValidatingWebhookConfiguration;
  ValidatingWebhook: ValidatingWebhook;
}

export type FailurePolicyType = string;

export type MatchPolicyType = string;

export type SideEffectClass = string;

export type ReinvocationPolicyType = string;

export type OperationType = string;

export type ScopeType = string;

export type StatusReason = string;

export type ValidationAction = string;

export type ParameterNotFoundActionType = string;

/** Webhooks that may change written objects. */
export interface MutatingWebhookConfiguration extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The webhooks. */
  readonly webhooks?: readonly MutatingWebhook[];
}

/** A webhook that may change the object. */
export interface MutatingWebhook {
  /** The name, with at least three parts: imagepolicy.example.com. */
  readonly name: string;
  /** The address of the webhook. */
  readonly clientConfig: WebhookClientConfig;
  /** The requests that it is called for: one rule must match. */
  readonly rules?: readonly RuleWithOperations[];
  /** The effect of a failed call: Fail refuses the request, Ignore allows it. */
  readonly failurePolicy?: FailurePolicyType;
  /** Exact, or Equivalent: other versions of the resource match as well. */
  readonly matchPolicy?: MatchPolicyType;
  /** Selects by the labels of the object's namespace. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** Selects by the labels of the object, new or old. */
  readonly objectSelector?: meta.LabelSelector;
  /** None or NoneOnDryRun; webhooks with other values are not called for dry runs. */
  readonly sideEffects: SideEffectClass;
  /** The time limit of a call in seconds, 1 to 30; default 10. */
  readonly timeoutSeconds?: number;
  /** The versions of AdmissionReview that it supports, the preferred one first. */
  readonly admissionReviewVersions: readonly string[];
  /** Whether it is called again after others changed the object. */
  readonly reinvocationPolicy?: ReinvocationPolicyType;
  /** Expressions that must be true for it to be called. */
  readonly matchConditions?: readonly MatchCondition[];
}

/** The address of a webhook: url or service. */
export interface WebhookClientConfig {
  /** The URL, with https. */
  readonly url?: string;
  /** The service of the webhook. */
  readonly service?: ServiceReference;
  /** The CA certificates, PEM, that verify its certificate; default the system's. */
  readonly caBundle?: string;
}

/** A service. */
export interface ServiceReference {
  /** The namespace of the service. */
  readonly namespace: string;
  /** The name of the service. */
  readonly name: string;
  /** The path of the URL. */
  readonly path?: string;
  /** The port; default 443. */
  readonly port?: number;
}

/** Operations, and the resources they apply to. */
export interface RuleWithOperations {
  /** The operations: CREATE, UPDATE, DELETE, CONNECT, or * for all. */
  readonly operations?: readonly OperationType[];
  /** API groups; '*' means all, '' the core group. */
  readonly apiGroups?: readonly string[];
  /** API versions; '*' means all. */
  readonly apiVersions?: readonly string[];
  /** Resources and subresources: 'pods', 'pods/log', 'pods/*', '*\/scale', '*', '*\/*'. */
  readonly resources?: readonly string[];
  /** Cluster, Namespaced or * for both. */
  readonly scope?: ScopeType;
}

/** An expression that must be true. */
export interface MatchCondition {
  /** The name of the condition. */
  readonly name: string;
  /** The expression, a bool. */
  readonly expression: string;
}

/** Conditions that requests must satisfy. */
export interface ValidatingAdmissionPolicy extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The conditions, and the requests they apply to. */
  readonly spec: ValidatingAdmissionPolicySpec;
  /** The observed state. */
  readonly status: ValidatingAdmissionPolicyStatus;
}

/** The conditions, and the requests they apply to. */
export interface ValidatingAdmissionPolicySpec {
  /** The kind of the parameters, if there are any. */
  readonly paramKind?: ParamKind;
  /** The requests that it can apply to; bindings may select among them. */
  readonly matchConstraints?: MatchResources;
  /** The conditions. */
  readonly validations?: readonly Validation[];
  /** The effect of errors in expressions: Fail refuses the request, Ignore allows it. */
  readonly failurePolicy?: FailurePolicyType;
  /** Annotations of audit events. */
  readonly auditAnnotations?: readonly AuditAnnotation[];
  /** Expressions that must be true for the policy to be evaluated. */
  readonly matchConditions?: readonly MatchCondition[];
  /** Expressions that other expressions may use. */
  readonly variables?: readonly Variable[];
}

/** The kind of the parameters. */
export interface ParamKind {
  /** The group and version. */
  readonly apiVersion?: string;
  /** Its name. */
  readonly kind?: string;
}

/** The selected requests: all conditions must match. */
export interface MatchResources {
  /** Selects by the labels of the object's namespace. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** Selects by the labels of the object, new or old. */
  readonly objectSelector?: meta.LabelSelector;
  /** The requests: one of these rules must match. */
  readonly resourceRules?: readonly NamedRuleWithOperations[];
  /** Requests that are excluded nevertheless. */
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  /** Exact, or Equivalent: other versions of the resource match as well. */
  readonly matchPolicy?: MatchPolicyType;
}

/** Operations, and the resources they apply to, by name. */
export interface NamedRuleWithOperations {
  /** Names of objects; an empty list means all. */
  readonly resourceNames?: readonly string[];
  /** The operations: CREATE, UPDATE, DELETE, CONNECT, or * for all. */
  readonly operations?: readonly OperationType[];
  /** API groups; '*' means all, '' the core group. */
  readonly apiGroups?: readonly string[];
  /** API versions; '*' means all. */
  readonly apiVersions?: readonly string[];
  /** Resources and subresources: 'pods', 'pods/log', 'pods/*', '*\/scale', '*', '*\/*'. */
  readonly resources?: readonly string[];
  /** Cluster, Namespaced or * for both. */
  readonly scope?: ScopeType;
}

/** An expression that must be true. */
export interface Validation {
  /** The expression, a bool. */
  readonly expression: string;
  /** The message if it is false. */
  readonly message?: string;
  /** The reason of the refusal; default Invalid. */
  readonly reason?: StatusReason;
  /** An expression for the message, a string; takes precedence over message. */
  readonly messageExpression?: string;
}

/** An annotation of audit events. */
export interface AuditAnnotation {
  /** The last part of the key; the name of the policy precedes it. */
  readonly key: string;
  /** An expression for the value, a string, or null for no annotation. */
  readonly valueExpression: string;
}

/** An expression with a name that later ones may use. */
export interface Variable {
  /** The name: variables.name is the value. */
  readonly name: string;
  /** The expression. */
  readonly expression: string;
}

/** The observed state of a policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** The generation that was processed. */
  readonly observedGeneration?: number;
  /** The results of type checking; absent until that is done. */
  readonly typeChecking?: TypeChecking;
  /** The conditions. */
  readonly conditions?: readonly meta.Condition[];
}

/** The results of type checking. */
export interface TypeChecking {
  /** A warning for each expression. */
  readonly expressionWarnings?: readonly ExpressionWarning[];
}

/** A warning about an expression. */
export interface ExpressionWarning {
  /** The path of the expression. */
  readonly fieldRef: string;
  /** The results of type checking, by kind of object. */
  readonly warning: string;
}

/** Puts a policy into force. */
export interface ValidatingAdmissionPolicyBinding extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The policy, and where it applies. */
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

/** The policy, and where it applies. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** The name of the policy. */
  readonly policyName?: string;
  /** The parameters, if the policy has any. */
  readonly paramRef?: ParamRef;
  /** The selected requests among those of the policy. */
  readonly matchResources?: MatchResources;
  /** The effects of a failed validation: Deny, Warn, Audit. */
  readonly validationActions?: readonly ValidationAction[];
}

/** The parameters: by name or by selector. */
export interface ParamRef {
  /** The name of a single object. */
  readonly name?: string;
  /** The namespace; default that of the request's object. */
  readonly namespace?: string;
  /** Selects objects by their labels; the policy is evaluated with each. */
  readonly selector?: meta.LabelSelector;
  /** The effect of absent parameters: Allow or Deny. */
  readonly parameterNotFoundAction?: ParameterNotFoundActionType;
}

/** Webhooks that may refuse writes. */
export interface ValidatingWebhookConfiguration extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The webhooks. */
  readonly webhooks?: readonly ValidatingWebhook[];
}

/** A webhook that may refuse the write. */
export interface ValidatingWebhook {
  /** The name, with at least three parts: imagepolicy.example.com. */
  readonly name: string;
  /** The address of the webhook. */
  readonly clientConfig: WebhookClientConfig;
  /** The requests that it is called for: one rule must match. */
  readonly rules?: readonly RuleWithOperations[];
  /** The effect of a failed call: Fail refuses the request, Ignore allows it. */
  readonly failurePolicy?: FailurePolicyType;
  /** Exact, or Equivalent: other versions of the resource match as well. */
  readonly matchPolicy?: MatchPolicyType;
  /** Selects by the labels of the object's namespace. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** Selects by the labels of the object, new or old. */
  readonly objectSelector?: meta.LabelSelector;
  /** None or NoneOnDryRun; webhooks with other values are not called for dry runs. */
  readonly sideEffects: SideEffectClass;
  /** The time limit of a call in seconds, 1 to 30; default 10. */
  readonly timeoutSeconds?: number;
  /** The versions of AdmissionReview that it supports, the preferred one first. */
  readonly admissionReviewVersions: readonly string[];
  /** Expressions that must be true for it to be called. */
  readonly matchConditions?: readonly MatchCondition[];
}
