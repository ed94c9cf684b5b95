// The rules and how each is broken: the file, the text before and after the edit, and the test file that must fail. The text occurs once.

const DIALECT = 'src/meta/dialect.ts';
const NAMES = 'tests/meta/dialect-names.test.ts';
const RULINGS = 'tests/requests/rulings.test.ts';

/** Names of `orch`, replaced by those of `k8s`. */
const names = [
  ["groupSuffix: 'orch.io'", "groupSuffix: 'k8s.io'"],
  ["labelDomain: 'orch.io'", "labelDomain: 'kubernetes.io'"],
  ["bareDomain: 'orch.io'", "bareDomain: 'k8s.io'"],
  ["'application/vnd.orch.protobuf'", "'application/vnd.kubernetes.protobuf'"],
  ["nodeAgent: 'orchlet'", "nodeAgent: 'kubelet'"],
  ["apiServerName: 'orch-apiserver'", "apiServerName: 'kube-apiserver'"],
  ["'orch-root-ca.crt'", "'kube-root-ca.crt'"],
  ["namespaceFinalizer: 'orch'", "namespaceFinalizer: 'kubernetes'"],
  ["apiService: 'orch'", "apiService: 'kubernetes'"],
  ["schemaExtensionPrefix: 'x-orch-'", "schemaExtensionPrefix: 'x-kubernetes-'"],
  ["headerPrefix: 'X-Orch'", "headerPrefix: 'X-Kubernetes'"],
  ["apiTitle: 'orch-apiserver'", "apiTitle: 'Kubernetes'"],
  ["'ORCH_EXEC_INFO'", "'KUBERNETES_EXEC_INFO'"],
  ["tokenPrivateClaim: 'orch.io'", "tokenPrivateClaim: 'kubernetes.io'"],
  ["'orch/serviceaccount'", "'kubernetes/serviceaccount'"],
].map((edit) => [DIALECT, ...edit, NAMES]);

/** Rulings of `orch`, replaced by those of `k8s`. */
const rulings = [
  ['invalidResourceVersionMatch: 400,', 'invalidResourceVersionMatch: 422,'],
  ["emptyDryRun: 'not-a-dry-run',", "emptyDryRun: 'invalid',"],
  ['emptyManagedFieldsResets: false,', 'emptyManagedFieldsResets: true,'],
  ["ownershipAfterReset: 'caller',", "ownershipAfterReset: 'nobody',"],
  ['strictPatchFailure: 400,', 'strictPatchFailure: 422,'],
  ['listLiteralCost: 40,', 'listLiteralCost: 10,', 'tests/cel/contexts/list-literals.test.ts'],
  ["bootstrapSignatureKey: 'token',", "bootstrapSignatureKey: 'secret',", 'tests/controllers/bootstrap.test.ts'],
  [
    'serviceAccountKeyFallsBackToTlsKey: true,',
    'serviceAccountKeyFallsBackToTlsKey: false,',
    'tests/cli/server-options.test.ts',
  ],
  ["clusterTrustBundleReaders: 'system:authenticated',", "clusterTrustBundleReaders: 'system:serviceaccounts',", NAMES],
  [
    "matchConditionVersionRequired: 'always',",
    "matchConditionVersionRequired: 'with-match-conditions',",
    'tests/authorization/limits.test.ts',
  ],
  [
    "configurableAuthorizers: ['Webhook', 'Node', 'RBAC'],",
    "configurableAuthorizers: ['Webhook', 'Node', 'RBAC', 'ABAC', 'AlwaysAllow', 'AlwaysDeny'],",
    'tests/authorization/limits.test.ts',
  ],
  ["deleteCollectionAnswer: 'status',", "deleteCollectionAnswer: 'list',"],
  ['certificateNeedsApproval: true,', 'certificateNeedsApproval: false,'],
  ["tokenRequestWithoutAudiences: 'required',", "tokenRequestWithoutAudiences: 'server-audiences',"],
  ["tokenBindingKinds: ['Pod', 'Secret'],", "tokenBindingKinds: ['Pod', 'Secret', 'Node'],"],
  ["appliedUnknownFields: 'by-level',", "appliedUnknownFields: 'refused',"],
  ["certificateConditionTypes: ['Approved', 'Denied', 'Failed'],", 'certificateConditionTypes: undefined,'],
  ['certificateFailureNeedsApproval: true,', 'certificateFailureNeedsApproval: false,'],
  ["certificateConditionsMerge: 'by-type',", "certificateConditionsMerge: 'replace',"],
  ["exactListOfTheFuture: 'waits',", "exactListOfTheFuture: 'fails',"],
  ['clientFault: 400,', 'clientFault: 500,'],
  ["replaceOfAbsentMember: 'refused',", "replaceOfAbsentMember: 'sets',"],
  ['acceptsTypeWildcard: true,', 'acceptsTypeWildcard: false,'],
  ["failedJsonPatch: 'names-the-operation',", "failedJsonPatch: 'generic',"],
  ["refusedCreation: 'names-the-caller',", "refusedCreation: 'reason-only',"],
  ["tokenReviewOfBlanks: 'nobody',", "tokenReviewOfBlanks: 'anonymous',"],
].map(([before, after, test = RULINGS]) => [DIALECT, before, after, test]);

const AUTHENTICATION = 'src/authentication';
const AUTHORIZATION = 'src/authorization/webhook';
const AUTHORIZATION_LIMITS = 'tests/authorization/limits.test.ts';
const BOOTSTRAP = 'src/plugins/bootstrap-tokens/bootstrap-token.ts';
const BOOTSTRAP_TEST = 'tests/plugins/bootstrap-tokens/bootstrap-token.test.ts';
const CSR = 'src/resources/certificates/certificate-signing-request-validation.ts';
const CSR_TEST = 'tests/resources/certificates/signing-requests.test.ts';
const ANCHORS = 'src/resources/certificates/cluster-trust-bundle.ts';
const BUNDLE_TEST = 'tests/resources/cluster-trust-bundle.test.ts';
const TOKEN = 'src/resources/authentication/token-request.ts';
const LIFETIMES = 'tests/resources/certificates/limits.test.ts';
const HISTORY = 'src/store/history.ts';
const HISTORY_TEST = 'tests/store/limits.test.ts';
const COSTS = 'src/cel/contexts/limits.ts';
const COSTS_TEST = 'tests/cel/contexts/limits.test.ts';
const REQUESTS = 'tests/requests/limits.test.ts';
const HEALTH = 'src/requests/documents/health.ts';
const HEALTH_TEST = 'tests/requests/health.test.ts';

/** Limits, changed by one, or with the limit itself on the other side. */
const limits = [
  [
    `${AUTHENTICATION}/jwt/authentication-configuration.ts`,
    'MAX_ISSUERS = 64;',
    'MAX_ISSUERS = 65;',
    'tests/authentication/limits.test.ts',
  ],
  [`${AUTHORIZATION}/validate-authorization.ts`, 'MAX_CONDITIONS = 64;', 'MAX_CONDITIONS = 65;', AUTHORIZATION_LIMITS],
  [`${AUTHORIZATION}/validate-authorization.ts`, '30_000_000_000n', '30_000_000_001n', AUTHORIZATION_LIMITS],
  [`${AUTHORIZATION}/validate-authorization.ts`, 'timeout <= MAX', 'timeout < MAX', AUTHORIZATION_LIMITS],
  [`${AUTHORIZATION}/validate-authorization.ts`, 'lifetime < 0n', 'lifetime < -1n', AUTHORIZATION_LIMITS],
  [HISTORY, 'DEFAULT_MAX_AGE = 5 * 60_000', 'DEFAULT_MAX_AGE = 10 * 60_000', HISTORY_TEST],
  [HISTORY, '<= this.#maxAge', '< this.#maxAge', HISTORY_TEST],
  [HISTORY, '?? 100_000', '?? 100_001', HISTORY_TEST],
  [HISTORY, '?? 256 * 1024', '?? 257 * 1024', HISTORY_TEST],
  [CSR, 'MIN_SECONDS = 600;', 'MIN_SECONDS = 599;', LIFETIMES],
  [TOKEN, 'MIN_SECONDS = 600;', 'MIN_SECONDS = 599;', LIFETIMES],
  [TOKEN, 'MAX_SECONDS = 2 ** 32;', 'MAX_SECONDS = 2 ** 32 + 1;', LIFETIMES],
  [
    'src/cli/configuration/follow-file.ts',
    'POLL = 60_000;',
    'POLL = 61_000;',
    'tests/cli/configuration/follow-file.test.ts',
  ],
  [COSTS, 'CALL_LIMIT = 1_000_000;', 'CALL_LIMIT = 1_000_001;', COSTS_TEST],
  [COSTS, 'REQUEST_LIMIT / 4', 'REQUEST_LIMIT / 2', COSTS_TEST],
  [COSTS, 'SCHEMA_ESTIMATE_LIMIT = 100_000_000;', 'SCHEMA_ESTIMATE_LIMIT = 10_000_000;', COSTS_TEST],
  ['src/patch/json-patch.ts', 'MAX_OPERATIONS = 10_000;', 'MAX_OPERATIONS = 10_001;', REQUESTS],
  ['src/resources/core/config-map.ts', 'MAX_SIZE = 1024 * 1024;', 'MAX_SIZE = 1024 * 1025;', REQUESTS],
  ['src/store/memory-state.ts', 'WAIT_TIMEOUT_MILLISECONDS = 3000;', 'WAIT_TIMEOUT_MILLISECONDS = 3001;', REQUESTS],
];

/** Conditions, negated or removed. */
const conditions = [
  ['src/admission/chain.ts', 'attributes.dryRun && plugin', '!attributes && plugin', REQUESTS],
  [
    'src/cli/authentication/anonymous-requests.ts',
    "?.includes('AlwaysAllow')",
    "?.every((mode) => mode === 'AlwaysAllow')",
    'tests/cli/anonymous-requests.test.ts',
  ],
  [
    'src/cli/authorization-modes.ts',
    "modes.length === 0 ? ['AlwaysAllow'] : modes",
    'modes',
    'tests/cli/anonymous-requests.test.ts',
  ],
  [
    `${AUTHENTICATION}/jwt/oidc.ts`,
    "usernameClaim === 'email' ? '' : `",
    "usernameClaim !== 'sub' ? '' : `x",
    'tests/authentication/jwt/flags.test.ts',
  ],
  [
    `${AUTHENTICATION}/request-header.ts`,
    'const lower = text.toLowerCase();\n  return percentDecode',
    'const lower = text;\n  return percentDecode',
    'tests/authentication/request-header.test.ts',
  ],
  [BOOTSTRAP, '<= clock.now()', '<= 0', BOOTSTRAP_TEST],
  [
    BOOTSTRAP,
    "'usage-bootstrap-authentication') !== 'true'",
    "'usage-bootstrap-authentication') === ''",
    BOOTSTRAP_TEST,
  ],
  [BOOTSTRAP, '!GROUP.test(group)', 'group === undefined', BOOTSTRAP_TEST],
  [
    `${AUTHENTICATION}/tokens/token-file.ts`,
    "groups.split(',')",
    '[groups]',
    'tests/authentication/tokens/token-file.test.ts',
  ],
  [HEALTH, "query.all('exclude')", "query.all('excluded')", HEALTH_TEST],
  [HEALTH, 'well ? 200 : 500', 'well ? 200 : 503', HEALTH_TEST],
  [ANCHORS, 'headers.size > 0', 'headers.size > 1', BUNDLE_TEST],
  [ANCHORS, '?.ca === true', '?.ca !== false', BUNDLE_TEST],
  [ANCHORS, "label !== 'CERTIFICATE'", "label === ''", BUNDLE_TEST],
  [CSR, "type === 'Approved' ? 'Denied'", "type === 'Approved' ? undefined", CSR_TEST],
  ['src/serialization/protobuf/documents.ts', '0x73, 0x00]', '0x73, 0x01]', 'tests/serialization/protobuf.test.ts'],
];

/** Rules about whole requests, each with a test that sends requests to a server of the `orch` dialect. */
const statements = [
  [
    `${AUTHENTICATION}/authenticated-group.ts`,
    '[...groups, authenticatedGroup]',
    '[...groups]',
    'tests/authentication/callers.test.ts',
  ],
  [
    `${AUTHENTICATION}/jwt/validate-jwt.ts`,
    "if (!username?.fields.has('email') || verified)",
    'if (username)',
    'tests/authentication/jwt/configuration.test.ts',
  ],
  [
    'src/plugins/authorization-configuration.ts',
    "HALF_A_MINUTE = '30s';",
    "HALF_A_MINUTE = '31s';",
    'tests/authorization/webhook/configuration.test.ts',
  ],
  ['src/requests/request-info.ts', "verb = 'deletecollection';", "verb = 'delete';", 'tests/requests/verbs.test.ts'],
  [
    'src/registry/reads/read.ts',
    '...(counted ? { remainingItemCount',
    '...(counted !== undefined ? { remainingItemCount',
    'tests/requests/list-semantics.test.ts',
  ],
  [
    'src/plugins/certificates/cluster-trust-bundle-attest.ts',
    "'attest', signerName)",
    "'sign', signerName)",
    'tests/resources/certificates/trust-bundles.test.ts',
  ],
  [CSR, 'count(next, type) < count(old, type)', 'count(next, type) < 0', CSR_TEST],
  [
    'src/meta/manager-name.ts',
    "[product = ''] = userAgent.split('/', 1)",
    '[product] = [userAgent]',
    'tests/end-to-end/shared-ownership.test.ts',
  ],
];

/** @type {readonly (readonly [file: string, before: string, after: string, test: string])[]} */
export const edits = [...names, ...rulings, ...limits, ...conditions, ...statements];
