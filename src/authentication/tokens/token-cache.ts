import { isYoung, reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { counter, gauge, histogram, USUAL_SECONDS } from '../../metrics/families.js';
import { isCounted } from '../../metrics/metrics.js';
import type { AuthenticationResult, Basis } from '../authenticator.js';
import { longestToken, type TokenAuthenticator, tokenAuthenticator } from './bearer-token.js';

/** How long a token is cached, in milliseconds. */
const LIFETIME = 10_000;
/** The maximum number of tokens in the cache; the oldest are dropped first. */
const SIZE = 10_000;

/**
 * The number of characters from a token's end, where its signature is, that the cache key contains. Hashing the whole token would take
 * longer than the rest of the look-up, and for longer keys the cost of hashing grows faster than their length.
 */
const TAIL = 12;

interface LookUp {
  /** The value of {@link KnownTokens.changes} when the look-up began. */
  readonly changes: number;
  readonly answer: Promise<AuthenticationResult>;
}

/**
 * Caches accepted tokens, so that a token is not verified for each request; rejected tokens are not cached. Concurrent look-ups of the same
 * token share one verification (spec 11.10). When an object of this server that a token depends on changes (its account, its pod, its
 * secret), the token is dropped at once. Changes that only other servers know of take effect when the entry expires.
 */
export function cachedTokens(
  inner: TokenAuthenticator,
  host: Pick<Host, 'clock' | 'lister' | 'metrics'>,
): TokenAuthenticator {
  const known = new KnownTokens(host);
  const lookUps = new Map<string, LookUp>();
  const meter = isCounted(host.metrics) ? new CacheMeter(host) : undefined;

  /**
   * Returns the look-up of this token that is already running, or starts one. A look-up that began before the last change of an object
   * that cached tokens depend on is not joined, because its result may be stale.
   */
  function lookUpOnce(
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const lookUpKey = JSON.stringify([token, audiences]);
    const running = lookUps.get(lookUpKey);
    if (running?.changes === known.changes) return meter ? meter.missed(true, running.answer) : running.answer;
    const { changes } = known;
    const since = reading(host.clock);
    const found = inner.authenticateToken(token, audiences);
    if (!(found instanceof Promise)) {
      meter?.found(found, since);
      known.remember(key, token, found, changes);
      return found;
    }
    const remembered = found.then((result) => {
      known.remember(key, token, result, changes);
      return result;
    });
    const answer = remembered.finally(() => {
      if (lookUps.get(lookUpKey)?.answer === answer) lookUps.delete(lookUpKey);
    });
    lookUps.set(lookUpKey, { changes, answer });
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
// Upstream has no help for these metrics, so theirs is empty here, too.
const requests = counter('authentication_token_cache_request_total', '', STATUS);
const duration = histogram('authentication_token_cache_request_duration_seconds', '', STATUS, USUAL_SECONDS);
const fetches = counter('authentication_token_cache_fetch_total', '', STATUS);
const active = gauge('authentication_token_cache_active_fetch_count', '', STATUS);

/** Counts cache hits, and counts and measures the look-ups of tokens that are not in the cache. */
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

  /** Measures a look-up that finished synchronously. @param since the clock reading at which it began */
  found({ outcome }: AuthenticationResult, since: number): void {
    const { metrics, clock } = this.#host;
    metrics.add(fetches, [outcome === 'rejected' ? 'error' : 'ok']);
    metrics.add(requests, ['miss']);
    metrics.observe(duration, ['miss'], (reading(clock) - since) / 1000);
  }

  /** Measures a look-up that waits. @param isJoined whether the caller waits for a look-up that another request has started. */
  async missed(isJoined: boolean, answer: Promise<AuthenticationResult>): Promise<AuthenticationResult> {
    const { metrics, clock } = this.#host;
    const since = reading(clock);
    // As in upstream, the request that makes the look-up also counts as blocked by it.
    const states = isJoined ? [['blocked']] : [['blocked'], ['in_flight']];
    for (const state of states) metrics.add(active, state, 1);
    try {
      const result = await answer;
      if (!isJoined) metrics.add(fetches, [result.outcome === 'rejected' ? 'error' : 'ok']);
      return result;
    } finally {
      for (const state of states) metrics.add(active, state, -1);
      metrics.add(requests, ['miss']);
      metrics.observe(duration, ['miss'], (reading(clock) - since) / 1000);
    }
  }
}

type Known = AuthenticationResult & { readonly outcome: 'authenticated' };

interface Entry {
  readonly key: string;
  readonly token: string;
  /** The clock reading at which the token was accepted. */
  readonly since: number;
  readonly result: Known;
}

/**
 * The maximum total length of a token and its cache key in characters. Longer tokens are not cached, so that the cache's memory is bounded.
 */
const LONGEST = 16 * 1024;

const placeOf = ({ group, resource, namespace, name }: Basis) => `${group}/${resource}/${namespace}/${name}`;

/**
 * A cache of accepted tokens with their results. An entry is dropped when it expires, when the cache is full, or when an object of this
 * server that the result depends on changes. After such a change, the next request already finds no entry. The cost of a change is
 * proportional to the number of entries that it drops.
 */
class KnownTokens {
  readonly #host: Pick<Host, 'clock' | 'lister'>;
  readonly #entries = new Map<string, Entry>();
  /** The entries that depend on an object, by the object's key. */
  readonly #dependents = new Map<string, Set<Entry>>();
  readonly #followed = new Set<string>();
  /** A counter of the changes that may have made a result stale. A look-up that began at a lower count may be stale. */
  changes = 0;

  constructor(host: Pick<Host, 'clock' | 'lister'>) {
    this.#host = host;
  }

  /**
   * Returns the cached result. @param key the token's end and the requested audiences. Tokens with equal keys displace each other, so the
   * whole token is compared, too.
   */
  get(key: string, token: string): Known | undefined {
    const entry = this.#entries.get(key);
    if (entry?.token !== token) return undefined;
    const { clock } = this.#host;
    const { until } = entry.result;
    const holds = isYoung(clock, entry.since, LIFETIME) && (until === undefined || clock.now() <= until);
    return holds ? entry.result : undefined;
  }

  /** Caches the result for an accepted token. @param changes the value of {@link changes} before the token was looked up. */
  remember(key: string, token: string, result: AuthenticationResult, changes: number): void {
    if (result.outcome !== 'authenticated') return;
    const { basis = [] } = result;
    // An object of a kind that was not watched before this call may have changed during the look-up, so the result is not cached.
    let watched = true;
    for (const reference of basis) watched = this.#follow(reference) && watched;
    if (!watched || changes !== this.changes || key.length + token.length > LONGEST) return;
    const displaced = this.#entries.get(key);
    if (displaced) this.#forget(displaced);
    const entry = { key, token, since: reading(this.#host.clock), result };
    this.#entries.set(key, entry);
    for (const reference of basis) {
      const place = placeOf(reference);
      const entries = this.#dependents.get(place);
      if (entries) entries.add(entry);
      else this.#dependents.set(place, new Set([entry]));
    }
    for (const oldest of this.#entries.values()) {
      if (this.#entries.size <= SIZE) break;
      this.#forget(oldest);
    }
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.key);
    for (const reference of entry.result.basis ?? []) {
      const place = placeOf(reference);
      const entries = this.#dependents.get(place);
      entries?.delete(entry);
      if (entries?.size === 0) this.#dependents.delete(place);
    }
  }

  /** Returns whether changes of a kind were already watched. If they were not, starts to watch them. */
  #follow({ group, resource }: Basis): boolean {
    const groupResource = `${group}/${resource}`;
    if (this.#followed.has(groupResource)) return true;
    this.#followed.add(groupResource);
    this.#host.lister(group, resource).onChange((next, previous) => {
      if (previous) this.#changed(groupResource, next, previous);
    });
    return false;
  }

  #changed(groupResource: string, next: ApiObject | undefined, previous: ApiObject): void {
    this.changes++;
    const { namespace = '', name = '' } = previous.metadata;
    const place = `${groupResource}/${namespace}/${name}`;
    const replaced = isReplaced(next, previous);
    for (const entry of this.#dependents.get(place) ?? []) {
      const depends = (each: Basis) => (replaced || each.part !== 'existence') && placeOf(each) === place;
      if (entry.result.basis?.some(depends)) this.#forget(entry);
    }
  }
}

/** Returns whether an object was deleted, marked for deletion, or replaced by another of the same name. */
function isReplaced(next: ApiObject | undefined, { metadata }: ApiObject): boolean {
  return next?.metadata.uid !== metadata.uid || next?.metadata.deletionTimestamp !== metadata.deletionTimestamp;
}
