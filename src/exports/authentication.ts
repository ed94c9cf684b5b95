/** `orch-apiserver/authentication`: the methods that find out who a caller is, and the interface of one's own. */
export { type AnonymousOptions, anonymous } from '../authentication/anonymous.js';
export {
  type AuthenticationResult,
  type Authenticator,
  type AuthenticatorFactory,
  type Basis,
  type Credentials,
  rejected,
  skipped,
} from '../authentication/authenticator.js';
export { bootstrapTokens } from '../authentication/bootstrap-token.js';
export type { Authorities } from '../authentication/certificates/trusted-authorities.js';
export { type RequestHeaderOptions, requestHeader } from '../authentication/request-header.js';
export { sameSecret } from '../authentication/same-secret.js';
export { type TokenFileOptions, tokenFile } from '../authentication/token-file.js';
export { type X509Options, x509 } from '../authentication/x509.js';
export { headersOf, type RequestHeaders } from '../meta/request-headers.js';
export type { UserInfo } from '../meta/user-info.js';
