import type { Authorizer } from '../authorization/authorizer.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { ControllerDefinition } from './controller.js';
import { csrApproving } from './csr-approving.js';
import { csrCleaner } from './csr-cleaner.js';
import { type CsrSigningOptions, csrSigning } from './csr-signing.js';
import { legacyTokenCleaner } from './legacy-token-cleaner.js';
import { serviceAccountTokenSecrets } from './service-account-tokens.js';

export interface IdentityControllersOptions {
  /** First called when there is something to ask. */
  authorizer(): Authorizer;
  readonly accountTokens: AccountTokens;
  /** PEM of the authority that token secrets carry; undefined: none. */
  rootAuthority(): Promise<string | undefined>;
  readonly signing: CsrSigningOptions;
}

/** The controllers of certificate requests and of tokens kept in secrets (document 1). */
export function identityControllers({
  authorizer,
  accountTokens,
  rootAuthority,
  signing,
}: IdentityControllersOptions): readonly ControllerDefinition[] {
  return [
    csrApproving(authorizer),
    csrSigning(signing),
    csrCleaner,
    serviceAccountTokenSecrets({ issuer: accountTokens.secretIssuer, rootAuthority }),
    legacyTokenCleaner(accountTokens.secretCleanUpPeriod),
  ];
}
