import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '../../meta/clock.js';
import { counter, gauge } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';

/** The subject of a configuration file. */
export type Configured = 'authentication' | 'authorization';

function familiesOf(configured: Configured) {
  const prefix = `apiserver_${configured}_config_controller_automatic_reload`;
  const labels = ['status', 'apiserver_id_hash'];
  const split = `of ${configured} configuration split by status and apiserver identity.`;
  return {
    reloads: counter(`${prefix}s_total`, `Total number of automatic reloads ${split}`, labels),
    last: gauge(`${prefix}_last_timestamp_seconds`, `Timestamp of the last automatic reload ${split}`, labels),
  };
}

/** Counts successful and failed reloads of a configuration file. @returns a function to call after each attempt. */
export function countReloads(metrics: Metrics, configured: Configured): (isTaken: boolean) => void {
  const { reloads, last } = familiesOf(configured);
  const identity = `sha256:${createHash('sha256').update(`apiserver-${hostname()}`).digest('hex')}`;
  return (isTaken) => {
    const labels = [isTaken ? 'success' : 'failure', identity];
    metrics.add(reloads, labels);
    metrics.set(last, labels, systemClock.now() / 1000);
  };
}
