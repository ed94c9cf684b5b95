import type { Dialect } from '../../meta/dialect.js';
import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import { deepFreeze } from '../../store/freeze.js';
import { READ, ruleWriter } from './rule-writer.js';

/**
 * Returns the rules that apply to every node. The role `system:node` consists of them, and the node authorizer applies them to resources
 * for which it has no special check. `trustBundles` is the feature gate ClusterTrustBundle.
 */
export function nodeRules(dialect: Dialect, trustBundles: boolean): readonly PolicyRule[] {
  const { allow } = ruleWriter(dialect);
  return deepFreeze([
    allow('create', 'authentication.', 'tokenreviews'),
    allow('create', 'authorization.', 'localsubjectaccessreviews subjectaccessreviews'),
    allow(READ, 'core', 'services'),
    allow('create get list watch', 'core', 'nodes'),
    allow('patch update', 'core', 'nodes/status'),
    allow('patch update', 'core', 'nodes'),
    allow('create patch update', 'core', 'events'),
    allow(READ, 'core', 'pods'),
    allow('create delete', 'core', 'pods'),
    allow('patch update', 'core', 'pods/status'),
    allow('create', 'core', 'pods/eviction'),
    allow(READ, 'core', 'configmaps secrets'),
    allow('get', 'core', 'persistentvolumeclaims persistentvolumes'),
    allow('get', 'core', 'endpoints'),
    allow('create get list watch', 'certificates.', 'certificatesigningrequests'),
    allow('create delete get patch update', 'coordination.', 'leases'),
    allow('get', 'storage.', 'volumeattachments'),
    allow('create', 'core', 'serviceaccounts/token'),
    allow('get patch update', 'core', 'persistentvolumeclaims/status'),
    allow(READ, 'storage.', 'csidrivers'),
    allow('create delete get patch update', 'storage.', 'csinodes'),
    allow(READ, 'node.', 'runtimeclasses'),
    ...(trustBundles ? [allow(READ, 'certificates.', 'clustertrustbundles')] : []),
  ]);
}
