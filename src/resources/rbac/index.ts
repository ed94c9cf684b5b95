import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { clusterRole } from './cluster-role.js';
import { clusterRoleBinding } from './cluster-role-binding.js';
import { role } from './role.js';
import { roleBinding } from './role-binding.js';

export { type ClusterRole, clusterRole } from './cluster-role.js';
export { type ClusterRoleBinding, clusterRoleBinding } from './cluster-role-binding.js';
export { type Role, role } from './role.js';
export { type RoleBinding, roleBinding } from './role-binding.js';

/** The kinds of the group rbac. */
export const rbacKinds: readonly ResourceDefinition[] = [role, clusterRole, roleBinding, clusterRoleBinding];
