import type { Dialect } from '../../meta/dialect.js';
import type { Subject } from '../../resources/rbac/rbac-v1.types.js';
import { rbacGroup } from '../rbac/rbac-objects.js';

export const user = (dialect: Dialect, name: string): Subject => ({
  kind: 'User',
  apiGroup: rbacGroup(dialect),
  name,
});

export const group = (dialect: Dialect, name: string): Subject => ({
  kind: 'Group',
  apiGroup: rbacGroup(dialect),
  name,
});

/** Returns the subject for an account of the control plane itself. */
export const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' });
