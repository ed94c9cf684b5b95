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

/** Webhooks that may change what is written. */
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
  /** Where it is. */
  readonly clientConfig: WebhookClientConfig;
  /** Which requests it is asked about: one must match. */
  readonly rules?: readonly RuleWithOperations[];
  /** What a failed call means: Fail refuses, Ignore lets pass. */
  readonly failurePolicy?: FailurePolicyType;
  /** Exact, or Equivalent: other versions of the resource match, too. */
  readonly matchPolicy?: MatchPolicyType;
  /** Picks by the labels of the object's namespace. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** Picks by the labels of the object, new or old. */
  readonly objectSelector?: meta.LabelSelector;
  /** None or NoneOnDryRun: others are not asked about dry runs. */
  readonly sideEffects: SideEffectClass;
  /** How long a call may take, 1 to 30; default 10. */
  readonly timeoutSeconds?: number;
  /** Versions of AdmissionReview that it reads, the best first. */
  readonly admissionReviewVersions: readonly string[];
  /** Whether it is asked again after others changed the object. */
  readonly reinvocationPolicy?: ReinvocationPolicyType;
  /** Expressions that must hold for it to be asked. */
  readonly matchConditions?: readonly MatchCondition[];
}

/** Where a webhook is: url or service. */
export interface WebhookClientConfig {
  /** Its URL, https. */
  readonly url?: string;
  /** The service that it is. */
  readonly service?: ServiceReference;
  /** The authorities, PEM, that its certificate may be of; default the system's. */
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

/** Operations and the resources they are done to. */
export interface RuleWithOperations {
  /** What is done to the object: CREATE, UPDATE, DELETE, CONNECT or * for all. */
  readonly operations?: readonly OperationType[];
  /** Groups: '*' is all, '' the core group. */
  readonly apiGroups?: readonly string[];
  /** Versions: '*' is all. */
  readonly apiVersions?: readonly string[];
  /** Resources and subresources: 'pods', 'pods/log', 'pods/*', '*\/scale', '*', '*\/*'. */
  readonly resources?: readonly string[];
  /** Cluster, Namespaced or * for both. */
  readonly scope?: ScopeType;
}

/** An expression that must hold. */
export interface MatchCondition {
  /** The name of the condition. */
  readonly name: string;
  /** The expression, a bool. */
  readonly expression: string;
}

/** What must hold of requests. */
export interface ValidatingAdmissionPolicy extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** What must hold of which requests. */
  readonly spec: ValidatingAdmissionPolicySpec;
  /** What was found out about it. */
  readonly status: ValidatingAdmissionPolicyStatus;
}

/** What must hold of which requests. */
export interface ValidatingAdmissionPolicySpec {
  /** The kind of the parameters, where it has any. */
  readonly paramKind?: ParamKind;
  /** The requests it can be about; bindings may choose among them. */
  readonly matchConstraints?: MatchResources;
  /** What must hold. */
  readonly validations?: readonly Validation[];
  /** What errors of expressions mean: Fail refuses, Ignore lets pass. */
  readonly failurePolicy?: FailurePolicyType;
  /** Annotations of audit events. */
  readonly auditAnnotations?: readonly AuditAnnotation[];
  /** Expressions that must hold for the policy to be looked at. */
  readonly matchConditions?: readonly MatchCondition[];
  /** Expressions that others may use. */
  readonly variables?: readonly Variable[];
}

/** The kind of the parameters. */
export interface ParamKind {
  /** Its group and version. */
  readonly apiVersion?: string;
  /** Its name. */
  readonly kind?: string;
}

/** Which requests are looked at: all conditions must hold. */
export interface MatchResources {
  /** Picks by the labels of the object's namespace. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** Picks by the labels of the object, new or old. */
  readonly objectSelector?: meta.LabelSelector;
  /** The requests: one of these must match. */
  readonly resourceRules?: readonly NamedRuleWithOperations[];
  /** Requests that are left out all the same. */
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  /** Exact, or Equivalent: other versions of the resource match, too. */
  readonly matchPolicy?: MatchPolicyType;
}

/** Operations and the resources they are done to, by name. */
export interface NamedRuleWithOperations {
  /** Names of objects; none are all. */
  readonly resourceNames?: readonly string[];
  /** What is done to the object: CREATE, UPDATE, DELETE, CONNECT or * for all. */
  readonly operations?: readonly OperationType[];
  /** Groups: '*' is all, '' the core group. */
  readonly apiGroups?: readonly string[];
  /** Versions: '*' is all. */
  readonly apiVersions?: readonly string[];
  /** Resources and subresources: 'pods', 'pods/log', 'pods/*', '*\/scale', '*', '*\/*'. */
  readonly resources?: readonly string[];
  /** Cluster, Namespaced or * for both. */
  readonly scope?: ScopeType;
}

/** An expression that must hold. */
export interface Validation {
  /** The expression, a bool. */
  readonly expression: string;
  /** What is said where it does not hold. */
  readonly message?: string;
  /** The reason of the refusal; default Invalid. */
  readonly reason?: StatusReason;
  /** An expression of what is said, a string; preferred to the message. */
  readonly messageExpression?: string;
}

/** An annotation of audit events. */
export interface AuditAnnotation {
  /** The last part of its key; the name of the policy comes before it. */
  readonly key: string;
  /** An expression of the value, a string; null for none. */
  readonly valueExpression: string;
}

/** An expression with a name that later ones may use. */
export interface Variable {
  /** The name: variables.name is the value. */
  readonly name: string;
  /** The expression. */
  readonly expression: string;
}

/** What was found out about a policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** The generation that was looked at. */
  readonly observedGeneration?: number;
  /** What the type checker found; absent until it has looked. */
  readonly typeChecking?: TypeChecking;
  /** The conditions. */
  readonly conditions?: readonly meta.Condition[];
}

/** What the type checker found. */
export interface TypeChecking {
  /** A warning for each expression. */
  readonly expressionWarnings?: readonly ExpressionWarning[];
}

/** What is strange about an expression. */
export interface ExpressionWarning {
  /** Where the expression is. */
  readonly fieldRef: string;
  /** What the type checker says, by kind of object. */
  readonly warning: string;
}

/** Makes a policy count. */
export interface ValidatingAdmissionPolicyBinding extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Which policy counts where. */
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

/** Which policy counts where. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** The name of the policy. */
  readonly policyName?: string;
  /** The parameters, where the policy has any. */
  readonly paramRef?: ParamRef;
  /** Which of the requests of the policy. */
  readonly matchResources?: MatchResources;
  /** What a refusal means: Deny, Warn, Audit. */
  readonly validationActions?: readonly ValidationAction[];
}

/** The parameters: by name or by selector. */
export interface ParamRef {
  /** The name of the one object. */
  readonly name?: string;
  /** Their namespace; default that of the request's object. */
  readonly namespace?: string;
  /** Picks objects by their labels; each is a parameter in turn. */
  readonly selector?: meta.LabelSelector;
  /** What it means that there are none: Allow or Deny. */
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

/** A webhook that may refuse. */
export interface ValidatingWebhook {
  /** The name, with at least three parts: imagepolicy.example.com. */
  readonly name: string;
  /** Where it is. */
  readonly clientConfig: WebhookClientConfig;
  /** Which requests it is asked about: one must match. */
  readonly rules?: readonly RuleWithOperations[];
  /** What a failed call means: Fail refuses, Ignore lets pass. */
  readonly failurePolicy?: FailurePolicyType;
  /** Exact, or Equivalent: other versions of the resource match, too. */
  readonly matchPolicy?: MatchPolicyType;
  /** Picks by the labels of the object's namespace. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** Picks by the labels of the object, new or old. */
  readonly objectSelector?: meta.LabelSelector;
  /** None or NoneOnDryRun: others are not asked about dry runs. */
  readonly sideEffects: SideEffectClass;
  /** How long a call may take, 1 to 30; default 10. */
  readonly timeoutSeconds?: number;
  /** Versions of AdmissionReview that it reads, the best first. */
  readonly admissionReviewVersions: readonly string[];
  /** Expressions that must hold for it to be asked. */
  readonly matchConditions?: readonly MatchCondition[];
}
