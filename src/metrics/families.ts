import type { MetricFamily } from './metrics.js';

/** What of a family is not as with most: those are ALPHA, and not deprecated. */
type Rest = Pick<MetricFamily, 'stability' | 'deprecatedIn'>;

/** A family of counters. */
export const counter = (name: string, help: string, labels: readonly string[] = [], rest: Rest = {}): MetricFamily => ({
  name,
  help,
  type: 'counter',
  labels,
  stability: 'ALPHA',
  ...rest,
});

/** A family of gauges. */
export const gauge = (name: string, help: string, labels: readonly string[] = [], rest: Rest = {}): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  labels,
  stability: 'ALPHA',
  ...rest,
});

/** A family of histograms. @param buckets upper bounds, ascending, without infinity */
export const histogram = (
  name: string,
  help: string,
  labels: readonly string[],
  buckets: readonly number[],
  rest: Rest = {},
): MetricFamily => ({ name, help, type: 'histogram', labels, buckets, stability: 'ALPHA', ...rest });

/** Seconds, from 5 milliseconds to 10 seconds: the bounds of those who name none. */
export const USUAL_SECONDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds: 15 bounds, doubling from a millisecond. */
export const DOUBLING_SECONDS: readonly number[] = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
