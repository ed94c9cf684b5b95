import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../resources/rbac/index.js';

/** The kinds of the default roles. None of these is created before a request for one of the kinds. */
export const roleKinds: readonly ResourceDefinition[] = [clusterRole, clusterRoleBinding, role, roleBinding];
