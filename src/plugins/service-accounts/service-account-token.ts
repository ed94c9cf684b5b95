import {
  type AuditNotes,
  type AuthenticationResult,
  type AuthenticatorFactory,
  joinNotes,
  rejected,
  skipped,
  withNotes,
} from '../../authentication/authenticator.js';
import { commonAudiences, tokenAuthenticator } from '../../authentication/tokens/bearer-token.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { Host } from '../../meta/host.js';
import { readAnew } from '../../meta/host.js';
import { counter } from '../../metrics/families.js';
import { readToken, type UnverifiedToken, verifySignature } from '../../tokens/compact-token.js';
import type { TokenKey } from '../../tokens/token-key.js';
import { quote } from '../../values/quote.js';
import { BOUND_USES, boundTokenUser, tokenNote } from './bound-token.js';
import {
  InvalidatedToken,
  type LegacyTokenUser,
  legacyTokenUser,
  readLegacyClaims,
  SECRET_USES,
  type SecretUse,
} from './legacy-token.js';
import { audiencesOf, readTokenClaims } from './token-claims.js';

const NAME = 'service-account-token';

const LEGACY_USES = counter('serviceaccount_legacy_tokens_total', 'Cumulative legacy service account tokens used');

/** The issuers and keys of accepted tokens. `accountTokens` creates these options from key files. */
export interface ServiceAccountTokenOptions {
  /**
   * Accepted values of the claim `iss`. The issuer of tokens stored in secrets, `kubernetes/serviceaccount` in the k8s dialect, is always
   * accepted.
   */
  readonly issuers: readonly string[];
  /**
   * Returns the keys that verify tokens. It is called for each token of an accepted issuer. If it returns no promise, tokens are verified
   * synchronously where the runtime can do that.
   */
  keys(): readonly TokenKey[] | Promise<readonly TokenKey[]>;
  /**
   * Whether tokens stored in secrets are refused when the secret or the service account does not exist. Bound tokens are always checked.
   * Default true.
   */
  readonly lookup?: boolean;
  /** Called with the secret of every token that is found in a secret, even if the token is marked invalid. */
  readonly onSecretUse?: SecretUse;
}

/** Authenticates tokens of service accounts: tokens created by a TokenRequest and tokens stored in secrets (spec 14.7, 14.10). */
export function serviceAccountTokens(options: ServiceAccountTokenOptions): AuthenticatorFactory {
  const issuers = new Set(options.issuers);
  return (host) => {
    // The counters are exposed before the first token is used.
    host.metrics.declare(LEGACY_USES, ...Object.values(BOUND_USES), ...Object.values(SECRET_USES));
    return tokenAuthenticator(NAME, (token, audiences, serverAudiences) => {
      const read = readToken(token);
      const issuer = read?.claims['iss'];
      if (!read || typeof issuer !== 'string') return skipped;
      if (issuer !== host.dialect.legacyTokenIssuer && !issuers.has(issuer)) return skipped;
      return run(authenticate(read, audiences, serverAudiences, options, host));
    });
  };
}

type Audiences = readonly string[] | undefined;

function* authenticate(
  read: UnverifiedToken,
  audiences: Audiences,
  serverAudiences: Audiences,
  options: ServiceAccountTokenOptions,
  host: Host,
): Flow<AuthenticationResult> {
  const { token, header, claims } = read;
  const { dialect, metrics, signatures } = host;
  let unnamed: AuditNotes | undefined;
  try {
    yield* verifySignature(read, header['kid'], yield* settled(options.keys()), signatures);
    // As in upstream, the types of all claims are checked first, then the audience, then the values of the claims.
    const isLegacy = claims['iss'] === dialect.legacyTokenIssuer;
    const bound = isLegacy ? undefined : readTokenClaims(claims, dialect.tokenPrivateClaim);
    const userOf = bound ? () => boundTokenUser(bound, host) : legacyReader(token, claims, host, options);
    const named = audiencesOf(claims);
    // A token without an audience is treated as issued for this server. An audit annotation records that, even if it is refused.
    if (named.length === 0) {
      unnamed = tokenNote(dialect, 'legacy-token', String(claims['sub'] ?? ''));
      metrics.add(LEGACY_USES, []);
    }
    const common = checkAudiences(named.length === 0 ? serverAudiences : named, audiences);
    const user = yield* settled(readAnew<ReturnType<typeof userOf>>(host, userOf));
    const known = { outcome: 'authenticated', ...user, ...common, authenticator: NAME } as const;
    return unnamed ? withNotes(known, unnamed) : known;
  } catch (error) {
    return rejected(error, joinNotes(unnamed, error instanceof InvalidatedToken ? error.annotations : undefined));
  }
}

function legacyReader(
  token: string,
  verified: Readonly<Record<string, unknown>>,
  host: Host,
  { lookup = true, onSecretUse }: ServiceAccountTokenOptions,
): () => Omit<LegacyTokenUser, 'warnings'> & Partial<LegacyTokenUser> {
  const claims = readLegacyClaims(verified, host.dialect);
  return () => {
    const { warnings, ...known } = legacyTokenUser(token, claims, host, lookup, onSecretUse);
    return warnings.length === 0 ? known : { ...known, warnings };
  };
}

/** Returns the requested audiences that the token has. @throws Error when it has none of them. */
function checkAudiences(named: Audiences, requested: Audiences): { readonly audiences?: readonly string[] } {
  if (!named || !requested) return {};
  const audiences = commonAudiences(named, requested);
  if (audiences.length > 0) return { audiences };
  throw new Error(`token audiences ${list(named)} is invalid for the target audiences ${list(requested)}`);
}

const list = (audiences: readonly string[]) => `[${audiences.map(quote).join(' ')}]`;
