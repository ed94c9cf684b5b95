import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { counter, gauge, histogram, USUAL_SECONDS } from '../../metrics/families.js';
import type { AuthenticationResult } from '../authenticator.js';

const STATUS = ['status'];
// Upstream says nothing of them.
const requests = counter('authentication_token_cache_request_total', '', STATUS);
const duration = histogram('authentication_token_cache_request_duration_seconds', '', STATUS, USUAL_SECONDS);
const fetches = counter('authentication_token_cache_fetch_total', '', STATUS);
const active = gauge('authentication_token_cache_active_fetch_count', '', STATUS);

/** Counts what is known of tokens and what has to be found out. */
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

  /** What was found out at once. */
  found({ outcome }: AuthenticationResult): void {
    const { metrics } = this.#host;
    metrics.add(fetches, [outcome === 'rejected' ? 'error' : 'ok']);
    metrics.add(requests, ['miss']);
    metrics.observe(duration, ['miss'], 0);
  }

  /** @param isJoined whether somebody asks already. */
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
