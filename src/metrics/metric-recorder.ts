import { counter } from './families.js';
import {
  type LabelValues,
  MAX_NOTES,
  type MetricEntries,
  type MetricFamily,
  type MetricSeries,
  type Metrics,
  noSeries,
  type ReadSeries,
} from './metrics.js';
import { type AllowedLabels, QUANTILES, RecordedFamily, type Series } from './recorded-family.js';

export interface RecorderOptions {
  /** The release of the server, such as `{ major: '1', minor: '31' }`. Families that were deprecated in an earlier release are hidden. */
  readonly release: { readonly major: string; readonly minor: string };
  /** Returns a monotonic time in milliseconds. */
  readonly now: () => number;
  /** Whether the recorder has families about itself, such as the numbers of hidden and disabled families. Default true. */
  readonly ofItself?: boolean;
  /** Translates the name of a family for the exposition. Default: the name is exposed unchanged. */
  readonly nameOf?: (name: string) => string;
  /** Translates the help text of a family for the exposition. Default: the help text is exposed unchanged. */
  readonly translateHelp?: (help: string) => string;
  /** Whether families that were deprecated in an earlier release are exposed. Default false. */
  readonly showHidden?: boolean;
  /** The exposed names of families that are not recorded. */
  readonly disabled?: readonly string[];
  /** The allowed values of labels, by the exposed name of the family and the name of the label. */
  readonly allowedLabels?: ReadonlyMap<string, AllowedLabels>;
}

/** The values of a family at one moment. */
export interface FamilySnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: MetricFamily['type'];
  readonly samples: readonly Sample[];
}
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  /** The value of a counter or gauge. */
  readonly value: number;
  /** The number of observations of a histogram or summary; `sum` is the sum of the observed values. */
  readonly count: number;
  readonly sum: number;
  /** For a histogram, pairs of an upper bound and the cumulative count; for a summary, pairs of a quantile and its value. */
  readonly points: readonly (readonly [number, number])[];
}

const registered = counter(
  'registered_metrics_total',
  'The count of registered metrics broken by stability level and deprecation version.',
  ['stability_level', 'deprecated_version'],
  { stability: 'BETA' },
);
const hidden = counter('hidden_metrics_total', 'The count of hidden metrics.', [], { stability: 'BETA' });
const disabled = counter('disabled_metrics_total', 'The count of disabled metrics.', [], { stability: 'BETA' });
const unexpected = counter(
  'cardinality_enforcement_unexpected_categorizations_total',
  'The count of unexpected categorizations during cardinality enforcement.',
);

/**
 * Records the metrics of one server. An update of a family looks up the label values and adds a number. An update of a series from
 * {@link Metrics.series} only appends to a journal. The exposition is computed when it is requested (docs/decisions/0017-metrics.md).
 */
export class MetricRecorder implements Metrics {
  readonly #options: RecorderOptions;
  readonly #disabled: ReadonlySet<string>;
  /** The families by identity; undefined for a family that is not recorded. */
  readonly #known = new Map<MetricFamily, RecordedFamily | undefined>();
  readonly #byName = new Map<string, RecordedFamily | undefined>();
  readonly #journal = new Journal();
  #hidden = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#disabled = new Set(options.disabled);
    if (options.ofItself === false) return;
    this.collect(registered, () => this.#registered());
    this.collect(hidden, () => [[[], this.#hidden]]);
    this.collect(disabled, () => [[[], this.#disabled.size]]);
    this.declare(unexpected);
  }

  add(family: MetricFamily, labels: LabelValues, amount = 1): void {
    const series = this.#recordedFamily(family)?.at(labels);
    if (series) series.value += amount;
  }

  set(family: MetricFamily, labels: LabelValues, value: number): void {
    // Buffered additions precede this value, so they must be applied first.
    this.#journal.settle();
    const series = this.#recordedFamily(family)?.at(labels);
    if (series) series.value = value;
  }

  observe(family: MetricFamily, labels: LabelValues, value: number): void {
    const series = this.#recordedFamily(family)?.at(labels);
    if (series) observeIn(series, family, value, 1, this.#options.now);
  }

  series(family: MetricFamily, labels: LabelValues): MetricSeries {
    const recorded = this.#recordedFamily(family);
    return recorded ? new HeldSeries(recorded, labels, this.#journal, this.#options.now) : noSeries;
  }

  entries(count: (value: number) => void): MetricEntries {
    return new Entries(count, this.#journal);
  }

  collect(family: MetricFamily, read: () => ReadSeries): void {
    this.#journal.settle();
    this.#recordedFamily(family)?.collect(read);
  }

  declare(...families: readonly MetricFamily[]): void {
    for (const family of families) this.#recordedFamily(family);
  }

  /** Removes all series of the families that have labels. */
  reset(): void {
    this.#journal.settle();
    for (const recorded of this.#byName.values()) recorded?.reset();
  }

  /** Returns the families that have series, sorted by name. */
  snapshot(): FamilySnapshot[] {
    this.#journal.settle();
    const { translateHelp } = this.#options;
    const names = [...this.#byName.keys()].sort();
    return names.flatMap((name) => {
      const recorded = this.#byName.get(name);
      if (recorded === undefined) return [];
      const samples = [...recorded.all(), ...recorded.read()].map((series) => this.#sample(series, recorded.family));
      if (samples.length === 0) return [];
      const help = helpOf(recorded.family);
      return [{ name, help: translateHelp?.(help) ?? help, type: recorded.family.type, samples }];
    });
  }

  #recordedFamily(family: MetricFamily): RecordedFamily | undefined {
    const recorded = this.#known.get(family);
    return recorded !== undefined || this.#known.has(family) ? recorded : this.#take(family);
  }

  #take(family: MetricFamily): RecordedFamily | undefined {
    const { nameOf, allowedLabels } = this.#options;
    const name = nameOf?.(family.name) ?? family.name;
    if (!this.#byName.has(name)) {
      const isHidden = this.#isHidden(family);
      if (isHidden) this.#hidden++;
      const isCounted = !isHidden && !this.#disabled.has(name);
      const onUnexpected = () => {
        if (this.#options.ofItself !== false) this.add(unexpected, []);
      };
      this.#byName.set(
        name,
        isCounted ? new RecordedFamily(family, allowedLabels?.get(name), onUnexpected) : undefined,
      );
    }
    const recorded = this.#byName.get(name);
    this.#known.set(family, recorded);
    return recorded;
  }

  /** Returns whether a family was deprecated before the release of the server. */
  #isHidden({ deprecatedIn }: MetricFamily): boolean {
    if (deprecatedIn === undefined || this.#options.showHidden === true) return false;
    const { major, minor } = this.#options.release;
    const [since = '', sinceMinor = ''] = deprecatedIn.split('.');
    return Number(since) < Number(major) || (since === major && Number(sinceMinor) < Number(minor));
  }

  #registered(): (readonly [LabelValues, number])[] {
    const counts = new Map<string, { readonly labels: LabelValues; count: number }>();
    for (const recorded of this.#byName.values()) {
      const { stability, deprecatedIn } = recorded?.family ?? {};
      if (stability === undefined) continue;
      const labels = [stability, deprecatedIn === undefined ? '' : `${deprecatedIn}.0`];
      const key = labels.join();
      const counted = counts.get(key) ?? { labels, count: 0 };
      counted.count++;
      counts.set(key, counted);
    }
    return [...counts.values()].map((each) => [each.labels, each.count]);
  }

  #sample(series: Series, family: MetricFamily): Sample {
    const { named, value, count, sum } = series;
    return { labels: named, value, count, sum, points: this.#points(series, family) };
  }

  #points({ buckets, quantiles }: Series, family: MetricFamily): readonly (readonly [number, number])[] {
    if (quantiles) {
      const values = quantiles.read(QUANTILES, this.#options.now());
      return QUANTILES.map((share, i) => [share, values[i] ?? Number.NaN]);
    }
    if (!buckets) return [];
    let below = 0;
    return (family.buckets ?? []).map((bound, i) => {
      below += buckets[i] ?? 0;
      return [bound, below];
    });
  }
}

/** Appends entries to the journal. Each entry updates several series through one callback. */
class Entries implements MetricEntries, Counting {
  readonly take: (value: number) => void;
  readonly #journal: Journal;

  constructor(count: (value: number) => void, journal: Journal) {
    this.take = count;
    this.#journal = journal;
  }

  add(value: number): void {
    this.#journal.add(this, value);
  }
}

/** A series whose lookup is cached until the next reset. */
class HeldSeries implements MetricSeries, Counting {
  readonly #recorded: RecordedFamily;
  readonly #labels: LabelValues;
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #type: MetricFamily['type'];
  #series: Series | undefined;
  #generation = 0;

  constructor(recorded: RecordedFamily, labels: LabelValues, journal: Journal, now: () => number) {
    this.#recorded = recorded;
    this.#labels = labels;
    this.#journal = journal;
    this.#now = now;
    this.#type = recorded.family.type;
  }

  add(amount = 1): void {
    if (this.#type === 'counter' || this.#type === 'gauge') this.#journal.add(this, amount);
    else this.#currentSeries();
  }

  observe(value: number, times = 1): void {
    // The buffer stores neither the time of an observation, which a summary needs, nor `times`, so these observations bypass it.
    if (this.#type === 'summary' || times !== 1) this.#observe(value, times);
    else this.#journal.add(this, value);
  }

  take(value: number): void {
    if (this.#type === 'counter' || this.#type === 'gauge') this.#currentSeries().value += value;
    else this.#observe(value, 1);
  }

  #observe(value: number, times: number): void {
    observeIn(this.#currentSeries(), this.#recorded.family, value, times, this.#now);
  }

  #currentSeries(): Series {
    const recorded = this.#recorded;
    if (this.#series && this.#generation === recorded.generation) return this.#series;
    const series = recorded.at(this.#labels);
    if (recorded.keepsSeries) {
      this.#series = series;
      this.#generation = recorded.generation;
    }
    return series;
  }
}

function observeIn(
  series: Series,
  { buckets: bounds = [] }: MetricFamily,
  value: number,
  times: number,
  now: () => number,
): void {
  series.count += times;
  series.sum += times * value;
  if (series.quantiles) for (let i = 0; i < times; i++) series.quantiles.observe(value, now());
  const { buckets } = series;
  if (!buckets) return;
  for (let i = 0; i < bounds.length; i++)
    if (value <= (bounds[i] ?? 0)) {
      buckets[i] = (buckets[i] ?? 0) + times;
      return;
    }
}

function helpOf({ help, stability, deprecatedIn }: MetricFamily): string {
  const deprecated = deprecatedIn === undefined ? '' : `(Deprecated since ${deprecatedIn}.0) `;
  return `${stability === undefined ? '' : `[${stability}] `}${deprecated}${help}`;
}

/** A receiver of buffered values. */
interface Counting {
  take(value: number): void;
}

/**
 * Buffers metric updates. A request updates about twenty series that are spread over memory. Appending its updates to one array, and
 * applying those of many requests at once, costs a fraction of updating each series immediately.
 */
class Journal {
  readonly #counters: Counting[] = [];
  readonly #values = new Float64Array(MAX_NOTES);
  #length = 0;
  #settling = false;

  add(who: Counting, value: number): void {
    if (this.#settling) {
      who.take(value);
      return;
    }
    const at = this.#length++;
    this.#counters[at] = who;
    this.#values[at] = value;
    if (this.#length === MAX_NOTES) this.settle();
  }

  /** Applies all buffered updates. */
  settle(): void {
    if (this.#settling) return;
    this.#settling = true;
    for (let i = 0; i < this.#length; i++) this.#counters[i]?.take(this.#values[i] ?? 0);
    this.#length = 0;
    this.#settling = false;
  }
}
