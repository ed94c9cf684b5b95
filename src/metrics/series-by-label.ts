import type { MetricFamily, MetricSeries, Metrics } from './metrics.js';

/** The series of a family with one label, by its value: there must be a few of them only. */
export function seriesByLabel(metrics: Metrics, family: MetricFamily): (value: string) => MetricSeries {
  const known = new Map<string, MetricSeries>();
  return (value) => {
    let series = known.get(value);
    if (series === undefined) known.set(value, (series = metrics.series(family, [value])));
    return series;
  };
}
