/**
 * `orch-apiserver`: what most embedders need. Further entry points are organized by task: `/kinds`, `/client`, `/authentication`,
 * `/authorization`, `/admission`, `/controllers`, `/storage`, `/pki`, `/http`, `/kubeconfig`, `/testing`, `/testing/vitest`.
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
export type { AuditEvent, AuditLevel, AuditStage, ObjectReference } from './audit/audit-event.js';
export type { AuditedResources, AuditPolicy, AuditRule } from './audit/audit-policy.js';
export type { AuditRecord } from './audit/audit-record.js';
export {
  type AuditBatchOptions,
  type AuditFunction,
  type AuditMode,
  type AuditSink,
  type AuditTruncateOptions,
  functionSink,
} from './audit/audit-sink.js';
export type { AuditOptions } from './audit/audit-trail.js';
export { type WebhookSinkOptions, webhookSink } from './audit/audit-webhook.js';
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
export type { CustomResourceManifest, UninstallOptions } from './client/install.js';
export { type TypedChange, TypedWatch, type TypedWatchEvent } from './client/typed-watch.js';
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
} from './meta/api-error.js';
export { type Clock, systemClock } from './meta/clock.js';
export { type Dialect, dialectOf, domainName, groupOf, type Rulings } from './meta/dialect.js';
export type { FeatureGate, FeatureGates } from './meta/features/gates.js';
export type { ByteChannel } from './meta/fetch.js';
export { type FieldError, type FieldErrorType, fieldError, type Printed, printed } from './meta/field-error.js';
export type { FieldValidation } from './meta/field-validation.js';
export type { GroupResource } from './meta/group-version.js';
export type { Host, Lister } from './meta/host.js';
export type { NameRule } from './meta/names.js';
export type {
  ApiList,
  ApiObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from './meta/object-meta.js';
export type { PluginList } from './meta/plugin-list.js';
export type { Query } from './meta/query.js';
export { type Random, systemRandom } from './meta/random.js';
export type { RequestHeaders } from './meta/request-headers.js';
export type { ServiceNetwork } from './meta/services/service-network.js';
export type { ServiceCaller, ServiceHandler, ServiceRoute, ServiceRoutes } from './meta/services/service-routes.js';
export type { CauseReason, Status, StatusCause, StatusDetails, StatusReason } from './meta/status.js';
export type { UserInfo } from './meta/user-info.js';
export type {
  Distribution,
  LabelValues,
  MetricFamily,
  MetricStability,
  Metrics,
  ReadSeries,
} from './metrics/metrics.js';
export type { MetricsOptions } from './metrics/metrics-options.js';
export { reviewHandler, type WebhookAnswer, type WebhookHandler } from './outbound/review-handler.js';
export type { Services, ServicesOption, ServiceTarget } from './outbound/service-targets.js';
export type { AccessControl } from './registry/access-control.js';
export type { KnownKinds, OtherResource, RequestContext } from './registry/request-context.js';
export {
  type AnsweringKind,
  type Column,
  type ComputedKind,
  type Converter,
  type CreateSubresource,
  type CreateSubresourceCall,
  type DeclaredObject,
  type DeclaredResourceInput,
  type Deprecation,
  defineResource,
  type FieldReader,
  type ObjectNameRule,
  type ObjectOf,
  type ObjectSubresource,
  type ObjectWith,
  type PartSubresource,
  type RelayAnswer,
  type RelayCall,
  type RelayDestination,
  type RelayParameter,
  type RelaySubresource,
  type RelayText,
  type ResourceDefinition,
  type ResourceDefinitionInput,
  type RowCondition,
  type StorageForm,
  type StoredAs,
  type Subresource,
  type Verb,
  type VirtualCall,
  type VirtualKind,
  type ZodSchema,
} from './registry/resource-definition.js';
export type { RuntimeConfig } from './registry/served/runtime-config.js';
export type { Allocation, Claim, Draft, Strategy, StrategyContext } from './registry/strategy.js';
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
export { openApiToSchema } from './schema/openapi-to-schema.js';
export type { ObjectSchema, Schema } from './schema/schema.js';
export { type FieldRequirement, type FieldSelector, parseFieldSelector } from './selectors/field-selector.js';
export type { LabelOperator, LabelRequirement, Labels } from './selectors/label-requirement.js';
export { type LabelSelector, parseLabelSelector } from './selectors/label-selector.js';
export {
  type LabelSelectorExpression,
  type LabelSelectorObject,
  labelSelectorOf,
} from './selectors/label-selector-object.js';
export { type ApiServerEvent, CoreApiServer, type Installable } from './server/core-api-server.js';
export type { ServerDefaults } from './server/defaults.js';
export type { AccountTokenOptions } from './tokens/account-tokens.js';
export { VERSION } from './version.js';
