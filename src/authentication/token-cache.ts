import type { Clock } from '../meta/clock.js';
import type { AuthenticationResult } from './authenticator.js';
import { type TokenAuthenticator, tokenAuthenticator } from './bearer-token.js';

export interface TokenCacheOptions {
  /** How long a known token stays known, in milliseconds; default 10 seconds. */
  readonly milliseconds?: number;
  /** Tokens kept at most; the oldest go first. Default 10,000. */
  readonly size?: number;
}

interface Entry {
  readonly until: number;
  readonly result: AuthenticationResult;
}

/**
 * Remembers the tokens that were good, so that a token is not verified for each request. Bad ones are not remembered.
 * Look-ups of one token at the same time are one look-up (gap file auth, 5.2.5). A token that is taken back stays good for
 * that long.
 */
export function cachedTokens(
  inner: TokenAuthenticator,
  clock: Clock,
  options: TokenCacheOptions = {},
): TokenAuthenticator {
  const { milliseconds = 10_000, size = 10_000 } = options;
  const known = new Map<string, Entry>();
  const asked = new Map<string, Promise<AuthenticationResult>>();

  async function ask(
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): Promise<AuthenticationResult> {
    try {
      const result = await inner.authenticateToken(token, audiences);
      if (result.outcome === 'authenticated') {
        known.delete(key);
        known.set(key, { until: clock.now() + milliseconds, result });
        for (const oldest of known.keys()) {
          if (known.size <= size) break;
          known.delete(oldest);
        }
      }
      return result;
    } finally {
      asked.delete(key);
    }
  }

  return tokenAuthenticator(inner.name, (token, audiences) => {
    // No token can look like another one with audiences.
    const key = audiences ? `a${JSON.stringify([token, ...audiences])}` : `t${token}`;
    const entry = known.get(key);
    if (entry && clock.now() < entry.until) return entry.result;
    if (entry) known.delete(key);
    let answer = asked.get(key);
    if (!answer) asked.set(key, (answer = ask(key, token, audiences)));
    return answer;
  });
}
