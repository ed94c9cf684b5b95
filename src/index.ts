export type {
  AdmissionAttributes,
  AdmissionHost,
  AdmissionPlugin,
  AdmissionPluginFactory,
  Operation,
} from './admission/admission-plugin.js';
export { defaultAdmission } from './admission/default-admission.js';
export { nodeRestriction } from './admission/node-restriction.js';
export { ApiServer, type ApiServerEvents } from './api-server.js';
export type { ApiServerOptions } from './api-server-options.js';
export { anonymous } from './authentication/anonymous.js';
export type {
  AuthenticationResult,
  Authenticator,
  AuthenticatorFactory,
  Basis,
  Credentials,
} from './authentication/authenticator.js';
export { bootstrapTokens } from './authentication/bootstrap-token.js';
export { type RequestHeaderOptions, requestHeader } from './authentication/request-header.js';
export { tokenFile } from './authentication/token-file.js';
export { x509 } from './authentication/x509.js';
export { abac } from './authorization/abac.js';
export { alwaysAllow } from './authorization/always-allow.js';
export { alwaysDeny } from './authorization/always-deny.js';
export type {
  AuthorizationAttributes,
  Authorizer,
  AuthorizerFactory,
  Decision,
  Grant,
  UserRules,
} from './authorization/authorizer.js';
export { defaultAuthorization } from './authorization/default-authorization.js';
export { node as nodeAuthorizer } from './authorization/node.js';
export type { PolicyRule } from './authorization/policy-rule.js';
export { rbac } from './authorization/rbac.js';
export {
  type Applied,
  type CallOptions,
  Client,
  type DeleteCallOptions,
  type ListCallOptions,
  type New,
  type WatchCallOptions,
  type WriteCallOptions,
} from './client/client.js';
export type { UninstallOptions } from './client/install.js';
export { TypedWatch, type TypedWatchEvent } from './client/typed-watch.js';
export { WorkQueue } from './client/work-queue.js';
export type { ControllerContext, ControllerDefinition, ControllerHost } from './controllers/controller.js';
export { defaultControllers } from './controllers/default-controllers.js';
export type { AuthenticationTrust, CertificateSigner, ServerAuthorities } from './controllers/server-authorities.js';
export {
  ApiError,
  apiError,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
} from './meta/api-error.js';
export { type Clock, systemClock } from './meta/clock.js';
export { type Dialect, dialectOf, domainName, groupOf, type Rulings } from './meta/dialect.js';
export { type FieldError, fieldError, printed } from './meta/field-error.js';
export type { Host, Lister } from './meta/host.js';
export type { ApiList, ApiObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './meta/object-meta.js';
export type { PluginList } from './meta/plugin-list.js';
export { type Random, systemRandom } from './meta/random.js';
export type { RequestHeaders } from './meta/request-headers.js';
export type { Status, StatusCause, StatusDetails, StatusReason } from './meta/status.js';
export type { UserInfo } from './meta/user-info.js';
export { createCertificateAuthority, issueCertificate, type KeyPair } from './pki/certificate-authority.js';
export type { CertificateRequest } from './pki/certificate-request.js';
export { parseCertificateRequest } from './pki/parse-request.js';
export { type SignRequestOptions, signRequest } from './pki/sign-request.js';
export {
  type Column,
  type DeclaredObject,
  type DeclaredResourceInput,
  defineResource,
  type ObjectOf,
  type ResourceDefinition,
  type ResourceDefinitionInput,
  type Subresource,
  type Verb,
} from './registry/resource-definition.js';
export type { Draft, Strategy, StrategyContext } from './registry/strategy.js';
export type { ApiRequest, ApiResponse, ByteStream, RequestBody, ResponseBody } from './requests/api-request.js';
export { type SelfSubjectReview, selfSubjectReview } from './resources/authentication/self-subject-review.js';
export type { TokenRequest } from './resources/authentication/token-request-schema.js';
export { type TokenReview, tokenReview } from './resources/authentication/token-review.js';
export {
  type LocalSubjectAccessReview,
  localSubjectAccessReview,
} from './resources/authorization/local-subject-access-review.js';
export {
  type SelfSubjectAccessReview,
  selfSubjectAccessReview,
} from './resources/authorization/self-subject-access-review.js';
export {
  type SelfSubjectRulesReview,
  selfSubjectRulesReview,
} from './resources/authorization/self-subject-rules-review.js';
export { type SubjectAccessReview, subjectAccessReview } from './resources/authorization/subject-access-review.js';
export {
  type CertificateSigningRequest,
  certificateSigningRequest,
} from './resources/certificates/certificate-signing-request.js';
export { type ClusterTrustBundle, clusterTrustBundle } from './resources/certificates/cluster-trust-bundle.js';
export { type Lease, lease } from './resources/coordination/lease.js';
export { type ConfigMap, configMap } from './resources/core/config-map.js';
export { coreEvent, event } from './resources/core/event/event.js';
export { type Namespace, namespace } from './resources/core/namespace.js';
export { type Node, node } from './resources/core/node/node.js';
export { type Pod, pod } from './resources/core/pod/pod.js';
export { type Secret, secret } from './resources/core/secret.js';
export { type ServiceAccount, serviceAccount } from './resources/core/service-account.js';
export { builtinResources } from './resources/index.js';
export { type ClusterRole, clusterRole } from './resources/rbac/cluster-role.js';
export { type ClusterRoleBinding, clusterRoleBinding } from './resources/rbac/cluster-role-binding.js';
export { type Role, role } from './resources/rbac/role.js';
export { type RoleBinding, roleBinding } from './resources/rbac/role-binding.js';
export { openApiToSchema } from './schema/openapi-to-schema.js';
export type { ObjectSchema, Schema } from './schema/schema.js';
export type { Curve, Hash, SignatureScheme, Signatures, Signer } from './signatures/signatures.js';
export { systemSignatures } from './signatures/system-signatures.js';
export { type MemoryOptions, memory } from './store/memory.js';
export {
  type Entry,
  type Page,
  type Storage,
  StoreError,
  type StoreEvent,
  type Update,
  type Watch,
} from './store/storage.js';
export type { StorageFactory, StorageWiring } from './store/storage-factory.js';
export type { AccountTokenOptions, AccountTokens } from './tokens/account-tokens.js';
