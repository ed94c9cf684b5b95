/** The stability level of a family: a stable family keeps its name, type and labels; an alpha family may change in any way. */
export type MetricStability = 'STABLE' | 'BETA' | 'ALPHA' | 'INTERNAL';

/** A family of series. It is declared once, next to the code that records it, and compared by identity. */
export interface MetricFamily {
  /** The full name that upstream gives the family. The API dialect translates it for the exposition. */
  readonly name: string;
  /** The description of the family in the output of `/metrics`. */
  readonly help: string;
  /** The type of the family. */
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** The names of the labels, in order. */
  readonly labels: readonly string[];
  /** The upper bounds of a histogram, ascending, without infinity. */
  readonly buckets?: readonly number[];
  /** The stability level; absent for families that every process has, such as `process_cpu_seconds_total`. */
  readonly stability?: MetricStability;
  /** The minor release (such as `1.30`) that deprecated the family. By default, later releases hide the family. */
  readonly deprecatedIn?: string;
}

/** Values of a family's labels, in the family's order. */
export type LabelValues = readonly string[];

/** One series of a family, for callers that update it often. The series is created by its first update. */
export interface MetricSeries {
  /** Both methods work like those of {@link Metrics} with the same names. */
  add(amount?: number): void;
  /** @param times the number of observations of the value. Default 1. */
  observe(value: number, times?: number): void;
}

/** A buffer of metric updates that are applied together later. */
export interface MetricEntries {
  /** Appends an update to the buffer. `value` is passed to the callback of {@link Metrics.entries} when the update is applied. */
  add(value: number): void;
}

/** The content of a histogram. */
export interface Distribution {
  /** The number of observed values. */
  readonly count: number;
  /** The sum of the observed values. */
  readonly sum: number;
  /** The number of values in each bucket, not cumulative. Values above all bounds are in no bucket. */
  readonly buckets: readonly number[];
}

/** Series that are read on demand: numbers of gauges and counters, distributions of histograms. */
export type ReadSeries = Iterable<readonly [LabelValues, number | Distribution]>;

/** Records metrics. No call throws or waits. */
export interface Metrics {
  /** Adds `amount` (default 1) to a counter or gauge. An amount of 0 only creates the series, which is allowed for families of any type. */
  add(family: MetricFamily, labels: LabelValues, amount?: number): void;
  /** Sets a gauge. */
  set(family: MetricFamily, labels: LabelValues, value: number): void;
  /** Records one value of a histogram or summary; durations are in seconds. */
  observe(family: MetricFamily, labels: LabelValues, value: number): void;
  /** Returns the series with these label values, so that callers look it up only once. */
  series(family: MetricFamily, labels: LabelValues): MetricSeries;
  /**
   * Returns a journal for entries that each update several series.
   * @param count applies one entry. It is called later: before metrics are read, or when {@link MAX_NOTES} entries are buffered.
   */
  entries(count: (value: number) => void): MetricEntries;
  /** Adds a family whose series are computed only when metrics are read. */
  collect(family: MetricFamily, read: () => ReadSeries): void;
  /** Declares families before their first update. Families without labels are then exposed with the value 0. */
  declare(...families: readonly MetricFamily[]): void;
}

/** The series of a family that is not recorded. */
export const noSeries: MetricSeries = { add: nothing, observe: nothing };

/** The maximum number of entries that all journals of a recorder buffer together. */
export const MAX_NOTES = 256;

const noEntries: MetricEntries = { add: nothing };

/** The implementation for servers that record no metrics. */
export const noMetrics: Metrics = {
  add: nothing,
  set: nothing,
  observe: nothing,
  series: () => noSeries,
  entries: () => noEntries,
  collect: nothing,
  declare: nothing,
};

/** Returns whether metrics are recorded. If not, callers skip their measurements. */
export const isCounted = (metrics: Metrics): boolean => metrics !== noMetrics;

function nothing(): void {}

/**
 * Returns a function that returns the series for a value of the family's only label. The label must have few values, because the function
 * caches all series.
 */
export function seriesByLabel(metrics: Metrics, family: MetricFamily): (value: string) => MetricSeries {
  const known = new Map<string, MetricSeries>();
  return (value) => {
    let series = known.get(value);
    if (series === undefined) known.set(value, (series = metrics.series(family, [value])));
    return series;
  };
}
