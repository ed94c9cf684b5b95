import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import type { MetricFamily } from '../../metrics/metrics.js';
import type { AuthenticationResult } from '../authenticator.js';

const shared = { help: '', labels: ['status'], stability: 'ALPHA' } as const;
const named = (name: string) => `authentication_token_cache_${name}` as const;

const requests: MetricFamily = { ...shared, name: named('request_total'), type: 'counter' };
const duration: MetricFamily = {
  ...shared,
  name: named('request_duration_seconds'),
  type: 'histogram',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
};
const fetches: MetricFamily = { ...shared, name: named('fetch_total'), type: 'counter' };
const active: MetricFamily = { ...shared, name: named('active_fetch_count'), type: 'gauge' };

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
