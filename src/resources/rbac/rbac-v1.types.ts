// Made by `npm run api-types` of rbac-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface RbacV1 {
  Role: Role;
  PolicyRule: PolicyRule;
  ClusterRole: ClusterRole;
  AggregationRule: AggregationRule;
  RoleBinding: RoleBinding;
  Subject: Subject;
  RoleRef: RoleRef;
  ClusterRoleBinding: ClusterRoleBinding;
}

/** Permissions in a namespace. */
export interface Role extends Filled<'metadata' | 'rules'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The permissions of the role. */
  readonly rules: readonly PolicyRule[] | null;
}

/** Verbs on resources, or on paths. */
export interface PolicyRule {
  /** The verbs; '*' means all. */
  readonly verbs: readonly string[];
  /** API groups of the resources; '*' means all. */
  readonly apiGroups?: readonly string[];
  /** Resources and subresources; '*' means all. */
  readonly resources?: readonly string[];
  /** Names of the objects; an empty list means all. */
  readonly resourceNames?: readonly string[];
  /** Non-resource paths; a final '*' is a wildcard. */
  readonly nonResourceURLs?: readonly string[];
}

/** Permissions in the cluster, or in the namespace of a RoleBinding. */
export interface ClusterRole extends Filled<'metadata' | 'rules'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The permissions of the role. */
  readonly rules: readonly PolicyRule[] | null;
  /** Selects the roles whose rules this role aggregates. */
  readonly aggregationRule?: AggregationRule;
}

/** Selects the roles whose rules are aggregated. */
export interface AggregationRule {
  /** The selectors, one of which a role must match. */
  readonly clusterRoleSelectors?: readonly meta.LabelSelector[];
}

/** Grants a role to users, groups and service accounts in a namespace. */
export interface RoleBinding extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The subjects that the role is granted to. */
  readonly subjects?: readonly Subject[];
  /** The role; cannot be changed. */
  readonly roleRef: RoleRef;
}

/** A subject that a role is granted to. */
export interface Subject {
  /** User, Group or ServiceAccount. */
  readonly kind: string;
  /** API group of the kind; empty for service accounts. */
  readonly apiGroup?: string;
  /** Name of the user, group or service account. */
  readonly name: string;
  /** Namespace of a service account. */
  readonly namespace?: string;
}

/** Names the role that is granted. */
export interface RoleRef {
  /** Group of the role. */
  readonly apiGroup: string;
  /** Role or ClusterRole. */
  readonly kind: string;
  /** Name of the role. */
  readonly name: string;
}

/** Grants a role to users, groups and service accounts in the cluster. */
export interface ClusterRoleBinding extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The subjects that the role is granted to. */
  readonly subjects?: readonly Subject[];
  /** The role; cannot be changed. */
  readonly roleRef: RoleRef;
}
