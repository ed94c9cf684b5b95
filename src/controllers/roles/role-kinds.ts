import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { clusterRole } from '../../resources/rbac/cluster-role.js';
import { clusterRoleBinding } from '../../resources/rbac/cluster-role-binding.js';
import { role } from '../../resources/rbac/role.js';
import { roleBinding } from '../../resources/rbac/role-binding.js';

/** The kinds of the default roles, of which none is made before one is asked for. */
export const roleKinds: readonly ResourceDefinition[] = [clusterRole, clusterRoleBinding, role, roleBinding];
