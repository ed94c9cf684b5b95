import type { MetricFamily, MetricSeries, Metrics } from './metrics.js';

/** Returns a function that caches the series of a family with one label; the label must have few values. */
export function seriesByLabel(metrics: Metrics, family: MetricFamily): (value: string) => MetricSeries {
  const known = new Map<string, MetricSeries>();
  return (value) => {
    let series = known.get(value);
    if (series === undefined) known.set(value, (series = metrics.series(family, [value])));
    return series;
  };
}
