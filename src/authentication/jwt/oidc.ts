import { formatFieldErrors } from '../../meta/field-error.js';
import { ConfigurationError } from '../../schema/configuration/decode-configuration.js';
import type { AuthenticatorFactory } from '../authenticator.js';
import { jwtAlgorithms, jwtAuthenticator } from './jwt-authenticator.js';
import type { DecodedJwt } from './jwt-configuration.js';
import { validateIssuerUrl } from './validate-issuer.js';
import { validateJwt } from './validate-jwt.js';

/** One issuer of OpenID Connect, as the flags `--oidc-*` have it (spec 11.17). */
export interface OidcOptions {
  /** What the claim `iss` must be; https. */
  readonly issuerUrl: string;
  /** The audience that tokens must be for. */
  readonly clientId: string;
  /** Default `sub`. Of `email`, `email_verified` must not be other than true. */
  readonly usernameClaim?: string;
  /** Default the issuer and `#`, none for the claim `email`; `-` for none. */
  readonly usernamePrefix?: string;
  /** A text or a list. Default no groups. */
  readonly groupsClaim?: string;
  readonly groupsPrefix?: string;
  /** What claims must be. */
  readonly requiredClaims?: Readonly<Record<string, string>>;
  /** Of RS, ES and PS with 256, 384 and 512. Default RS256. */
  readonly signingAlgorithms?: readonly string[];
  /** PEM. Default the system's authorities. */
  readonly certificateAuthority?: string;
  /** URLs that are this server's own. */
  readonly disallowedIssuers?: readonly string[];
}

/**
 * Tokens of one issuer of OpenID Connect. The issuer is asked for its keys through the server's `fetch`.
 * @throws ConfigurationError in the reference's words.
 */
export function oidc(options: OidcOptions): AuthenticatorFactory {
  const { signingAlgorithms: algorithms = ['RS256'], disallowedIssuers = [] } = options;
  const unknown = algorithms.find((algorithm) => !jwtAlgorithms.includes(algorithm));
  if (unknown !== undefined) throw new ConfigurationError(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  const jwt = jwtOf(options);
  const errors = validateJwt(jwt, 'jwt[0]', [], undefined);
  // The server's own issuers are known later, and so named otherwise, in the reference.
  errors.push(...validateIssuerUrl(jwt.issuer.url, 'issuer.url', disallowedIssuers).filter(() => errors.length === 0));
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return (host) => {
    const authenticator = jwtAuthenticator({ jwt, expressions: undefined, algorithms }, host);
    void authenticator.initialize();
    return { ...authenticator, name: 'oidc' };
  };
}

function jwtOf({
  issuerUrl,
  clientId,
  usernameClaim = 'sub',
  usernamePrefix = '',
  groupsClaim = '',
  groupsPrefix = '',
  requiredClaims = {},
  certificateAuthority = '',
}: OidcOptions): DecodedJwt {
  const usual = usernameClaim === 'email' ? '' : `${issuerUrl}#`;
  const prefix = usernamePrefix === '' ? usual : usernamePrefix === '-' ? '' : usernamePrefix;
  return {
    issuer: { url: issuerUrl, audiences: [clientId], certificateAuthority },
    claimMappings: {
      username: { claim: usernameClaim, prefix },
      groups: groupsClaim === '' ? {} : { claim: groupsClaim, prefix: groupsPrefix },
      uid: {},
    },
    claimValidationRules: Object.entries(requiredClaims).map(([claim, requiredValue]) => ({ claim, requiredValue })),
  };
}
