import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Host, Lister } from '../../meta/host.js';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../resources/rbac/rbac-v1.types.js';

/** The API group of roles and bindings, without the suffix of the API dialect. */
export const RBAC_STEM = 'rbac.authorization';

/** Returns the API group of roles and bindings, such as `rbac.authorization.k8s.io`. */
export function rbacGroup(dialect: Dialect): string {
  return groupOf(dialect, RBAC_STEM);
}

/** Listers of the server's roles and bindings. */
export interface RbacListers {
  readonly roles: Lister<Role>;
  readonly clusterRoles: Lister<ClusterRole>;
  readonly roleBindings: Lister<RoleBinding>;
  readonly clusterRoleBindings: Lister<ClusterRoleBinding>;
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
