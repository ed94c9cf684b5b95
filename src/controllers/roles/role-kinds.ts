import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../resources/rbac/index.js';

/** The kinds of the default roles, of which none is made before one is asked for. */
export const roleKinds: readonly ResourceDefinition[] = [clusterRole, clusterRoleBinding, role, roleBinding];
