import { anonymousRequests } from './anonymous-requests.js';
import { bootstrapTokens } from './bootstrap-tokens.js';
import { clientCertificates } from './client-certificates.js';
import { proxies } from './proxies.js';
import { staticTokens } from './static-tokens.js';
import { tokenIssuers } from './token-issuers.js';
import { tokenWebhook } from './token-webhook.js';

/** The authentication methods that flags switch on, in the order in which they are tried. */
export const METHODS = [
  proxies,
  clientCertificates,
  staticTokens,
  bootstrapTokens,
  tokenIssuers,
  tokenWebhook,
  anonymousRequests,
] as const;

export const AUTHENTICATION_FLAGS = METHODS.flatMap((method): (typeof METHODS)[number]['flags'][number][] => [
  ...method.flags,
]);
