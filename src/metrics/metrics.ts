/** The stability of a family: a stable one keeps its name, type and labels; an alpha one may change in any way. */
export type MetricStability = 'STABLE' | 'BETA' | 'ALPHA' | 'INTERNAL';

/** A family of series. It is declared once, next to the code that records it, and compared by identity. */
export interface MetricFamily {
  /** The full name as upstream has it; the dialect translates it for the exposition. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
  /** The upper bounds of a histogram, ascending, without infinity. */
  readonly buckets?: readonly number[];
  /** The stability; absent for families that every process has. */
  readonly stability?: MetricStability;
  /** The minor release that deprecated the family, such as `1.30`; it is hidden by default. */
  readonly deprecatedIn?: string;
}

/** Values of a family's labels, in the family's order. */
export type LabelValues = readonly string[];

/** One series of a family, for callers that update it often. The series is created by its first update. */
export interface MetricSeries {
  /** Works like {@link Metrics.add} and {@link Metrics.observe}. */
  add(amount?: number): void;
  observe(value: number): void;
}

/** A journal of updates, which are applied together later. */
export interface MetricEntries {
  /** Adds an entry with a number. */
  add(value: number): void;
}

/** The content of a histogram. */
export interface Distribution {
  readonly count: number;
  readonly sum: number;
  /** The number of values in each bucket by itself, not cumulative; values above all bounds are in no bucket. */
  readonly buckets: readonly number[];
}

/** Series that are read on demand: numbers of gauges and counters, distributions of histograms. */
export type ReadSeries = Iterable<readonly [LabelValues, number | Distribution]>;

/** Records metrics. No call throws or waits. */
export interface Metrics {
  /** Increments a counter, or changes a gauge. `amount` defaults to 1; 0 only creates the series, of any type. */
  add(family: MetricFamily, labels: LabelValues, amount?: number): void;
  /** Sets a gauge. */
  set(family: MetricFamily, labels: LabelValues, value: number): void;
  /** Records one value of a histogram or summary; durations are in seconds. */
  observe(family: MetricFamily, labels: LabelValues, value: number): void;
  /** Returns the series of label values, so that it is looked up only once. */
  series(family: MetricFamily, labels: LabelValues): MetricSeries;
  /**
   * Returns a journal whose entries each update several series.
   * @param count called for each entry, before metrics are read and before {@link MAX_NOTES} entries wait
   */
  entries(count: (value: number) => void): MetricEntries;
  /** Adds a family that is read only when metrics are requested. */
  collect(family: MetricFamily, read: () => ReadSeries): void;
  /** Declares families before their first update. Those without labels are then shown with the value 0. */
  declare(...families: readonly MetricFamily[]): void;
}

/** The series of a family that is not recorded. */
export const noSeries: MetricSeries = { add: nothing, observe: nothing };

/** The most entries that wait in all journals together. */
export const MAX_NOTES = 256;

const noEntries: MetricEntries = { add: nothing };

/** The metrics of servers that record none. */
export const noMetrics: Metrics = {
  add: nothing,
  set: nothing,
  observe: nothing,
  series: () => noSeries,
  entries: () => noEntries,
  collect: nothing,
  declare: nothing,
};

/** Returns whether metrics are recorded, so that callers can skip measurements that are not. */
export const isCounted = (metrics: Metrics): boolean => metrics !== noMetrics;

function nothing(): void {}

/** Returns a function that caches the series of a family with one label; the label must have few values. */
export function seriesByLabel(metrics: Metrics, family: MetricFamily): (value: string) => MetricSeries {
  const known = new Map<string, MetricSeries>();
  return (value) => {
    let series = known.get(value);
    if (series === undefined) known.set(value, (series = metrics.series(family, [value])));
    return series;
  };
}
