import { apiServiceAvailability } from './aggregation/api-service-availability.js';
import { localApiServices } from './aggregation/local-api-services.js';
import { remoteDocuments } from './aggregation/remote-documents.js';
import { clusterAuthenticationTrust } from './certificates/cluster-authentication-trust.js';
import { csrApproving } from './certificates/csr-approving.js';
import { csrCleaner } from './certificates/csr-cleaner.js';
import { csrSigning } from './certificates/csr-signing.js';
import { rootCa } from './certificates/root-ca.js';
import type { ControllerDefinition } from './controller.js';
import { customResourceDefinitions } from './custom-resources/custom-resource-definitions.js';
import { flowControlDefaults } from './defaults/flow-control.js';
import { flowSchemaStatus } from './defaults/flow-schema-status.js';
import { systemPriorityClassesController } from './defaults/system-priority-classes.js';
import { disruptionController } from './disruption/disruption.js';
import { garbageCollector } from './garbage/garbage-collector.js';
import { namespaceLifecycleController } from './namespaces/namespace-lifecycle.js';
import { systemNamespaces } from './namespaces/system-namespaces.js';
import { policyTypeChecking } from './policies/policy-type-checking.js';
import { resourceQuotaController } from './quota/resource-quota.js';
import { clusterRoleAggregation } from './roles/cluster-role-aggregation.js';
import { apiService } from './services/api-service.js';
import { identityLease } from './services/identity-lease.js';
import { bootstrapSigner } from './tokens/bootstrap-signer.js';
import { legacyTokenCleaner, legacyTokenUse } from './tokens/legacy-tokens.js';
import { serviceAccountTokenSecrets } from './tokens/service-account-tokens.js';
import { serviceAccounts } from './tokens/service-accounts.js';
import { tokenCleaner } from './tokens/token-cleaner.js';
import { claimProtection, volumeProtection } from './volumes/in-use-protection.js';

/** The controllers that a server runs by default. They act on the server they run in. */
export const defaultControllers: readonly ControllerDefinition[] = [
  systemNamespaces,
  systemPriorityClassesController,
  flowControlDefaults,
  flowSchemaStatus,
  apiService,
  identityLease,
  serviceAccounts,
  namespaceLifecycleController,
  customResourceDefinitions,
  garbageCollector,
  clusterRoleAggregation,
  tokenCleaner,
  bootstrapSigner,
  clusterAuthenticationTrust,
  rootCa,
  csrApproving,
  csrSigning,
  csrCleaner,
  serviceAccountTokenSecrets,
  legacyTokenCleaner,
  legacyTokenUse,
  volumeProtection,
  claimProtection,
  policyTypeChecking,
  resourceQuotaController,
  disruptionController,
  localApiServices,
  apiServiceAvailability,
  remoteDocuments,
];
