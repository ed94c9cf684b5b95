import { formatFieldErrors } from '../../meta/field-error.js';
import { ConfigurationError } from '../../schema/configuration/decode-configuration.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import type { AuthenticatorFactory } from '../authenticator.js';
import { jwtAlgorithms, jwtAuthenticator } from './jwt-authenticator.js';
import type { DecodedJwt } from './jwt-configuration.js';
import { validateIssuerUrl } from './validate-issuer.js';
import { validateJwt } from './validate-jwt.js';

/** One OpenID Connect issuer, as configured by the flags `--oidc-*` (spec 11.17). */
export interface OidcOptions {
  /** The required value of the claim `iss`. Its scheme must be https. */
  readonly issuerUrl: string;
  /** The audience that tokens must have. */
  readonly clientId: string;
  /** The claim with the user name. Default `sub`. With `email`, the token is refused when `email_verified` is present and not true. */
  readonly usernameClaim?: string;
  /** The prefix of user names; `-` for no prefix. Default: the issuer and `#`, or no prefix for the claim `email`. */
  readonly usernamePrefix?: string;
  /** The claim with the groups, a string or a list of strings. Default: no groups. */
  readonly groupsClaim?: string;
  /** The prefix of the names of groups. Default: no prefix. */
  readonly groupsPrefix?: string;
  /** The required values of claims, by the claim's name. */
  readonly requiredClaims?: Readonly<Record<string, string>>;
  /** The accepted signature algorithms: RS, ES or PS, each with 256, 384 or 512. Default, and with an empty list: RS256. */
  readonly signingAlgorithms?: readonly string[];
  /** The CA bundle for connections to the issuer as PEM. Default: the system's CA certificates. */
  readonly certificateAuthority?: string;
  /** The URLs of the server's own token issuers. `issuerUrl` must not be one of them. Default: none. */
  readonly disallowedIssuers?: readonly string[];
}

const OPTIONS: readonly (keyof OidcOptions)[] = [
  'issuerUrl',
  'clientId',
  'usernameClaim',
  'usernamePrefix',
  'groupsClaim',
  'groupsPrefix',
  'requiredClaims',
  'signingAlgorithms',
  'certificateAuthority',
  'disallowedIssuers',
];

/**
 * Authenticates tokens of one OpenID Connect issuer. The issuer's keys are fetched through the server's `fetch`.
 * @throws ConfigurationError with upstream's message; TypeError for an option that does not exist, and without `issuerUrl` or `clientId`.
 */
export function oidc(options: OidcOptions): AuthenticatorFactory {
  refuseUnknownMembers('oidc()', options, OPTIONS);
  for (const name of ['issuerUrl', 'clientId'] as const)
    if (typeof options[name] !== 'string') throw new TypeError(`oidc(): ${name} must be a string`);
  const { signingAlgorithms = [], disallowedIssuers = [] } = options;
  const algorithms = signingAlgorithms.length === 0 ? ['RS256'] : signingAlgorithms;
  const unknown = algorithms.find((algorithm) => !jwtAlgorithms.includes(algorithm));
  if (unknown !== undefined) throw new ConfigurationError(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  const jwt = jwtOf(options);
  const errors = validateJwt(jwt, 'jwt[0]', [], undefined);
  // Upstream checks whether the issuer is one of the server's own in a later step. The error of this check therefore has a different path
  // and is reported only if there are no other errors.
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
