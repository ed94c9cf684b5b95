/** How settled a family is: a stable one keeps its name, type and labels; an alpha one promises nothing. */
export type MetricStability = 'STABLE' | 'BETA' | 'ALPHA' | 'INTERNAL';

/** A family of series. Declared once, beside the code that counts, and known by identity. */
export interface MetricFamily {
  /** The whole name, in the words of upstream; the dialect translates it when it is written. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
  /** Upper bounds, ascending, without infinity. Histograms only. */
  readonly buckets?: readonly number[];
  /** Absent for what any process reports. */
  readonly stability?: MetricStability;
  /** The minor release since which it is deprecated, `1.30`: hidden unless asked for. */
  readonly deprecatedIn?: string;
}

/** Values of a family's labels, in the family's order. */
export type LabelValues = readonly string[];

/** One series of a family, for who counts in it again and again. It is there once something was counted. */
export interface MetricSeries {
  /** As {@link Metrics.add} and {@link Metrics.observe}. */
  add(amount?: number): void;
  observe(value: number): void;
}

/** What is counted later, for many at once. */
export interface MetricEntries {
  /** Notes that it is to be done once more, with a number. */
  add(value: number): void;
}

/** What a histogram holds. */
export interface Distribution {
  readonly count: number;
  readonly sum: number;
  /** How many are in each bucket and in none below; those above all bounds are not listed. */
  readonly buckets: readonly number[];
}

/** What is read when somebody asks: numbers of gauges and counters, distributions of histograms. */
export type ReadSeries = Iterable<readonly [LabelValues, number | Distribution]>;

/** Where everything that counts something reports it. No call throws, and none waits. */
export interface Metrics {
  /** Counts a counter up, or moves a gauge. `amount` is 1 when left out; with 0 the series is there, and of whatever type. */
  add(family: MetricFamily, labels: LabelValues, amount?: number): void;
  /** Sets a gauge. */
  set(family: MetricFamily, labels: LabelValues, value: number): void;
  /** One value of a histogram or summary; durations in seconds. */
  observe(family: MetricFamily, labels: LabelValues, value: number): void;
  /** The series of label values, found once. */
  series(family: MetricFamily, labels: LabelValues): MetricSeries;
  /**
   * What is counted in several series with one note for all of it.
   * @param count called for each note: before anybody sees what was counted, and before {@link MAX_NOTES} wait
   */
  entries(count: (value: number) => void): MetricEntries;
  /** A family that is read only when somebody asks for it. */
  collect(family: MetricFamily, read: () => ReadSeries): void;
  /** Families that are shown before anything was counted: those without labels, whose one series begins with 0. */
  declare(...families: readonly MetricFamily[]): void;
}

/** Of a family that is not counted. */
export const noSeries: MetricSeries = { add: nothing, observe: nothing };

/** Notes of all entries together that wait, at most. */
export const MAX_NOTES = 256;

const noEntries: MetricEntries = { add: nothing };

/** For servers without metrics. */
export const noMetrics: Metrics = {
  add: nothing,
  set: nothing,
  observe: nothing,
  series: () => noSeries,
  entries: () => noEntries,
  collect: nothing,
  declare: nothing,
};

/** Whether anything is kept: what is not need not be measured. */
export const isCounted = (metrics: Metrics): boolean => metrics !== noMetrics;

function nothing(): void {}
