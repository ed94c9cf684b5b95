/** `orch-apiserver/authorization`: modes that decide what a user may do, and the interface for modes of your own. */
export { abac } from '../authorization/abac/abac.js';
export { alwaysAllow } from '../authorization/always-allow.js';
export { alwaysDeny } from '../authorization/always-deny.js';
export type {
  AuthorizationAttributes,
  Authorizer,
  AuthorizerFactory,
  Consideration,
  Decision,
  Grant,
  Opinion,
  PolicyRule,
  UserRules,
} from '../authorization/authorizer.js';
export { type WebhookAuthorizerOptions, webhook } from '../authorization/webhook/webhook.js';
export type { AuthorizationConfiguration } from '../authorization/webhook/webhook-configuration.js';
export {
  type AuthorizationConfigurationOptions,
  authorizationConfiguration,
  type ConfiguredAuthorization,
} from '../plugins/authorization-configuration.js';
export { defaultAuthorization } from '../plugins/default-authorization.js';
export { node as nodeAuthorizer } from '../plugins/nodes/node-authorizer.js';
export { rbac } from '../plugins/rbac/rbac.js';
export type { DecisionQuestion, Explanation } from '../server/explain-decision.js';
