import type { Distribution, LabelValues, MetricFamily, ReadSeries } from './metrics.js';
import { SlidingQuantiles } from './sliding-quantiles.js';

/**
 * The maximum number of series of a family. All further label values share one series, so that clients cannot create series without limit.
 */
const MAX_SERIES = 10_000;
/** The label value for values that are not allowed, and for series above the limit. */
const UNEXPECTED = 'unexpected';
const SUMMARY_WINDOW = 5 * 60 * 60 * 1000;
/** The quantiles that summaries expose. */
export const QUANTILES: readonly number[] = [0.5, 0.9, 0.99];

/** The recorded values for one set of label values. */
export class Series {
  readonly labels: LabelValues;
  /** The value of a counter or gauge. */
  value = 0;
  /** The number of observations of a histogram or summary; `sum` is the sum of the observed values. */
  count = 0;
  sum = 0;
  /** For a histogram, the number of values in each bucket, not cumulative. Values above all bounds are in no bucket. */
  readonly buckets: number[] | undefined;
  readonly quantiles: SlidingQuantiles | undefined;
  /** The label values by label name, sorted by name. The exposition caches the formatted labels by the identity of this object. */
  readonly named: Readonly<Record<string, string>>;

  constructor(labels: LabelValues, family: MetricFamily) {
    this.labels = labels;
    this.named = namedLabels(family, labels);
    this.buckets = family.type === 'histogram' ? (family.buckets ?? []).map(() => 0) : undefined;
    this.quantiles = family.type === 'summary' ? new SlidingQuantiles(SUMMARY_WINDOW) : undefined;
  }

  /** Sets the counts and the sum of a histogram series to those of a distribution that was computed elsewhere. */
  take({ count, sum, buckets }: Distribution): void {
    this.count = count;
    this.sum = sum;
    for (const [i, inside] of buckets.entries()) if (this.buckets) this.buckets[i] = inside;
  }
}

/** Returns the label values as an object with the label names as its keys, sorted by name. */
function namedLabels({ labels: names }: MetricFamily, values: LabelValues): Readonly<Record<string, string>> {
  const pairs = names.map((name, i) => [name, values[i] ?? ''] as const);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The allowed values of each restricted label, by the name of the label. */
export type AllowedLabels = ReadonlyMap<string, ReadonlySet<string>>;

/** The series of one family. */
export class RecordedFamily {
  readonly family: MetricFamily;
  readonly reads: (() => ReadSeries)[] = [];
  readonly #allowed: readonly (ReadonlySet<string> | undefined)[] | undefined;
  readonly #onUnexpected: () => void;
  #tree = new LabelTree<Series>();
  #series: Series[] = [];
  #sorted = true;
  #generation = 0;

  /** @param onUnexpected called for a label value that is not allowed. */
  constructor(family: MetricFamily, allowed: AllowedLabels | undefined, onUnexpected: () => void) {
    this.family = family;
    this.#allowed = allowed && family.labels.map((name) => allowed.get(name));
    this.#onUnexpected = onUnexpected;
    if (family.labels.length === 0) this.at([]);
  }

  /** Returns the series with these label values, and creates it if it does not exist. */
  at(labelValues: LabelValues): Series {
    const labels = this.#allowed ? this.constrainLabels(labelValues) : labelValues;
    const known = this.#tree.find(labels);
    if (known) return known;
    if (this.#series.length >= MAX_SERIES && labelValues !== this.#beyond) return this.at(this.#beyond);
    const series = new Series(labels, this.family);
    this.#tree.add(labels, series);
    this.#series.push(series);
    this.#sorted = false;
    return series;
  }

  /**
   * Whether callers may cache a series until the {@link generation} changes. They may not if the label values are restricted, because every
   * use must be checked and unexpected values must be counted.
   */
  get keepsSeries(): boolean {
    return this.#allowed === undefined;
  }

  /** A number that changes when series are removed. */
  get generation(): number {
    return this.#generation;
  }

  /** Returns the label values, with each value that is not allowed replaced by `unexpected`. */
  constrainLabels(labels: LabelValues): LabelValues {
    return labels.map((value, i) => {
      const allowed = this.#allowed?.[i];
      if (allowed === undefined || allowed.has(value)) return value;
      this.#onUnexpected();
      return UNEXPECTED;
    });
  }

  /** Returns all series, sorted by their label values. */
  all(): readonly Series[] {
    if (!this.#sorted) this.#series.sort((a, b) => compareLabels(a.labels, b.labels));
    this.#sorted = true;
    return this.#series;
  }

  /** Removes the series of a family with labels; a family without labels keeps its value. */
  reset(): void {
    if (this.family.labels.length > 0) this.#forget();
  }

  /** Reads the series that are computed on demand, sorted by label values. */
  read(): Series[] {
    const all = this.reads.flatMap((read) =>
      [...read()].map(([labels, value]) => {
        const series = new Series(this.#allowed ? this.constrainLabels(labels) : labels, this.family);
        if (typeof value === 'number') series.value = value;
        else series.take(value);
        return series;
      }),
    );
    return all.sort((a, b) => compareLabels(a.labels, b.labels));
  }

  /**
   * Adds a function that computes series. A family without labels loses its initial series, which would otherwise be exposed with the value
   * 0.
   */
  collect(read: () => ReadSeries): void {
    this.reads.push(read);
    if (this.family.labels.length === 0) this.#forget();
  }

  #forget(): void {
    this.#tree = new LabelTree();
    this.#series = [];
    this.#generation++;
  }

  get #beyond(): LabelValues {
    this.#beyondAll ??= this.family.labels.map(() => UNEXPECTED);
    return this.#beyondAll;
  }
  #beyondAll: LabelValues | undefined;
}

function compareLabels(a: LabelValues, b: LabelValues): number {
  for (let i = 0; i < a.length; i++) {
    const one = a[i] ?? '';
    const other = b[i] ?? '';
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** A node of a {@link LabelTree}. Each label value of a key leads one level down; `entry` belongs to the key that ends at this node. */
class Branch<T> {
  readonly branches = new Map<string, Branch<T>>();
  entry: T | undefined;
}

/** A map whose keys are lists of label values. Lookup proceeds value by value and does not join the values into one string. */
class LabelTree<T> {
  readonly #root = new Branch<T>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(labels: LabelValues): T | undefined {
    let branch: Branch<T> | undefined = this.#root;
    for (let i = 0; i < labels.length && branch; i++) branch = branch.branches.get(labels[i] ?? '');
    return branch?.entry;
  }

  /** @param labels the key. All keys of a tree have the same number of labels. */
  add(labels: LabelValues, entry: T): void {
    let branch = this.#root;
    for (const value of labels) {
      let next = branch.branches.get(value);
      if (next === undefined) branch.branches.set(value, (next = new Branch()));
      branch = next;
    }
    if (branch.entry === undefined) this.#size++;
    branch.entry = entry;
  }
}
