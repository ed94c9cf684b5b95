import type { Dialect } from '../../meta/dialect.js';
import type { Subject } from '../../resources/rbac/rbac-v1.types.js';
import { account, group, user } from './subjects.js';

/** Returns the subjects of each default ClusterRoleBinding but those of controllers. A binding has the name of its role (spec 13.10). */
export function clusterBindings(dialect: Dialect): Readonly<Record<string, readonly Subject[]>> {
  const users = (name: string) => [user(dialect, name)];
  const groups = (...names: string[]) => names.map((name) => group(dialect, name));
  return {
    'cluster-admin': groups('system:masters'),
    'system:monitoring': groups('system:monitoring'),
    'system:discovery': groups('system:authenticated'),
    'system:basic-user': groups('system:authenticated'),
    'system:public-info-viewer': groups('system:authenticated', 'system:unauthenticated'),
    'system:node-proxier': users('system:kube-proxy'),
    'system:kube-controller-manager': users('system:kube-controller-manager'),
    'system:kube-dns': [account('kube-dns')],
    'system:kube-scheduler': users('system:kube-scheduler'),
    'system:volume-scheduler': users('system:kube-scheduler'),
    // The binding has no subjects because the node authorizer allows nodes their actions.
    'system:node': [],
    'system:service-account-issuer-discovery': groups('system:serviceaccounts'),
    'system:cluster-trust-bundle-discovery': groups(dialect.rulings.clusterTrustBundleReaders),
  };
}
