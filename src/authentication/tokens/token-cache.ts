import type { Host } from '../../meta/host.js';
import { isCounted } from '../../metrics/metrics.js';
import type { AuthenticationResult } from '../authenticator.js';
import { longestToken, type TokenAuthenticator, tokenAuthenticator } from './bearer-token.js';
import { CacheMeter } from './cache-metrics.js';
import { KnownTokens } from './known-tokens.js';

export interface TokenCacheOptions {
  /** How long a known token stays known, in milliseconds; default 10 seconds. */
  readonly milliseconds?: number;
  /** Tokens kept at most; the oldest go first. Default 10,000. */
  readonly size?: number;
}

/**
 * Characters at a token's end, where its signature is, that find it among those known. To hash all of it would cost more
 * than all else here, and texts longer than this are slower to hash than their length says.
 */
const TAIL = 12;

interface LookUp {
  /** Of the known tokens, when it began. */
  readonly changes: number;
  readonly answer: Promise<AuthenticationResult>;
}

/**
 * Remembers the tokens that were good, so that a token is not verified for each request. Bad ones are not remembered.
 * Look-ups of one token at the same time are one look-up (spec 11.10). A token whose basis changes in this server
 * (its account, its pod, its secret) is forgotten at once; what only others know of it is found out when its time is over.
 */
export function cachedTokens(
  inner: TokenAuthenticator,
  host: Pick<Host, 'clock' | 'lister' | 'metrics'>,
  options: TokenCacheOptions = {},
): TokenAuthenticator {
  const { milliseconds: lifetime = 10_000, size = 10_000 } = options;
  const known = new KnownTokens(host, { lifetime, size });
  const asked = new Map<string, LookUp>();
  const meter = isCounted(host.metrics) ? new CacheMeter(host) : undefined;

  /** The one look-up of a token that is under way, unless something changed since it began; or a new one. */
  function askOnce(
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const question = JSON.stringify([token, audiences]);
    const underWay = asked.get(question);
    if (underWay?.changes === known.changes) return meter ? meter.missed(true, underWay.answer) : underWay.answer;
    const { changes } = known;
    const remembered = (result: AuthenticationResult) => {
      if (result.outcome === 'authenticated') known.remember(key, token, result, changes);
      return result;
    };
    const first = inner.authenticateToken(token, audiences);
    if (!(first instanceof Promise)) {
      meter?.found(first);
      return remembered(first);
    }
    const answer = first.then(remembered).finally(() => {
      if (asked.get(question)?.answer === answer) asked.delete(question);
    });
    asked.set(question, { changes, answer });
    return meter ? meter.missed(false, answer) : answer;
  }

  return tokenAuthenticator(inner.name, (token, audiences) => {
    if (token.length > longestToken) return inner.authenticateToken(token, audiences);
    const tail = token.slice(-TAIL);
    const key = audiences ? tail + JSON.stringify(audiences) : tail;
    const before = known.get(key, token);
    if (before) meter?.hit();
    return before ?? askOnce(key, token, audiences);
  });
}
