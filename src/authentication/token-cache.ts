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
  readonly token: string;
  readonly until: number;
  readonly result: AuthenticationResult;
}

/**
 * Characters at a token's end, where its signature is, that find it among those known. To hash all of it would cost more
 * than all else here, and texts longer than this are slower to hash than their length says.
 */
const TAIL = 12;

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

  function remember(key: string, entry: Entry): void {
    known.delete(key);
    known.set(key, entry);
    for (const oldest of known.keys()) {
      if (known.size <= size) break;
      known.delete(oldest);
    }
  }

  async function ask(
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): Promise<AuthenticationResult> {
    const result = await inner.authenticateToken(token, audiences);
    if (result.outcome === 'authenticated') remember(key, { token, until: clock.now() + milliseconds, result });
    return result;
  }

  /** The one look-up of a token that is under way, or a new one. */
  function askOnce(
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): Promise<AuthenticationResult> {
    const question = JSON.stringify([token, audiences]);
    let answer = asked.get(question);
    if (!answer) asked.set(question, (answer = ask(key, token, audiences).finally(() => asked.delete(question))));
    return answer;
  }

  return tokenAuthenticator(inner.name, (token, audiences) => {
    const tail = token.slice(-TAIL);
    const key = audiences ? tail + JSON.stringify(audiences) : tail;
    const entry = known.get(key);
    // Tokens of one tail displace each other and are never taken for each other.
    if (entry?.token === token && clock.now() < entry.until) return entry.result;
    return askOnce(key, token, audiences);
  });
}
