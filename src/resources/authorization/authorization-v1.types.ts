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

/** Asks whether a user may do something. */
export interface SubjectAccessReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The question. */
  readonly spec: SubjectAccessReviewSpec;
  /** The answer. */
  readonly status: SubjectAccessReviewStatus;
}

/** Whether a user may do something. */
export interface SubjectAccessReviewSpec {
  /** About a resource. */
  readonly resourceAttributes?: ResourceAttributes;
  /** About another path. */
  readonly nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. */
  readonly user?: string;
  /** Groups of the user. */
  readonly groups?: readonly string[];
  /** Extra facts of the user. */
  readonly extra?: { readonly [key: string]: ExtraValue };
  /** Uid of the user. */
  readonly uid?: string;
}

/** A request about a resource. */
export interface ResourceAttributes {
  /** Namespace; empty for all, or for kinds of the cluster. */
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
  /** Only objects with such fields. */
  readonly fieldSelector?: FieldSelectorAttributes;
  /** Only objects with such labels. */
  readonly labelSelector?: LabelSelectorAttributes;
}

/** Which objects, by their fields. */
export interface FieldSelectorAttributes {
  /** The selector as a query has it. */
  readonly rawSelector?: string;
  /** The parsed selector. */
  readonly requirements?: readonly meta.FieldSelectorRequirement[];
}

/** Which objects, by their labels. */
export interface LabelSelectorAttributes {
  /** The selector as a query has it. */
  readonly rawSelector?: string;
  /** The parsed selector. */
  readonly requirements?: readonly meta.LabelSelectorRequirement[];
}

/** A request about another path. */
export interface NonResourceAttributes {
  /** The path. */
  readonly path?: string;
  /** The method, in lower case. */
  readonly verb?: string;
}

/** The answer. */
export interface SubjectAccessReviewStatus {
  /** Whether it is allowed. */
  readonly allowed: boolean;
  /** Whether it is denied, whatever others say. */
  readonly denied?: boolean;
  /** The reason. */
  readonly reason?: string;
  /** What went wrong while this was found out. */
  readonly evaluationError?: string;
}

/** Asks whether the caller may do something. */
export interface SelfSubjectAccessReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The question. */
  readonly spec: SelfSubjectAccessReviewSpec;
  /** The answer. */
  readonly status: SubjectAccessReviewStatus;
}

/** Whether the caller may do something. */
export interface SelfSubjectAccessReviewSpec {
  /** About a resource. */
  readonly resourceAttributes?: ResourceAttributes;
  /** About another path. */
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** Asks whether a user may do something in a namespace. */
export interface LocalSubjectAccessReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The question. */
  readonly spec: SubjectAccessReviewSpec;
  /** The answer. */
  readonly status: SubjectAccessReviewStatus;
}

/** Asks what the caller may do in a namespace. */
export interface SelfSubjectRulesReview extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The namespace. */
  readonly spec: SelfSubjectRulesReviewSpec;
  /** The answer. */
  readonly status: SubjectRulesReviewStatus;
}

/** The namespace whose rules are listed. */
export interface SelfSubjectRulesReviewSpec {
  /** The namespace. */
  readonly namespace?: string;
}

/** The answer. */
export interface SubjectRulesReviewStatus {
  /** What is allowed with resources. */
  readonly resourceRules: readonly ResourceRule[];
  /** What is allowed with other paths. */
  readonly nonResourceRules: readonly NonResourceRule[];
  /** Whether the lists may be incomplete. */
  readonly incomplete: boolean;
  /** What went wrong while this was found out. */
  readonly evaluationError?: string;
}

/** What may be done with resources. */
export interface ResourceRule {
  /** What may be done; '*' is everything. */
  readonly verbs: readonly string[];
  /** Groups of the resources; '*' is all. */
  readonly apiGroups?: readonly string[];
  /** Resources and subresources; '*' is all. */
  readonly resources?: readonly string[];
  /** Names of the objects; none means all. */
  readonly resourceNames?: readonly string[];
}

/** What may be done with other paths. */
export interface NonResourceRule {
  /** What may be done; '*' is everything. */
  readonly verbs: readonly string[];
  /** The paths; '*' may end one. */
  readonly nonResourceURLs?: readonly string[];
}
