import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { histogram } from '../../metrics/families.js';
import { isCounted } from '../../metrics/metrics.js';
import { sha256 } from '../../signatures/digest.js';
import { readToken, type UnverifiedToken } from '../../tokens/compact-token.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { type AuthenticationResult, rejected, skipped } from '../authenticator.js';
import { forOwnAudiences, type TokenAuthenticator, tokenAuthenticator } from '../tokens/bearer-token.js';
import type { ClaimExpressions } from './claim-expressions.js';
import { IssuerKeys } from './issuer-keys.js';
import type { DecodedJwt } from './jwt-configuration.js';
import { mapUser } from './map-user.js';
import {
  canonicalIssuer,
  checkAudience,
  checkTimes,
  printTexts,
  readTokenTimes,
  type TokenTimes,
} from './verify-claims.js';

/** All algorithms that tokens of issuers may be signed with (spec 11.14). */
export const jwtAlgorithms: readonly string[] = ['RS', 'ES', 'PS'].flatMap((kind) =>
  [256, 384, 512].map((bits) => `${kind}${bits}`),
);
const NAME = 'jwt';

/** Authenticates the tokens of one issuer. */
export interface JwtAuthenticator extends TokenAuthenticator {
  readonly issuer: string;
  /** Discovers the URL of the issuer's keys. Does not throw. @returns the reason if the discovery failed; undefined on success. */
  initialize(): Promise<string | undefined>;
}

interface JwtAuthenticatorParts {
  /** The issuer's configuration, already validated. */
  readonly jwt: DecodedJwt;
  /** Compiles the expressions. Absent when the configuration has none. */
  readonly expressions: ClaimExpressions | undefined;
  /** The accepted signature algorithms. Default: all of {@link jwtAlgorithms}. */
  readonly algorithms?: readonly string[];
}

/** Verifies the tokens of one issuer and maps their claims to users (spec 11.14). */
export function jwtAuthenticator(parts: JwtAuthenticatorParts, host: Host): JwtAuthenticator {
  const { jwt, expressions, algorithms = jwtAlgorithms } = parts;
  const { url, discoveryURL = '', certificateAuthority = '', audiences = [] } = jwt.issuer;
  const keys = new IssuerKeys({ url, discoveryUrl: discoveryURL, certificateAuthority }, host);
  const userOf = mapUser(jwt, expressions);

  async function verify(token: UnverifiedToken): Promise<TokenTimes> {
    const times = readTokenTimes(token.claims);
    // With several audiences, upstream checks the validity period and the signature before the audience, so the audience is checked later.
    if (audiences.length === 1) checkAudience(audiences, times);
    checkTimes(times, host.clock.now());
    const { alg, kid } = token.header;
    const algorithm = typeof alg === 'string' ? alg : '';
    if (!algorithms.includes(algorithm))
      throw new Error(
        `oidc: id token signed with unsupported algorithm, expected ${printTexts(algorithms)} got ${quote(algorithm)}`,
      );
    await keys.verify(token, typeof kid === 'string' ? kid : '', algorithm).catch((error: unknown) => {
      throw new Error(`failed to verify signature: ${messageOf(error)}`);
    });
    checkAudience(audiences, times);
    return times;
  }

  async function authenticate(token: string): Promise<AuthenticationResult> {
    const read = readToken(token);
    if (!read || canonicalIssuer(read.claims['iss']) !== url) return skipped;
    if ((await keys.discover()) !== undefined) return rejected('oidc: authenticator not initialized');
    try {
      const times = await verify(read).catch((error: unknown) => {
        throw new Error(`oidc: verify token: ${messageOf(error)}`);
      });
      const user = userOf(read.claims);
      const { expiry } = times;
      return {
        outcome: 'authenticated',
        user,
        authenticator: NAME,
        ...(expiry === undefined ? {} : { until: expiry }),
      };
    } catch (error) {
      return rejected(error);
    }
  }
  return {
    ...tokenAuthenticator(NAME, forOwnAudiences(measuredTokens(host, url, authenticate))),
    issuer: url,
    initialize: () => keys.discover(),
  };
}

const latency = histogram(
  'apiserver_authentication_jwt_authenticator_latency_seconds',
  'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
  ['result', 'jwt_issuer_hash'],
  [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

/** Measures how long the issuer's tokens take to authenticate. Tokens of other issuers are not measured. */
function measuredTokens(
  { metrics, clock }: Pick<Host, 'metrics' | 'clock'>,
  issuer: string,
  authenticate: (token: string) => Promise<AuthenticationResult>,
): (token: string) => Promise<AuthenticationResult> {
  if (!isCounted(metrics)) return authenticate;
  let hash: Promise<string> | undefined;
  return async (token) => {
    const since = reading(clock);
    const result = await authenticate(token);
    if (result.outcome === 'skipped') return result;
    const seconds = (reading(clock) - since) / 1000;
    hash ??= hashOf(issuer);
    const labels = [result.outcome === 'authenticated' ? 'success' : 'failure', await hash];
    metrics.observe(latency, labels, seconds);
    return result;
  };
}

async function hashOf(text: string): Promise<string> {
  const bytes = await sha256(new TextEncoder().encode(text));
  return `sha256:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
