import type { Dialect } from '../../meta/dialect.js';
import type { PolicyRule, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { rbacGroup } from '../rbac/rbac-objects.js';
import { READ, ruleWriter } from './rule-writer.js';

/** A role in one namespace, and the subjects that it is bound to. */
export interface NamespaceGrant {
  readonly namespace: string;
  readonly role: string;
  readonly rules: readonly PolicyRule[];
  /** The binding's name. Default: the role's name. */
  readonly binding?: string;
  readonly subjects: readonly Subject[];
}

const LOCK = 'create get list update watch';

/** Returns the roles and bindings of the system's namespaces (spec 13.11). */
export function namespaceGrants(dialect: Dialect): readonly NamespaceGrant[] {
  const { allow, events } = ruleWriter(dialect);
  const locking = (component: string): NamespaceGrant => ({
    namespace: 'kube-system',
    role: `system::leader-locking-${component}`,
    rules: [
      allow('watch', 'core', 'configmaps'),
      allow('get update', 'core', 'configmaps', component),
      allow(LOCK, 'coordination.', 'leases'),
      allow(LOCK, 'coordination.', 'leasecandidates'),
    ],
    subjects: [user(dialect, `system:${component}`), account(component)],
  });
  const controller = (namespace: string, name: string, rules: readonly PolicyRule[]): NamespaceGrant => ({
    namespace,
    role: `system:controller:${name}`,
    rules,
    subjects: [account(name)],
  });
  return [
    {
      namespace: 'kube-system',
      role: 'extension-apiserver-authentication-reader',
      rules: [allow(READ, 'core', 'configmaps', 'extension-apiserver-authentication')],
      binding: 'system::extension-apiserver-authentication-reader',
      subjects: [user(dialect, 'system:kube-controller-manager'), user(dialect, 'system:kube-scheduler')],
    },
    locking('kube-controller-manager'),
    locking('kube-scheduler'),
    controller('kube-system', 'bootstrap-signer', [allow(READ, 'core', 'secrets')]),
    controller('kube-system', 'cloud-provider', [allow('create get list watch', 'core', 'configmaps')]),
    controller('kube-system', 'token-cleaner', [allow('delete get list watch', 'core', 'secrets'), events]),
    controller('kube-public', 'bootstrap-signer', [
      allow(READ, 'core', 'configmaps'),
      allow('update', 'core', 'configmaps', 'cluster-info'),
      events,
    ]),
  ];
}

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

/** Returns the subject for a service account of the control plane. */
export const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' });
