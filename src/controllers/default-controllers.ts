import { bootstrapSigner } from './bootstrap-signer.js';
import { clusterAuthenticationTrust } from './cluster-authentication-trust.js';
import { clusterRoleAggregation } from './cluster-role-aggregation.js';
import type { ControllerDefinition } from './controller.js';
import { csrApproving } from './csr-approving.js';
import { csrCleaner } from './csr-cleaner.js';
import { csrSigning } from './csr-signing.js';
import { garbageCollector } from './garbage-collector.js';
import { legacyTokenCleaner } from './legacy-token-cleaner.js';
import { legacyTokenUse } from './legacy-token-use.js';
import { namespaceLifecycleController } from './namespace-lifecycle.js';
import { rootCa } from './root-ca.js';
import { serviceAccountTokenSecrets } from './service-account-tokens.js';
import { serviceAccounts } from './service-accounts.js';
import { systemNamespaces } from './system-namespaces.js';
import { tokenCleaner } from './token-cleaner.js';

/** Controllers of a server unless it is given its own; they act on the server they run in. */
export const defaultControllers: readonly ControllerDefinition[] = [
  systemNamespaces,
  serviceAccounts,
  namespaceLifecycleController,
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
];
