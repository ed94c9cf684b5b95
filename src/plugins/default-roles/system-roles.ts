import type { Dialect } from '../../meta/dialect.js';
import { wellKnownSigners } from '../../meta/signers.js';
import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import { nodeRules } from './node-rules.js';
import { READ, READ_WRITE, ruleWriter } from './rule-writer.js';

/** Returns the rules of the roles of the system's own components (spec 13.9). `trustBundles` is the feature gate ClusterTrustBundle. */
export function systemRoles(dialect: Dialect, trustBundles: boolean): Readonly<Record<string, readonly PolicyRule[]>> {
  const { allow, paths, events } = ruleWriter(dialect);
  return {
    'system:auth-delegator': [
      allow('create', 'authentication.', 'tokenreviews'),
      allow('create', 'authorization.', 'subjectaccessreviews'),
    ],
    'system:basic-user': [
      allow('create', 'authorization.', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      allow('create', 'authentication.', 'selfsubjectreviews'),
    ],
    'system:discovery': [
      paths('get', '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'),
    ],
    'system:public-info-viewer': [paths('get', '/healthz /livez /readyz /version /version/')],
    'system:monitoring': [paths('get', '/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*')],
    'system:service-account-issuer-discovery': [
      paths(
        'get',
        '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
      ),
    ],
    'system:heapster': [allow(READ, 'core', 'events namespaces nodes pods'), allow(READ, 'extensions', 'deployments')],
    'system:kube-aggregator': [allow(READ, 'core', 'endpoints services')],
    'system:kube-controller-manager': [
      events,
      allow('create', 'coordination.', 'leases'),
      allow('get update', 'coordination.', 'leases', 'kube-controller-manager'),
      allow('create', 'core', 'secrets serviceaccounts'),
      allow('delete', 'core', 'secrets'),
      allow('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
      allow('update', 'core', 'secrets serviceaccounts'),
      allow('create', 'authentication.', 'tokenreviews'),
      allow('create', 'authorization.', 'subjectaccessreviews'),
      allow('list watch', '*', '*'),
      allow('create', 'core', 'serviceaccounts/token'),
    ],
    'system:kube-dns': [allow('list watch', 'core', 'endpoints services')],
    'system:kube-scheduler': [
      events,
      allow('create', 'coordination.', 'leases'),
      allow('get list update watch', 'coordination.', 'leases', 'kube-scheduler'),
      allow(READ_WRITE, 'coordination.', 'leasecandidates'),
      allow(READ, 'core', 'nodes'),
      allow('delete get list watch', 'core', 'pods'),
      allow('create', 'core', 'bindings pods/binding'),
      allow('patch update', 'core', 'pods/status'),
      allow(READ, 'core', 'replicationcontrollers services'),
      allow(READ, 'apps extensions', 'replicasets'),
      allow(READ, 'apps', 'statefulsets'),
      allow(READ, 'policy', 'poddisruptionbudgets'),
      allow(READ, 'core', 'persistentvolumeclaims persistentvolumes'),
      allow('create', 'authentication.', 'tokenreviews'),
      allow('create', 'authorization.', 'subjectaccessreviews'),
      allow(READ, 'storage.', 'csinodes'),
      allow(READ, 'core', 'namespaces'),
      allow(READ, 'storage.', 'csidrivers'),
      allow(READ, 'storage.', 'csistoragecapacities'),
      allow(READ, 'storage.', 'volumeattachments'),
    ],
    'system:node-bootstrapper': [allow('create get list watch', 'certificates.', 'certificatesigningrequests')],
    'system:node-problem-detector': [allow('get', 'core', 'nodes'), allow('patch', 'core', 'nodes/status'), events],
    'system:node-proxier': [
      allow('list watch', 'core', 'endpoints services'),
      allow(READ, 'core', 'nodes'),
      events,
      allow('list watch', 'discovery.', 'endpointslices'),
    ],
    'system:persistent-volume-provisioner': [
      allow('create delete get list watch', 'core', 'persistentvolumes'),
      allow('get list update watch', 'core', 'persistentvolumeclaims'),
      allow(READ, 'storage.', 'storageclasses'),
      allow('watch', 'core', 'events'),
      events,
    ],
    'system:volume-scheduler': [
      allow('get list patch update watch', 'core', 'persistentvolumes'),
      allow(READ, 'storage.', 'storageclasses'),
      allow('get list patch update watch', 'core', 'persistentvolumeclaims'),
    ],
    'system:node': nodeRules(dialect, trustBundles),
    [`system:${dialect.nodeAgent}-api-admin`]: [
      allow(READ, 'core', 'nodes'),
      allow('proxy', 'core', 'nodes'),
      allow('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/stats'),
    ],
    ...(trustBundles
      ? { 'system:cluster-trust-bundle-discovery': [allow(READ, 'certificates.', 'clustertrustbundles')] }
      : {}),
    ...certificateRoles(dialect),
  };
}

function certificateRoles(dialect: Dialect): Readonly<Record<string, readonly PolicyRule[]>> {
  const { allow } = ruleWriter(dialect);
  const { client, nodeClient, nodeServing, legacy } = wellKnownSigners(dialect);
  const prefix = `system:certificates.${dialect.groupSuffix}:`;
  const requests = `${prefix}certificatesigningrequests:`;
  const approver = (signer: string): [string, readonly PolicyRule[]] => [
    `${prefix}${signer.slice(signer.indexOf('/') + 1)}-approver`,
    [allow('approve', 'certificates.', 'signers', signer)],
  ];
  return {
    [`${requests}nodeclient`]: [allow('create', 'certificates.', 'certificatesigningrequests/nodeclient')],
    [`${requests}selfnodeclient`]: [allow('create', 'certificates.', 'certificatesigningrequests/selfnodeclient')],
    ...Object.fromEntries([client, nodeClient, nodeServing, legacy].map(approver)),
  };
}
