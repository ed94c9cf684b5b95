import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { clusterRole } from './cluster-role.js';
import { clusterRoleBinding } from './cluster-role-binding.js';
import { role } from './role.js';
import { roleBinding } from './role-binding.js';

export type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './rbac-v1.types.js';
export { clusterRole, clusterRoleBinding, role, roleBinding };

/** The kinds of the group rbac. */
export const rbacKinds: readonly ResourceDefinition[] = [role, clusterRole, roleBinding, clusterRoleBinding];
