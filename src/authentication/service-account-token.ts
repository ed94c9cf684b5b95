import { quote } from '../meta/field-error.js';
import type { Host } from '../meta/host.js';
import { readToken } from '../tokens/read-token.js';
import type { TokenIssuer } from '../tokens/token-issuer.js';
import { loadKeys, type TokenKey } from '../tokens/token-key.js';
import { verifyToken } from '../tokens/verify-token.js';
import { type AuthenticationResult, type AuthenticatorFactory, rejected, skipped } from './authenticator.js';
import { commonAudiences, tokenAuthenticator } from './bearer-token.js';
import { boundTokenUser } from './bound-token.js';
import { legacyTokenUser } from './legacy-token.js';
import { readTokenClaims } from './token-claims.js';

export interface ServiceAccountTokenOptions {
  /** Whose tokens are accepted. */
  readonly issuers: readonly string[];
  /** Their keys, PEM: private or public keys or certificates, several in a text. */
  readonly keys?: readonly string[];
  /** Takes the tokens of this issuer, too: of the server itself. */
  readonly tokenIssuer?: TokenIssuer;
  /** Whether tokens kept in secrets are refused when the secret or the account is gone. Others always are. Default true. */
  readonly lookup?: boolean;
}

/**
 * Tokens of service accounts: those of the token endpoint and those kept in secrets (document 2, section 5.2; gap file auth,
 * 5.2.6). Keys are read when the first such token comes; {@link checkServiceAccountKeys} sees early whether they can be.
 */
export function serviceAccountTokens(options: ServiceAccountTokenOptions): AuthenticatorFactory {
  const { tokenIssuer, lookup = true } = options;
  const issuers = new Set(tokenIssuer ? [...options.issuers, tokenIssuer.issuer] : options.issuers);
  let loading: Promise<readonly TokenKey[]> | undefined;
  const keys = () => {
    loading ??= readKeys(options);
    return loading;
  };

  return (host) =>
    tokenAuthenticator('service-account-token', async (token, audiences) => {
      const read = readToken(token);
      const issuer = read?.claims['iss'];
      if (!read || typeof issuer !== 'string') return skipped;
      const legacy = issuer === host.dialect.legacyTokenIssuer;
      if (!legacy && !issuers.has(issuer)) return skipped;
      try {
        const claims = await verifyToken(token, await keys());
        return legacy ? legacyResult(token, claims, audiences, host, lookup) : boundResult(claims, audiences, host);
      } catch (error) {
        return rejected(error);
      }
    });
}

/** @throws TypeError when a text holds no key. */
export async function checkServiceAccountKeys(keys: readonly string[]): Promise<void> {
  await readKeys({ keys });
}

async function readKeys({
  keys = [],
  tokenIssuer,
}: Pick<ServiceAccountTokenOptions, 'keys' | 'tokenIssuer'>): Promise<readonly TokenKey[]> {
  const given = await Promise.all(keys.map(loadKeys));
  return [...(tokenIssuer ? [await tokenIssuer.key()] : []), ...given.flat()];
}

function boundResult(
  verified: Readonly<Record<string, unknown>>,
  asked: readonly string[] | undefined,
  host: Host,
): AuthenticationResult {
  const claims = readTokenClaims(verified, host.dialect.tokenPrivateClaim);
  const audiences = checkAudiences(claims.audiences, asked);
  return {
    outcome: 'authenticated',
    user: boundTokenUser(claims, host),
    ...audiences,
    authenticator: 'service-account-token',
  };
}

function legacyResult(
  token: string,
  verified: Readonly<Record<string, unknown>>,
  asked: readonly string[] | undefined,
  host: Host,
  lookup: boolean,
): AuthenticationResult {
  const { audiences: own } = readTokenClaims(verified, host.dialect.tokenPrivateClaim);
  const audiences = checkAudiences(own, asked);
  const { user, warnings } = legacyTokenUser(token, verified, host, lookup);
  const result = { outcome: 'authenticated', user, ...audiences, authenticator: 'service-account-token' } as const;
  return warnings.length === 0 ? result : { ...result, warnings };
}

/**
 * A token without audiences leaves the question to who asks all tokens ({@link commonAudiences}): it is good for the server's own.
 * @throws Error when it is for none of those asked.
 */
function checkAudiences(
  own: readonly string[],
  asked: readonly string[] | undefined,
): { readonly audiences?: readonly string[] } {
  if (own.length === 0 || !asked) return {};
  const audiences = commonAudiences(own, asked);
  if (audiences.length > 0) return { audiences };
  throw new Error(`token audiences ${list(own)} is invalid for the target audiences ${list(asked)}`);
}

const list = (audiences: readonly string[]) => `[${audiences.map(quote).join(' ')}]`;
