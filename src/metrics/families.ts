import type { MetricFamily } from './metrics.js';

/** Optional properties of a family. By default, it is ALPHA and not deprecated. */
type Rest = Pick<MetricFamily, 'stability' | 'deprecatedIn'>;

/** Declares a family of counters. */
export const counter = (name: string, help: string, labels: readonly string[] = [], rest: Rest = {}): MetricFamily => ({
  name,
  help,
  type: 'counter',
  labels,
  stability: 'ALPHA',
  ...rest,
});

/** Declares a family of gauges. */
export const gauge = (name: string, help: string, labels: readonly string[] = [], rest: Rest = {}): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  labels,
  stability: 'ALPHA',
  ...rest,
});

/**
 * Declares a family of histograms.
 * @param buckets upper bounds, ascending, without infinity
 */
export const histogram = (
  name: string,
  help: string,
  labels: readonly string[],
  buckets: readonly number[],
  rest: Rest = {},
): MetricFamily => ({ name, help, type: 'histogram', labels, buckets, stability: 'ALPHA', ...rest });

/** Upper bounds of histogram buckets in seconds, from 5 milliseconds to 10 seconds. They are upstream's default. */
export const USUAL_SECONDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/**
 * Upper bounds of 15 histogram buckets in seconds. The first bound is one millisecond, and each further bound is twice the previous one.
 */
export const DOUBLING_SECONDS: readonly number[] = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
