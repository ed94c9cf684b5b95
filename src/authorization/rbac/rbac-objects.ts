import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Host, Lister } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { PolicyRule } from './policy-rule.js';

/** The stem of the API group of roles and bindings. */
export const RBAC_STEM = 'rbac.authorization';

/** The fields of a Role or a ClusterRole that authorization reads. */
export interface RoleObject extends ApiObject {
  readonly rules?: readonly PolicyRule[] | null;
}

export interface BindingSubject {
  readonly kind: string;
  readonly name: string;
  readonly apiGroup?: string;
  readonly namespace?: string;
}

export interface RoleReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** The fields of a RoleBinding or a ClusterRoleBinding that authorization reads. */
export interface BindingObject extends ApiObject {
  readonly subjects?: readonly BindingSubject[] | null;
  readonly roleRef: RoleReference;
}

/** Returns the full API group of roles and bindings. */
export function rbacGroup(dialect: Dialect): string {
  return groupOf(dialect, RBAC_STEM);
}

/** Listers of the server's roles and bindings. */
export interface RbacListers {
  readonly roles: Lister<RoleObject>;
  readonly clusterRoles: Lister<RoleObject>;
  readonly roleBindings: Lister<BindingObject>;
  readonly clusterRoleBindings: Lister<BindingObject>;
}

export function rbacListers(host: Host): RbacListers {
  const group = rbacGroup(host.dialect);
  return {
    roles: host.lister(group, 'roles'),
    clusterRoles: host.lister(group, 'clusterroles'),
    roleBindings: host.lister(group, 'rolebindings'),
    clusterRoleBindings: host.lister(group, 'clusterrolebindings'),
  };
}
