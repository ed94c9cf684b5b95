import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { counter, gauge, histogram, USUAL_SECONDS } from '../../metrics/families.js';
import type { AuthenticationResult } from '../authenticator.js';

const STATUS = ['status'];
// The help texts are empty because upstream's are.
const requests = counter('authentication_token_cache_request_total', '', STATUS);
const duration = histogram('authentication_token_cache_request_duration_seconds', '', STATUS, USUAL_SECONDS);
const fetches = counter('authentication_token_cache_fetch_total', '', STATUS);
const active = gauge('authentication_token_cache_active_fetch_count', '', STATUS);

/** Measures cache hits and look-ups of tokens. */
export class CacheMeter {
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
