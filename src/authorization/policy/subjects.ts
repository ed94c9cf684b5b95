import type { Dialect } from '../../meta/dialect.js';
import { type BindingSubject, rbacGroup } from '../rbac/rbac-objects.js';

export const user = (dialect: Dialect, name: string): BindingSubject => ({
  kind: 'User',
  apiGroup: rbacGroup(dialect),
  name,
});

export const group = (dialect: Dialect, name: string): BindingSubject => ({
  kind: 'Group',
  apiGroup: rbacGroup(dialect),
  name,
});

/** Returns the subject for an account of the control plane itself. */
export const account = (name: string): BindingSubject => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' });
