/** `orch-apiserver/kinds`: the built-in kinds, each a definition and the type of its objects. */
export { type SelfSubjectReview, selfSubjectReview } from '../resources/authentication/self-subject-review.js';
export type { TokenRequest } from '../resources/authentication/token-request-schema.js';
export { type TokenReview, tokenReview } from '../resources/authentication/token-review.js';
export {
  type LocalSubjectAccessReview,
  localSubjectAccessReview,
} from '../resources/authorization/local-subject-access-review.js';
export {
  type SelfSubjectAccessReview,
  selfSubjectAccessReview,
} from '../resources/authorization/self-subject-access-review.js';
export {
  type SelfSubjectRulesReview,
  selfSubjectRulesReview,
} from '../resources/authorization/self-subject-rules-review.js';
export { type SubjectAccessReview, subjectAccessReview } from '../resources/authorization/subject-access-review.js';
export {
  type CertificateSigningRequest,
  certificateSigningRequest,
} from '../resources/certificates/certificate-signing-request.js';
export { type ClusterTrustBundle, clusterTrustBundle } from '../resources/certificates/cluster-trust-bundle.js';
export { type Lease, lease } from '../resources/coordination/lease.js';
export { type ConfigMap, configMap } from '../resources/core/config-map.js';
export { coreEvent, event } from '../resources/core/event/event.js';
export type { CoreEvent, Event } from '../resources/core/event/event-conversion.js';
export { type Namespace, namespace } from '../resources/core/namespace.js';
export { type Node, node } from '../resources/core/node/node.js';
export { type Pod, pod } from '../resources/core/pod/pod.js';
export { type Secret, secret } from '../resources/core/secret.js';
export { type ServiceAccount, serviceAccount } from '../resources/core/service-account.js';
export { builtinResources } from '../resources/index.js';
export { type ClusterRole, clusterRole } from '../resources/rbac/cluster-role.js';
export { type ClusterRoleBinding, clusterRoleBinding } from '../resources/rbac/cluster-role-binding.js';
export { type Role, role } from '../resources/rbac/role.js';
export { type RoleBinding, roleBinding } from '../resources/rbac/role-binding.js';
