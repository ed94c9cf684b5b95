import { LabelTree } from './label-tree.js';
import type { Distribution, LabelValues, MetricFamily, ReadSeries } from './metrics.js';
import { SlidingQuantiles } from './sliding-quantiles.js';

/** Series of a family; what goes beyond is counted together, so that callers cannot make series without end. */
const MAX_SERIES = 10_000;
/** The value of a label that is not allowed, or of a series too many. */
const UNEXPECTED = 'unexpected';
const SUMMARY_WINDOW = 5 * 60 * 60 * 1000;
/** What summaries show. */
export const QUANTILES: readonly number[] = [0.5, 0.9, 0.99];

/** What was counted under some label values. */
export class Series {
  readonly labels: LabelValues;
  /** Of a counter or gauge. */
  value = 0;
  /** Of a histogram or summary: how many, and all together. */
  count = 0;
  sum = 0;
  /** Of a histogram: how many are in each bucket and in none below; those above all bounds are not listed. */
  readonly buckets: number[] | undefined;
  readonly quantiles: SlidingQuantiles | undefined;
  /** The labels by name, in order; the exposition keeps what it makes of them. */
  readonly named: Readonly<Record<string, string>>;

  constructor(labels: LabelValues, family: MetricFamily) {
    this.labels = labels;
    this.named = namedLabels(family, labels);
    this.buckets = family.type === 'histogram' ? (family.buckets ?? []).map(() => 0) : undefined;
    this.quantiles = family.type === 'summary' ? new SlidingQuantiles(SUMMARY_WINDOW) : undefined;
  }

  /** Holds what was counted elsewhere. */
  take({ count, sum, buckets }: Distribution): void {
    this.count = count;
    this.sum = sum;
    for (const [i, inside] of buckets.entries()) if (this.buckets) this.buckets[i] = inside;
  }
}

/** Labels by name, in the order of the names. */
function namedLabels({ labels: names }: MetricFamily, values: LabelValues): Readonly<Record<string, string>> {
  const pairs = names.map((name, i) => [name, values[i] ?? ''] as const);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Which values a label may have, by the label's name. */
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

  /** @param onUnexpected called for a value that its label may not have. */
  constructor(family: MetricFamily, allowed: AllowedLabels | undefined, onUnexpected: () => void) {
    this.family = family;
    this.#allowed = allowed && family.labels.map((name) => allowed.get(name));
    this.#onUnexpected = onUnexpected;
    if (family.labels.length === 0) this.at([]);
  }

  /** The series of label values; made when it is not there. */
  at(given: LabelValues): Series {
    const labels = this.#allowed ? this.constrained(given) : given;
    const known = this.#tree.find(labels);
    if (known) return known;
    if (this.#series.length >= MAX_SERIES && given !== this.#beyond) return this.at(this.#beyond);
    const series = new Series(labels, this.family);
    this.#tree.add(labels, series);
    this.#series.push(series);
    this.#sorted = false;
    return series;
  }

  /** Whether the series of label values stays what it is until the {@link generation} changes: constraints count each use. */
  get keepsSeries(): boolean {
    return this.#allowed === undefined;
  }

  /** Changes when series are forgotten. */
  get generation(): number {
    return this.#generation;
  }

  /** The values with those that are not allowed replaced. */
  constrained(labels: LabelValues): LabelValues {
    return labels.map((value, i) => {
      const allowed = this.#allowed?.[i];
      if (allowed === undefined || allowed.has(value)) return value;
      this.#onUnexpected();
      return UNEXPECTED;
    });
  }

  /** All series, by their label values. */
  all(): readonly Series[] {
    if (!this.#sorted) this.#series.sort((a, b) => compareLabels(a.labels, b.labels));
    this.#sorted = true;
    return this.#series;
  }

  /** Forgets the series of families with labels: those without go on. */
  reset(): void {
    if (this.family.labels.length > 0) this.#forget();
  }

  /** What is read anew each time, by label values. */
  read(): Series[] {
    const all = this.reads.flatMap((read) =>
      [...read()].map(([labels, value]) => {
        const series = new Series(this.#allowed ? this.constrained(labels) : labels, this.family);
        if (typeof value === 'number') series.value = value;
        else series.take(value);
        return series;
      }),
    );
    return all.sort((a, b) => compareLabels(a.labels, b.labels));
  }

  /** A family that is read has no series of its own that would say 0. */
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
