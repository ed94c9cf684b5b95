import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '../../meta/clock.js';
import type { MetricFamily, Metrics } from '../../metrics/metrics.js';

/** What a file configures. */
export type Configured = 'authentication' | 'authorization';

function familiesOf(configured: Configured) {
  const prefix = `apiserver_${configured}_config_controller_automatic_reload`;
  const shared = { labels: ['status', 'apiserver_id_hash'], stability: 'ALPHA' } as const;
  const split = `of ${configured} configuration split by status and apiserver identity.`;
  return {
    reloads: {
      ...shared,
      name: `${prefix}s_total`,
      help: `Total number of automatic reloads ${split}`,
      type: 'counter',
    },
    last: {
      ...shared,
      name: `${prefix}_last_timestamp_seconds`,
      help: `Timestamp of the last automatic reload ${split}`,
      type: 'gauge',
    },
  } satisfies Readonly<Record<string, MetricFamily>>;
}

/** Counts how often a file was taken over, or was not. @returns what is told of each time. */
export function countReloads(metrics: Metrics, configured: Configured): (isTaken: boolean) => void {
  const { reloads, last } = familiesOf(configured);
  const identity = `sha256:${createHash('sha256').update(`apiserver-${hostname()}`).digest('hex')}`;
  return (isTaken) => {
    const labels = [isTaken ? 'success' : 'failure', identity];
    metrics.add(reloads, labels);
    metrics.set(last, labels, systemClock.now() / 1000);
  };
}
