/** The rules in which the API dialects differ. */
export interface Rulings {
  /** Status of an invalid resourceVersionMatch combination (spec 19.1). */
  readonly invalidResourceVersionMatch: 400 | 422;
  /** The meaning of a present but empty dryRun (spec 19.2). */
  readonly emptyDryRun: 'not-a-dry-run' | 'invalid';
  /** Whether a write with `managedFields: []` resets ownership; one empty entry always does (spec 19.3). */
  readonly emptyManagedFieldsResets: boolean;
  /** The field manager that owns the changed fields after a write that resets ownership (spec 19.3). */
  readonly ownershipAfterReset: 'caller' | 'nobody';
  /** Status of a strict field validation failure on a patch other than apply (spec 19.4). */
  readonly strictPatchFailure: 400 | 422;
  /** The cost of a list literal in CEL (spec 19.5). */
  readonly listLiteralCost: 40 | 10;
  /** The key of a bootstrap signature (spec 19.6). */
  readonly bootstrapSignatureKey: 'token' | 'secret';
  /** Whether the TLS key verifies service account tokens when no key file is given (spec 19.7). */
  readonly serviceAccountKeyFallsBackToTlsKey: boolean;
  /** The group that reads ClusterTrustBundles by default (spec 19.8). */
  readonly clusterTrustBundleReaders: 'system:authenticated' | 'system:serviceaccounts';
  /** When matchConditionSubjectAccessReviewVersion is required (spec 19.9). */
  readonly matchConditionVersionRequired: 'always' | 'with-match-conditions';
  /** Authorizer types an AuthorizationConfiguration may name (spec 19.10). */
  readonly configurableAuthorizers: readonly string[];
  /** The response body of deletecollection (spec 19.11). */
  readonly deleteCollectionAnswer: 'status' | 'list';
  /**
   * Whether the server refuses a certificate of a CertificateSigningRequest before Approved or after Denied or Failed, and a condition
   * Failed through /approval (spec 19.12).
   */
  readonly certificateNeedsApproval: boolean;
  /** The treatment of a TokenRequest without audiences (spec 19.13). */
  readonly tokenRequestWithoutAudiences: 'required' | 'server-audiences';
  /** Kinds a token can be bound to (spec 19.14). */
  readonly tokenBindingKinds: readonly string[];
  /** The treatment of unknown fields in an applied object (spec 19.15). */
  readonly appliedUnknownFields: 'by-level' | 'refused';
  /** Condition types that a CertificateSigningRequest may have; undefined for any (spec 19.16). */
  readonly certificateConditionTypes: readonly string[] | undefined;
  /** Whether a condition Failed may be added to a CertificateSigningRequest only if it has Approved and no certificate (spec 19.17). */
  readonly certificateFailureNeedsApproval: boolean;
  /** How a strategic merge patch merges the conditions of a CertificateSigningRequest (spec 19.18). */
  readonly certificateConditionsMerge: 'by-type' | 'replace';
  /** The behavior of a list at an exact version, or of a list with a limit, when the version is not reached yet (spec 19.19). */
  readonly exactListOfTheFuture: 'waits' | 'fails';
  /** Status of errors that only the client can cause, for which upstream has status 500 (spec 19.20). */
  readonly clientFault: 400 | 500;
  /** The effect of JSON patch `replace` on an absent member (spec 19.21). */
  readonly replaceOfAbsentMember: 'refused' | 'sets';
  /** Whether `Accept: application/*` is answered (with the first media type below `application/`) or refused (spec 19.22). */
  readonly acceptsTypeWildcard: boolean;
  /** Whether an apply keeps fields that the merge would lose, or is refused as in upstream (spec 6.10). */
  readonly lossyMerge: 'kept' | 'refused';
  /** Whether the error message of a failed JSON patch names the failed operation and the reason (spec 5.2). */
  readonly failedJsonPatch: 'names-the-operation' | 'generic';
  /** The content of the error message when an apply or PUT would create the object and the caller may not create it (spec 8.7). */
  readonly refusedCreation: 'names-the-caller' | 'reason-only';
  /** The user that a TokenReview of a blank token reports when anonymous access is on (spec 20.3). */
  readonly tokenReviewOfBlanks: 'nobody' | 'anonymous';
}

/** The names and the behavior of one variant of the API. It contains data only (spec 19.23). */
export interface Dialect {
  /** The name of the dialect, as in the option `dialect`. */
  readonly name: 'orch' | 'k8s';
  /** The suffix of every named built-in API group, such as `orch.io` in `certificates.orch.io`. */
  readonly groupSuffix: string;
  /** Domain of the API's labels, annotations, signers, Secret types and claims. */
  readonly labelDomain: string;
  /** Domain of the few annotations whose domain is the group suffix itself. */
  readonly bareDomain: string;
  /** The media type of protocol buffers. */
  readonly protobufMediaType: string;
  /** Name of the agent on nodes. It is a part of signer names. */
  readonly nodeAgent: string;
  /** The name of the API server in names and events. */
  readonly apiServerName: string;
  /** Prefix of names that belong to the API's components: `<prefix>-api-access-…`, metrics `<prefix>_apiserver_…`. */
  readonly componentPrefix: string;
  /** Name of the ConfigMap in each namespace that contains the certificate authorities of the server. */
  readonly rootCaConfigMap: string;
  /** The finalizer in the spec of each namespace. */
  readonly namespaceFinalizer: string;
  /** Name of the Service by which clients within the cluster reach the server. */
  readonly apiService: string;
  /** Prefix of schema extensions on output; input also accepts `x-kubernetes-`. */
  readonly schemaExtensionPrefix: string;
  /** Prefix of the headers that only this API defines. */
  readonly headerPrefix: string;
  /** Title of the OpenAPI documents, and the name of the API in messages. */
  readonly apiTitle: string;
  /** Whether messages refer to upstream's documents and source files. */
  readonly citesUpstream: boolean;
  /** Package of the types that the API adds to CEL: `kubernetes.Quantity`. */
  readonly typePackage: 'kubernetes' | 'orch';
  /** Name of the environment variable in which a client passes its requirements to credential plug-ins. */
  readonly execInfoVariable: string;
  /** Name of the claim of service account tokens that contains the account and the bound object. */
  readonly tokenPrivateClaim: string;
  /** The issuer of service account tokens that are stored in Secrets. */
  readonly legacyTokenIssuer: string;
  /** The points at which the dialects behave differently. */
  readonly rulings: Rulings;
}

/** The default dialect. It has the names and rules of docs/specification.md. */
export const orch: Dialect = {
  name: 'orch',
  groupSuffix: 'orch.io',
  labelDomain: 'orch.io',
  bareDomain: 'orch.io',
  protobufMediaType: 'application/vnd.orch.protobuf',
  nodeAgent: 'orchlet',
  apiServerName: 'orch-apiserver',
  componentPrefix: 'orch',
  rootCaConfigMap: 'orch-root-ca.crt',
  namespaceFinalizer: 'orch',
  apiService: 'orch',
  schemaExtensionPrefix: 'x-orch-',
  headerPrefix: 'X-Orch',
  apiTitle: 'orch-apiserver',
  citesUpstream: false,
  typePackage: 'orch',
  execInfoVariable: 'ORCH_EXEC_INFO',
  tokenPrivateClaim: 'orch.io',
  legacyTokenIssuer: 'orch/serviceaccount',
  rulings: {
    invalidResourceVersionMatch: 400,
    emptyDryRun: 'not-a-dry-run',
    emptyManagedFieldsResets: false,
    ownershipAfterReset: 'caller',
    strictPatchFailure: 400,
    listLiteralCost: 40,
    bootstrapSignatureKey: 'token',
    serviceAccountKeyFallsBackToTlsKey: true,
    clusterTrustBundleReaders: 'system:authenticated',
    matchConditionVersionRequired: 'always',
    configurableAuthorizers: ['Webhook', 'Node', 'RBAC'],
    deleteCollectionAnswer: 'status',
    certificateNeedsApproval: true,
    tokenRequestWithoutAudiences: 'required',
    tokenBindingKinds: ['Pod', 'Secret'],
    appliedUnknownFields: 'by-level',
    certificateConditionTypes: ['Approved', 'Denied', 'Failed'],
    certificateFailureNeedsApproval: true,
    certificateConditionsMerge: 'by-type',
    exactListOfTheFuture: 'waits',
    clientFault: 400,
    replaceOfAbsentMember: 'refused',
    acceptsTypeWildcard: true,
    lossyMerge: 'kept',
    failedJsonPatch: 'names-the-operation',
    refusedCreation: 'names-the-caller',
    tokenReviewOfBlanks: 'nobody',
  },
};

/** The names and behavior of upstream, for clients of its ecosystem. */
export const k8s: Dialect = {
  name: 'k8s',
  groupSuffix: 'k8s.io',
  labelDomain: 'kubernetes.io',
  bareDomain: 'k8s.io',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
  nodeAgent: 'kubelet',
  apiServerName: 'kube-apiserver',
  componentPrefix: 'kube',
  rootCaConfigMap: 'kube-root-ca.crt',
  namespaceFinalizer: 'kubernetes',
  apiService: 'kubernetes',
  schemaExtensionPrefix: 'x-kubernetes-',
  headerPrefix: 'X-Kubernetes',
  apiTitle: 'Kubernetes',
  citesUpstream: true,
  typePackage: 'kubernetes',
  execInfoVariable: 'KUBERNETES_EXEC_INFO',
  tokenPrivateClaim: 'kubernetes.io',
  legacyTokenIssuer: 'kubernetes/serviceaccount',
  rulings: {
    invalidResourceVersionMatch: 422,
    emptyDryRun: 'invalid',
    emptyManagedFieldsResets: true,
    ownershipAfterReset: 'nobody',
    strictPatchFailure: 422,
    listLiteralCost: 10,
    bootstrapSignatureKey: 'secret',
    serviceAccountKeyFallsBackToTlsKey: false,
    clusterTrustBundleReaders: 'system:serviceaccounts',
    matchConditionVersionRequired: 'with-match-conditions',
    configurableAuthorizers: ['Webhook', 'Node', 'RBAC', 'ABAC', 'AlwaysAllow', 'AlwaysDeny'],
    deleteCollectionAnswer: 'list',
    certificateNeedsApproval: false,
    tokenRequestWithoutAudiences: 'server-audiences',
    tokenBindingKinds: ['Pod', 'Secret', 'Node'],
    appliedUnknownFields: 'refused',
    certificateConditionTypes: undefined,
    certificateFailureNeedsApproval: false,
    certificateConditionsMerge: 'replace',
    exactListOfTheFuture: 'fails',
    clientFault: 500,
    replaceOfAbsentMember: 'sets',
    acceptsTypeWildcard: false,
    lossyMerge: 'refused',
    failedJsonPatch: 'generic',
    refusedCreation: 'reason-only',
    tokenReviewOfBlanks: 'anonymous',
  },
};

/** Returns the dialect with a name. @throws TypeError for a name that is not one of the two. */
export function dialectOf(name: 'orch' | 'k8s'): Dialect {
  if (name !== 'orch' && name !== 'k8s')
    throw new TypeError(`the dialect must be 'orch' or 'k8s', not '${String(name)}'`);
  return name === 'k8s' ? k8s : orch;
}

/** The groups whose names have no suffix in any dialect. */
const WITHOUT_SUFFIX: ReadonlySet<string> = new Set(['apps', 'autoscaling', 'batch', 'extensions', 'policy']);

/**
 * Returns the full name of a group whose name without the suffix is `stem`: `certificates` -> `certificates.orch.io`. The stem of the core
 * group is ''.
 */
export function groupOf(dialect: Dialect, stem: string): string {
  return stem === '' || WITHOUT_SUFFIX.has(stem) ? stem : `${stem}.${dialect.groupSuffix}`;
}

/** Returns a metric's name in a dialect: `kubernetes_build_info` -> `orch_build_info`, `kube_apiserver_x` -> `orch_apiserver_x`. */
export function metricName({ apiService, componentPrefix }: Dialect, name: string): string {
  return name
    .replace(/^kubernetes_/, `${apiService}_`)
    .replace(/kube_(?=apiserver_|aggregator_)/, `${componentPrefix}_`);
}

/** Returns the help of a metric in a dialect. The metric families contain the help of the dialect `k8s`. */
export function metricHelp({ name, labelDomain, apiTitle }: Dialect, help: string): string {
  return help
    .replace(/\bkubernetes\.io\b/g, labelDomain)
    .replace(/\bKubernetes\b/g, apiTitle)
    .replace(/\ba k8s\b/g, /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`);
}

/** Returns the end of a message that refers to upstream (`, see https://…`), or '' in a dialect whose messages do not refer to upstream. */
export function citation({ citesUpstream }: Dialect, text: string): string {
  return citesUpstream ? text : '';
}

/** Returns a name in the label domain: `basic-auth` -> `orch.io/basic-auth`. */
export function domainName(dialect: Dialect, name: string): string {
  return `${dialect.labelDomain}/${name}`;
}

/** Returns a function that computes a value from a dialect once and caches it. It is used for names that every request needs. */
export function ofDialect<T extends object>(make: (dialect: Dialect) => T): (dialect: Dialect) => T {
  const known = new WeakMap<Dialect, T>();
  return (dialect) => {
    let cached = known.get(dialect);
    if (cached === undefined) known.set(dialect, (cached = make(dialect)));
    return cached;
  };
}
