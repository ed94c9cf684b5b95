import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { counter, gauge, histogram, USUAL_SECONDS } from '../../metrics/families.js';
import { isCounted } from '../../metrics/metrics.js';
import type { AuthenticationResult } from '../authenticator.js';
import { longestToken, type TokenAuthenticator, tokenAuthenticator } from './bearer-token.js';
import { KnownTokens } from './known-tokens.js';

export interface TokenCacheOptions {
  /** How long a token is cached, in milliseconds; default 10 seconds. */
  readonly milliseconds?: number;
  /** The most tokens in the cache; the oldest are dropped first. Default 10,000. */
  readonly size?: number;
}

/**
 * How many characters at a token's end, where its signature is, form the cache key. Hashing the whole token would cost more than the rest
 * of the look-up, and the cost of hashing grows faster than the length beyond this size.
 */
const TAIL = 12;

interface LookUp {
  /** The value of `changes` of the known tokens when the look-up began. */
  readonly changes: number;
  readonly answer: Promise<AuthenticationResult>;
}

/**
 * Caches accepted tokens, so that a token is not verified for each request; rejected ones are not cached. Concurrent look-ups of one token
 * are one look-up (spec 11.10). When an object of this server that a token depends on changes (its account, its pod, its secret), the token
 * is dropped at once; changes that only other servers know of take effect when the entry's time is over.
 */
export function cachedTokens(
  inner: TokenAuthenticator,
  host: Pick<Host, 'clock' | 'lister' | 'metrics'>,
  options: TokenCacheOptions = {},
): TokenAuthenticator {
  const { milliseconds: lifetime = 10_000, size = 10_000 } = options;
  const known = new KnownTokens(host, { lifetime, size });
  const lookUps = new Map<string, LookUp>();
  const meter = isCounted(host.metrics) ? new CacheMeter(host) : undefined;

  /** Returns the look-up of this token that is already under way, or starts one. A look-up that began before a change is not joined. */
  function lookUpOnce(
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const question = JSON.stringify([token, audiences]);
    const underWay = lookUps.get(question);
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
      if (lookUps.get(question)?.answer === answer) lookUps.delete(question);
    });
    lookUps.set(question, { changes, answer });
    return meter ? meter.missed(false, answer) : answer;
  }

  return tokenAuthenticator(inner.name, (token, audiences) => {
    if (token.length > longestToken) return inner.authenticateToken(token, audiences);
    const tail = token.slice(-TAIL);
    const key = audiences ? tail + JSON.stringify(audiences) : tail;
    const before = known.get(key, token);
    if (before) meter?.hit();
    return before ?? lookUpOnce(key, token, audiences);
  });
}

const STATUS = ['status'];
// The help texts are empty because upstream's are.
const requests = counter('authentication_token_cache_request_total', '', STATUS);
const duration = histogram('authentication_token_cache_request_duration_seconds', '', STATUS, USUAL_SECONDS);
const fetches = counter('authentication_token_cache_fetch_total', '', STATUS);
const active = gauge('authentication_token_cache_active_fetch_count', '', STATUS);

/** Measures cache hits and look-ups of tokens. */
class CacheMeter {
  readonly #host: Pick<Host, 'clock' | 'metrics'>;

  constructor(host: Pick<Host, 'clock' | 'metrics'>) {
    this.#host = host;
  }

  hit(): void {
    const { metrics } = this.#host;
    metrics.add(requests, ['hit']);
    metrics.observe(duration, ['hit'], 0);
  }

  /** Counts a look-up that finished synchronously. */
  found({ outcome }: AuthenticationResult): void {
    const { metrics } = this.#host;
    metrics.add(fetches, [outcome === 'rejected' ? 'error' : 'ok']);
    metrics.add(requests, ['miss']);
    metrics.observe(duration, ['miss'], 0);
  }

  /** Measures a look-up. @param isJoined whether it joins one that is already under way. */
  async missed(isJoined: boolean, answer: Promise<AuthenticationResult>): Promise<AuthenticationResult> {
    const { metrics, clock } = this.#host;
    const since = reading(clock);
    const state = [isJoined ? 'blocked' : 'in_flight'];
    metrics.add(active, state, 1);
    try {
      const result = await answer;
      if (!isJoined) metrics.add(fetches, [result.outcome === 'rejected' ? 'error' : 'ok']);
      return result;
    } finally {
      metrics.add(active, state, -1);
      metrics.add(requests, ['miss']);
      metrics.observe(duration, ['miss'], (reading(clock) - since) / 1000);
    }
  }
}
