/**
 * `orch-apiserver`: what most embedders need first. Further entry points are organized by task: `/kinds`, `/client`, `/authentication`,
 * `/authorization`, `/admission`, `/audit`, `/controllers`, `/storage`, `/pki`, `/plugins`, `/http`, `/kubeconfig`, `/testing`,
 * `/testing/vitest`.
 */
export { ApiServer } from './api-server.js';
export type {
  ApiServerOptions,
  BrowserOptions,
  CertificatesOptions,
  ControllerOptions,
  LimitOptions,
  NetworkOptions,
  ShutdownOptions,
} from './api-server-options.js';
export {
  type Applied,
  type ApplyCallOptions,
  type CallOptions,
  Client,
  type DeleteCallOptions,
  type GetCallOptions,
  type ListCallOptions,
  type New,
  type PatchCallOptions,
  type WatchCallOptions,
  type WriteCallOptions,
} from './client/client.js';
export type { CustomResourceManifest, Installable, UninstallOptions } from './client/install.js';
export type { LoadSource, ManifestFile, Manifests } from './client/load.js';
export { type TypedChange, TypedWatch, type TypedWatchEvent } from './client/typed-watch.js';
export type { LeaderElectionOptions } from './controllers/leader-election/election-options.js';
export type { AuthenticationTrust, CertificateSigner } from './controllers/server-authorities.js';
export type { JsonObject, JsonValue } from './json/value.js';
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
  isTooManyRequests,
} from './meta/api-error.js';
export { type Clock, type PendingTimer, systemClock } from './meta/clock.js';
export type { Dialect } from './meta/dialect.js';
export { type FieldError, fieldError } from './meta/field-error.js';
export type { FieldValidation } from './meta/field-validation.js';
export type { GroupResource } from './meta/group-version.js';
export type { Host, Lister } from './meta/host.js';
export type {
  ApiList,
  ApiObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from './meta/object-meta.js';
export type { PluginList } from './meta/plugin-list.js';
export { type Random, systemRandom } from './meta/random.js';
export type { RequestHeaders } from './meta/request-headers.js';
export type { ServiceNetwork } from './meta/services/service-network.js';
export type { ServiceCaller, ServiceHandler, ServiceRoute, ServiceRoutes } from './meta/services/service-routes.js';
export type { CauseReason, Status, StatusCause, StatusDetails, StatusReason } from './meta/status.js';
export type { UserInfo } from './meta/user-info.js';
export type { MetricsOptions } from './metrics/metrics-options.js';
export { reviewHandler, type WebhookAnswer, type WebhookHandler } from './outbound/review-handler.js';
export type { Services, ServicesOption, ServiceTarget } from './outbound/service-targets.js';
export { defineResource, type ObjectOf, type ResourceDefinition } from './registry/resource-definition.js';
export type { RuntimeConfig } from './registry/served/runtime-config.js';
export type { DeleteOptions } from './registry/writes/delete-options.js';
export {
  type ApiRequest,
  type ApiResponse,
  type ByteStream,
  CallerGoneError,
  type CallerOptions,
  type EventChunks,
  type RequestBody,
  type ResponseBody,
} from './requests/api-request.js';
export type { RequestRecord } from './requests/request-record.js';
export type { ConfigMap, Namespace, Secret, ServiceAccount } from './resources/core/core-v1.types.js';
export { configMap, namespace, pod, secret, serviceAccount } from './resources/core/index.js';
export type { Pod } from './resources/core/pod/pod.js';
export { type ApiServerEvent, CoreApiServer } from './server/core-api-server.js';
export type { ServerDefaults } from './server/defaults.js';
export type { HeldWatch, Pending, PendingRequest, PendingWatch } from './server/pending.js';
export type { ForkOptions, ServerSnapshot } from './server/server-snapshot.js';
export type { SettleOptions } from './server/settle.js';
export type { AccountTokenOptions } from './tokens/account-tokens.js';
export { VERSION } from './version.js';
