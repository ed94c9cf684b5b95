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

/** What may be done in a namespace. */
export interface Role extends Filled<'metadata' | 'rules'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** What the role allows. */
  readonly rules: readonly PolicyRule[] | null;
}

/** Verbs on resources, or on paths. */
export interface PolicyRule {
  /** What may be done; '*' is everything. */
  readonly verbs: readonly string[];
  /** Groups of the resources; '*' is all. */
  readonly apiGroups?: readonly string[];
  /** Resources and subresources; '*' is all. */
  readonly resources?: readonly string[];
  /** Names of the objects; none means all. */
  readonly resourceNames?: readonly string[];
  /** Paths outside of resources; '*' may end one. */
  readonly nonResourceURLs?: readonly string[];
}

/** What may be done everywhere, or in one namespace when bound there. */
export interface ClusterRole extends Filled<'metadata' | 'rules'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** What the role allows. */
  readonly rules: readonly PolicyRule[] | null;
  /** Selectors of the roles that this role is made of. */
  readonly aggregationRule?: AggregationRule;
}

/** Selectors of the roles that a role is made of. */
export interface AggregationRule {
  /** Picks the roles; one that fits is enough. */
  readonly clusterRoleSelectors?: readonly meta.LabelSelector[];
}

/** Gives a role to users, groups and accounts in a namespace. */
export interface RoleBinding extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The subjects that get the role. */
  readonly subjects?: readonly Subject[];
  /** The role; cannot be changed. */
  readonly roleRef: RoleRef;
}

/** A subject that a role is granted to. */
export interface Subject {
  /** User, Group or ServiceAccount. */
  readonly kind: string;
  /** Group of the kind; empty for accounts. */
  readonly apiGroup?: string;
  /** Name of the user, group or account. */
  readonly name: string;
  /** Namespace of an account. */
  readonly namespace?: string;
}

/** Names the role that is given. */
export interface RoleRef {
  /** Group of the role. */
  readonly apiGroup: string;
  /** Role or ClusterRole. */
  readonly kind: string;
  /** Name of the role. */
  readonly name: string;
}

/** Gives a role to users, groups and accounts everywhere. */
export interface ClusterRoleBinding extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The subjects that get the role. */
  readonly subjects?: readonly Subject[];
  /** The role; cannot be changed. */
  readonly roleRef: RoleRef;
}
