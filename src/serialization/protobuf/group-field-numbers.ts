/** Field numbers of the groups but the core one, by package. `fieldNumbers` describes how they are written. */
export const GROUP_FIELD_NUMBERS: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1': `
APIGroup name versions preferredVersion serverAddressByClientCIDRs
APIGroupList groups
APIResource name namespaced kind verbs[] shortNames singularName categories group version storageVersionHash
APIResourceList groupVersion resources
APIVersions versions serverAddressByClientCIDRs
Condition type status observedGeneration lastTransitionTime reason message
DeleteOptions gracePeriodSeconds preconditions orphanDependents propagationPolicy dryRun
FieldSelectorRequirement key operator values
GroupVersionForDiscovery groupVersion version
GroupVersionKind group version kind
LabelSelector matchLabels matchExpressions
LabelSelectorRequirement key operator values
ListMeta selfLink resourceVersion continue remainingItemCount
ManagedFieldsEntry manager operation apiVersion time fieldsType=6 fieldsV1 subresource
ObjectMeta name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp
  deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields=17
OwnerReference kind name=3 uid apiVersion controller blockOwnerDeletion
PartialObjectMetadata metadata
PartialObjectMetadataList metadata items
Preconditions uid resourceVersion
ServerAddressByClientCIDR clientCIDR serverAddress
Status metadata status message reason details code
StatusCause reason message field
StatusDetails name group kind causes retryAfterSeconds uid
`,
  'io.k8s.apimachinery.pkg.apis.meta.v1beta1': `
PartialObjectMetadataList items metadata
`,
  'io.k8s.api.rbac.v1': `
AggregationRule clusterRoleSelectors
ClusterRole metadata rules aggregationRule
ClusterRoleBinding metadata subjects roleRef
PolicyRule verbs apiGroups resources resourceNames nonResourceURLs
Role metadata rules
RoleBinding metadata subjects roleRef
RoleRef apiGroup kind name
Subject kind apiGroup name namespace
`,
  'io.k8s.api.certificates.v1': `
CertificateSigningRequest metadata spec status
CertificateSigningRequestCondition type reason message lastUpdateTime lastTransitionTime status
CertificateSigningRequestSpec request username uid groups usages extra signerName expirationSeconds
CertificateSigningRequestStatus conditions certificate
`,
  'io.k8s.api.certificates.v1alpha1': `
ClusterTrustBundle metadata spec
ClusterTrustBundleSpec signerName trustBundle
`,
  'io.k8s.api.coordination.v1': `
Lease metadata spec
LeaseSpec holderIdentity leaseDurationSeconds acquireTime renewTime leaseTransitions strategy preferredHolder
`,
  'io.k8s.api.events.v1': `
Event metadata eventTime series reportingController reportingInstance action reason regarding related note type
  deprecatedSource deprecatedFirstTimestamp deprecatedLastTimestamp deprecatedCount
EventSeries count lastObservedTime
`,
  'io.k8s.api.authentication.v1': `
BoundObjectReference kind apiVersion name uid
SelfSubjectReview metadata status
SelfSubjectReviewStatus userInfo
TokenRequest metadata spec status
TokenRequestSpec audiences boundObjectRef=3 expirationSeconds
TokenRequestStatus token expirationTimestamp
TokenReview metadata spec status
TokenReviewSpec token audiences
TokenReviewStatus authenticated user error audiences
UserInfo username uid groups extra
`,
  'io.k8s.api.authorization.v1': `
FieldSelectorAttributes rawSelector requirements
LabelSelectorAttributes rawSelector requirements
LocalSubjectAccessReview metadata spec status
NonResourceAttributes path verb
NonResourceRule verbs nonResourceURLs
ResourceAttributes namespace verb group version resource subresource name fieldSelector labelSelector
ResourceRule verbs apiGroups resources resourceNames
SelfSubjectAccessReview metadata spec status
SelfSubjectAccessReviewSpec resourceAttributes nonResourceAttributes
SelfSubjectRulesReview metadata spec status
SelfSubjectRulesReviewSpec namespace
SubjectAccessReview metadata spec status
SubjectAccessReviewSpec resourceAttributes nonResourceAttributes user groups extra uid
SubjectAccessReviewStatus allowed reason evaluationError denied
SubjectRulesReviewStatus resourceRules nonResourceRules incomplete evaluationError
`,
  'io.k8s.api.policy.v1': `
Eviction metadata deleteOptions
`,
  'io.k8s.api.apidiscovery.v2': `
APIGroupDiscovery metadata versions
APIGroupDiscoveryList metadata items
APIResourceDiscovery resource responseKind scope singularResource verbs shortNames categories subresources
APISubresourceDiscovery subresource responseKind acceptedTypes verbs
APIVersionDiscovery version resources freshness
`,
  'io.k8s.api.apidiscovery.v2beta1': `
APIGroupDiscovery metadata versions
APIGroupDiscoveryList metadata items
APIResourceDiscovery resource responseKind scope singularResource verbs shortNames categories subresources
APISubresourceDiscovery subresource responseKind acceptedTypes verbs
APIVersionDiscovery version resources freshness
`,
};
