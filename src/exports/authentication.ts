/** `orch-apiserver/authentication`: methods to authenticate callers, and the interface for methods of your own. */
export { type AnonymousOptions, anonymous } from '../authentication/anonymous.js';
export {
  type AuditNotes,
  type AuthenticationResult,
  type Authenticator,
  type AuthenticatorFactory,
  type Basis,
  type Credentials,
  rejected,
  skipped,
} from '../authentication/authenticator.js';
export type { Authorities } from '../authentication/certificates/connection-certificates.js';
export { type X509Options, x509 } from '../authentication/certificates/x509.js';
export {
  type AuthenticationConfigurationOptions,
  authenticationConfiguration,
  type ConfiguredAuthentication,
} from '../authentication/jwt/authentication-configuration.js';
export type {
  AuthenticationConfiguration,
  JwtConfiguration,
  PrefixedClaim,
} from '../authentication/jwt/jwt-configuration.js';
export { type OidcOptions, oidc } from '../authentication/jwt/oidc.js';
export { type RequestHeaderOptions, requestHeader } from '../authentication/request-header.js';
export { sameSecret } from '../authentication/tokens/same-secret.js';
export { type TokenFileOptions, tokenFile } from '../authentication/tokens/token-file.js';
export { type WebhookTokenOptions, webhookTokens } from '../authentication/tokens/webhook-token.js';
export type { Fetch, FetchOptions, OutboundTls, Upgrade, Upgraded } from '../meta/fetch.js';
export { headersOf, type RequestHeaders } from '../meta/request-headers.js';
export type { UserInfo } from '../meta/user-info.js';
export type { WebhookConnection } from '../outbound/review-webhook.js';
export { bootstrapTokens } from '../plugins/bootstrap-tokens/bootstrap-token.js';
export { ConfigurationError } from '../schema/configuration/decode-configuration.js';
