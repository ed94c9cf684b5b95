import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './rbac-v1.types.js';

/** rbac.authorization/v1 ClusterRoleBinding: grants a role to users, groups and service accounts in all namespaces. */
export const clusterRoleBinding = defineKind(
  {
    groupStem: 'rbac.authorization',
    version: 'v1',
    knownVersions: ['v1alpha1', 'v1beta1'],
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    scope: 'Cluster',
    allowCreateOnUpdate: true,
  },
  async () => (await import('./cluster-role-binding.js')).clusterRoleBindingRules,
);

/** rbac.authorization/v1 ClusterRole: permissions for the whole cluster, or for one namespace when bound there. */
export const clusterRole = defineKind(
  {
    groupStem: 'rbac.authorization',
    version: 'v1',
    knownVersions: ['v1alpha1', 'v1beta1'],
    kind: 'ClusterRole',
    plural: 'clusterroles',
    scope: 'Cluster',
    allowCreateOnUpdate: true,
  },
  async () => (await import('./cluster-role.js')).clusterRoleRules,
);

/** rbac.authorization/v1 RoleBinding: grants a role to users, groups and service accounts in a namespace. */
export const roleBinding = defineKind(
  {
    groupStem: 'rbac.authorization',
    version: 'v1',
    knownVersions: ['v1alpha1', 'v1beta1'],
    kind: 'RoleBinding',
    plural: 'rolebindings',
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
  },
  async () => (await import('./role-binding.js')).roleBindingRules,
);

/** rbac.authorization/v1 Role: permissions in a namespace. */
export const role = defineKind(
  {
    groupStem: 'rbac.authorization',
    version: 'v1',
    knownVersions: ['v1alpha1', 'v1beta1'],
    kind: 'Role',
    plural: 'roles',
    scope: 'Namespaced',
    allowCreateOnUpdate: true,
  },
  async () => (await import('./role.js')).roleRules,
);

/** The kinds of the group rbac. */
export const rbacKinds: readonly ResourceDefinition[] = [role, clusterRole, roleBinding, clusterRoleBinding];
