import type { MetricSeries, Metrics } from '../metrics/metrics.js';
import * as families from './families.js';

/** The metrics of one flow schema at one priority level. */
export interface FlowMeter {
  readonly queueLength: MetricSeries;
  readonly estimatedSeats: MetricSeries;
  readonly watchCount: MetricSeries;
  /** The wait of requests that were served after it; the next member has that of the others. */
  readonly waitToExecute: MetricSeries;
  readonly waitUntilRefused: MetricSeries;
  readonly regularExecution: MetricSeries;
  readonly watchExecution: MetricSeries;
}

/** @param labels values of `priority_level` and `flow_schema` */
export function flowMeter(metrics: Metrics, labels: readonly [level: string, schema: string]): FlowMeter {
  return {
    queueLength: metrics.series(families.queueLength, labels),
    estimatedSeats: metrics.series(families.estimatedSeats, labels),
    watchCount: metrics.series(families.watchCount, labels),
    waitToExecute: metrics.series(families.waitDuration, [...labels, 'true']),
    waitUntilRefused: metrics.series(families.waitDuration, [...labels, 'false']),
    regularExecution: metrics.series(families.executionDuration, [...labels, 'regular']),
    watchExecution: metrics.series(families.executionDuration, [...labels, 'watch']),
  };
}
