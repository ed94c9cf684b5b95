import type { Metrics } from '../metrics/metrics.js';
import type { HealthObserver } from '../requests/documents/health.js';

const check = {
  name: 'kubernetes_healthcheck',
  help: 'This metric records the result of a single healthcheck.',
  type: 'gauge',
  labels: ['name', 'type'],
  stability: 'STABLE',
} as const;
const checks = {
  name: 'kubernetes_healthchecks_total',
  help: 'This metric records the results of all healthcheck.',
  type: 'counter',
  labels: ['name', 'type', 'status'],
  stability: 'STABLE',
} as const;

/** Makes an observer that records the results of health checks. */
export function healthObserver(metrics: Metrics): HealthObserver {
  return (endpoint, name, well) => {
    metrics.set(check, [name, endpoint], well ? 1 : 0);
    metrics.add(checks, [name, endpoint, well ? 'success' : 'error']);
  };
}
