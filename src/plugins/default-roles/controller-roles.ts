import type { Dialect } from '../../meta/dialect.js';
import { wellKnownSigners } from '../../meta/signers.js';
import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import { READ, ruleWriter } from './rule-writer.js';

/** Returns the rules of the control plane's controllers, by service account (spec 13.9). */
export function controllerRoles(dialect: Dialect): Readonly<Record<string, readonly PolicyRule[]>> {
  const { allow, events } = ruleWriter(dialect);
  const { client, nodeClient, nodeServing, legacy } = wellKnownSigners(dialect);
  return {
    'certificate-controller': [
      allow('delete get list watch', 'certificates.', 'certificatesigningrequests'),
      allow('update', 'certificates.', 'certificatesigningrequests/approval certificatesigningrequests/status'),
      allow('approve', 'certificates.', 'signers', nodeClient),
      allow('sign', 'certificates.', 'signers', [client, nodeClient, nodeServing, legacy].join(' ')),
      allow('create', 'authorization.', 'subjectaccessreviews'),
      events,
    ],
    'clusterrole-aggregation-controller': [
      allow('escalate get list patch update watch', 'rbac.authorization.', 'clusterroles'),
    ],
    'generic-garbage-collector': [allow('delete get list patch update watch', '*', '*'), events],
    'legacy-service-account-token-cleaner': [
      allow('get', 'core', 'configmaps', `${dialect.apiServerName}-legacy-service-account-token-tracking`),
      allow('delete patch', 'core', 'secrets'),
    ],
    'namespace-controller': [
      allow('delete get list watch', 'core', 'namespaces'),
      allow('update', 'core', 'namespaces/finalize namespaces/status'),
      allow('delete deletecollection get list', '*', '*'),
    ],
    'resourcequota-controller': [
      allow('list watch', '*', '*'),
      allow('update', 'core', 'resourcequotas/status'),
      events,
    ],
    'root-ca-cert-publisher': [allow('create update', 'core', 'configmaps'), events],
    'service-account-controller': [allow('create', 'core', 'serviceaccounts'), events],
    'validatingadmissionpolicy-status-controller': [
      allow(READ, 'admissionregistration.', 'validatingadmissionpolicies'),
      allow('get patch update', 'admissionregistration.', 'validatingadmissionpolicies/status'),
      events,
    ],
  };
}
