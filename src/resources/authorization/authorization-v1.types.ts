// Made by `npm run api-types` of authorization-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface AuthorizationV1 {
  SubjectAccessReview: SubjectAccessReview;
  SubjectAccessReviewSpec: SubjectAccessReviewSpec;
  ResourceAttributes: ResourceAttributes;
  FieldSelectorAttributes: FieldSelectorAttributes;
  LabelSelectorAttributes: LabelSelectorAttributes;
  NonResourceAttributes: NonResourceAttributes;
  SubjectAccessReviewStatus: SubjectAccessReviewStatus;
  SelfSubjectAccessReview: SelfSubjectAccessReview;
  SelfSubjectAccessReviewSpec: SelfSubjectAccessReviewSpec;
  LocalSubjectAccessReview: LocalSubjectAccessReview;
  SelfSubjectRulesReview: SelfSubjectRulesReview;
  SelfSubjectRulesReviewSpec: SelfSubjectRulesReviewSpec;
  SubjectRulesReviewStatus: SubjectRulesReviewStatus;
  ResourceRule: ResourceRule;
  NonResourceRule: NonResourceRule;
}

export type ExtraValue = readonly string[];

/** Reports whether a user may make a request. */
export interface SubjectAccessReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The request to review. */
  readonly spec: SubjectAccessReviewSpec;
  /** The result. */
  readonly status: SubjectAccessReviewStatus;
}

/** The request, and its user. */
export interface SubjectAccessReviewSpec {
  /** A request for a resource. */
  readonly resourceAttributes?: ResourceAttributes;
  /** A request for a non-resource path. */
  readonly nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. */
  readonly user?: string;
  /** Groups of the user. */
  readonly groups?: readonly string[];
  /** Extra attributes of the user. */
  readonly extra?: { readonly [key: string]: ExtraValue };
  /** Uid of the user. */
  readonly uid?: string;
}

/** A request for a resource. */
export interface ResourceAttributes {
  /** The namespace; empty for all namespaces, or for cluster-scoped resources. */
  readonly namespace?: string;
  /** The verb. */
  readonly verb?: string;
  /** Group of the resource. */
  readonly group?: string;
  /** Version of the resource. */
  readonly version?: string;
  /** The resource. */
  readonly resource?: string;
  /** The subresource. */
  readonly subresource?: string;
  /** Name of the object; empty for all. */
  readonly name?: string;
  /** Restricts the request to objects with these fields. */
  readonly fieldSelector?: FieldSelectorAttributes;
  /** Restricts the request to objects with these labels. */
  readonly labelSelector?: LabelSelectorAttributes;
}

/** A selector for fields. */
export interface FieldSelectorAttributes {
  /** The selector as in a query parameter. */
  readonly rawSelector?: string;
  /** The parsed selector. */
  readonly requirements?: readonly meta.FieldSelectorRequirement[];
}

/** A selector for labels. */
export interface LabelSelectorAttributes {
  /** The selector as in a query parameter. */
  readonly rawSelector?: string;
  /** The parsed selector. */
  readonly requirements?: readonly meta.LabelSelectorRequirement[];
}

/** A request for a non-resource path. */
export interface NonResourceAttributes {
  /** The path. */
  readonly path?: string;
  /** The method, in lower case. */
  readonly verb?: string;
}

/** The result. */
export interface SubjectAccessReviewStatus {
  /** Whether it is allowed. */
  readonly allowed: boolean;
  /** Whether it is denied, whatever other authorizers decide. */
  readonly denied?: boolean;
  /** The reason. */
  readonly reason?: string;
  /** An error that occurred during the evaluation. */
  readonly evaluationError?: string;
}

/** Reports whether the caller may make a request. */
export interface SelfSubjectAccessReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The request to review. */
  readonly spec: SelfSubjectAccessReviewSpec;
  /** The result. */
  readonly status: SubjectAccessReviewStatus;
}

/** The request. */
export interface SelfSubjectAccessReviewSpec {
  /** A request for a resource. */
  readonly resourceAttributes?: ResourceAttributes;
  /** A request for a non-resource path. */
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** Reports whether a user may make a request in a namespace. */
export interface LocalSubjectAccessReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The request to review. */
  readonly spec: SubjectAccessReviewSpec;
  /** The result. */
  readonly status: SubjectAccessReviewStatus;
}

/** Lists what the caller may do in a namespace. */
export interface SelfSubjectRulesReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The namespace. */
  readonly spec: SelfSubjectRulesReviewSpec;
  /** The result. */
  readonly status: SubjectRulesReviewStatus;
}

/** The namespace whose rules are listed. */
export interface SelfSubjectRulesReviewSpec {
  /** The namespace. */
  readonly namespace?: string;
}

/** The result. */
export interface SubjectRulesReviewStatus {
  /** The permissions for resources. */
  readonly resourceRules: readonly ResourceRule[];
  /** The permissions for non-resource paths. */
  readonly nonResourceRules: readonly NonResourceRule[];
  /** Whether the lists may be incomplete. */
  readonly incomplete: boolean;
  /** An error that occurred during the evaluation. */
  readonly evaluationError?: string;
}

/** A permission for resources. */
export interface ResourceRule {
  /** The verbs; '*' means all. */
  readonly verbs: readonly string[];
  /** API groups of the resources; '*' means all. */
  readonly apiGroups?: readonly string[];
  /** Resources and subresources; '*' means all. */
  readonly resources?: readonly string[];
  /** Names of the objects; an empty list means all. */
  readonly resourceNames?: readonly string[];
}

/** A permission for non-resource paths. */
export interface NonResourceRule {
  /** The verbs; '*' means all. */
  readonly verbs: readonly string[];
  /** The paths; a final '*' is a wildcard. */
  readonly nonResourceURLs?: readonly string[];
}
