// For users: a server, kinds, clients.
export { ApiServer, type ApiServerEvents, defaultAdmission, defaultControllers } from './api-server.js';
export type { ApiServerOptions } from './api-server-options.js';
export {
  type CallOptions,
  Client,
  type DeleteCallOptions,
  type ListCallOptions,
  type New,
  type WatchCallOptions,
  type WriteCallOptions,
} from './client/client.js';
export { TypedWatch, type TypedWatchEvent } from './client/typed-watch.js';
export {
  ApiError,
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
export type { ApiList, ApiObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './meta/object-meta.js';
export { type Random, systemRandom } from './meta/random.js';
export type { Status, StatusCause, StatusDetails, StatusReason } from './meta/status.js';
export type { UserInfo } from './meta/user-info.js';
export {
  type Column,
  defineResource,
  type ObjectOf,
  type ResourceDefinition,
  type ResourceDefinitionInput,
  type Subresource,
  type Verb,
} from './registry/resource-definition.js';
export type { Draft, Strategy, StrategyContext } from './registry/strategy.js';
export { type ConfigMap, configMap } from './resources/config-map.js';
export { builtinResources } from './resources/index.js';
export { type Lease, lease } from './resources/lease.js';
export { type Namespace, namespace } from './resources/namespace.js';
export { type Secret, secret } from './resources/secret.js';
export { type ServiceAccount, serviceAccount } from './resources/service-account.js';
export { memory, type MemoryOptions } from './store/memory.js';

// For authors of plug-ins: authenticators, authorizers, admission, controllers, storage.
export type {
  AdmissionAttributes,
  AdmissionPlugin,
  AdmissionPluginFactory,
  Operation,
} from './admission/admission-plugin.js';
export { anonymous } from './authentication/anonymous.js';
export type {
  AuthenticationResult,
  Authenticator,
  AuthenticatorFactory,
  Credentials,
  RequestHeaders,
} from './authentication/authenticator.js';
export { tokenFile } from './authentication/token-file.js';
export { x509 } from './authentication/x509.js';
export { alwaysAllow } from './authorization/always-allow.js';
export { alwaysDeny } from './authorization/always-deny.js';
export type { AuthorizationAttributes, Authorizer, AuthorizerFactory, Decision } from './authorization/authorizer.js';
export { WorkQueue } from './client/work-queue.js';
export type { ControllerContext, ControllerDefinition } from './controllers/controller.js';
export { type FieldError, fieldError, printed } from './meta/field-error.js';
export type { Host, Lister } from './meta/host.js';
export type { ApiRequest, ApiResponse, ByteStream, RequestBody, ResponseBody } from './requests/api-request.js';
export type { StorageFactory, StorageWiring } from './store/storage-factory.js';
export {
  type Entry,
  type Page,
  type Storage,
  StoreError,
  type StoreEvent,
  type Update,
  type Watch,
} from './store/storage.js';
